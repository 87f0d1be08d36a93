"""Where the settings would send code, and which of these places the user named. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from socreates_lsp.settings.choices import Provider
from socreates_lsp.settings.endpoints import Endpoint, address_of, endpoint_of, is_loopback
from socreates_lsp.settings.kinds import VariableName, WebAddress

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from socreates_lsp.settings.records import Fallback
    from socreates_lsp.settings.schema import Settings
    from socreates_lsp.settings.sources import Entry

OPENAI = "https://api.openai.com/v1"
OLLAMA_CLOUD = "https://ollama.com"
MODEL_URL, EMBEDDINGS_URL = "model.baseUrl", "embeddings.baseUrl"
_NO_ENDPOINT = frozenset({Provider.EXAMINER, Provider.LLAMACPP})


def endpoints(settings: Settings, unsure: Collection[str] = ()) -> tuple[str, ...]:
    """Every address to which code may go with these settings, the model's first, as far as settings can tell.

    An Ollama that nobody gave an address for is left out: who chooses it has to look at ``OLLAMA_HOST``.
    ``unsure`` as ``Resolved`` has it: where an address was refused, nothing goes to another in its place.
    """
    model, embeddings = settings.model, settings.embeddings
    in_doubt = MODEL_URL in unsure
    places = [] if in_doubt else [*_places(model.provider, model.base_url, model.name)]
    for other in model.fallback:
        provider = other.provider or model.provider
        inherits = provider is model.provider and not other.base_url
        if not (inherits and in_doubt):
            places += _places(provider, model.base_url if inherits else other.base_url, other.name)
    lost = EMBEDDINGS_URL in unsure or (in_doubt and not embeddings.base_url)
    if (embeddings.base_url or embeddings.name) and not lost:
        own = embeddings.base_url or model.base_url
        places += _places(
            Provider.OPENAI if model.provider is Provider.OPENAI else Provider.OLLAMA, own, embeddings.name
        )
    return tuple(dict.fromkeys(places))


def main_endpoint(settings: Settings) -> str | None:
    """The address that ``model`` leads to; None where settings do not tell or nothing is sent."""
    return next(_places(settings.model.provider, settings.model.base_url, None), None)


def named(entries: Iterable[tuple[Entry, object]], own: Settings, unsure: Collection[str] = ()) -> frozenset[Endpoint]:
    """The endpoints that the user named: ``entries`` are those of the user's own sources with their values.

    ``own`` and ``unsure`` are as the user's sources alone make them: choosing ``openai`` names its address, unless
    another was meant. A host in ``policy.endpointsAllow`` is named for https at its usual port, a pattern for a
    whole domain only allows.
    """
    urls = [*endpoints(own, unsure)]
    for entry, value in entries:
        if isinstance(entry.key.facts.kind, WebAddress):
            urls.append(cast("str", value))
        elif entry.key.name == "policy.endpointsAllow":
            hosts = cast("tuple[str, ...]", value)
            urls += [f"https://[{host}]" if ":" in host else f"https://{host}" for host in hosts]
    # A pattern makes no address, and falls out here.
    return frozenset(endpoint for endpoint in map(endpoint_of, urls) if endpoint is not None)


def variables(entries: Iterable[tuple[Entry, object]]) -> frozenset[str]:
    """The variables that the user's own sources name as holding a key; ``entries`` as in ``named``."""
    found: set[str | None] = set()
    for entry, value in entries:
        if isinstance(entry.key.facts.kind, VariableName):
            found.add(cast("str", value))
        elif entry.key.name == "model.fallback":
            found |= {other.api_key_env for other in cast("tuple[Fallback, ...]", value)}
    return frozenset(name for name in found if name)


def _places(provider: Provider, base_url: str | None, name: str | None) -> Iterator[str]:
    if provider in _NO_ENDPOINT:
        return
    url = base_url or (OPENAI if provider is Provider.OPENAI else None)
    if url:
        yield url
    address = address_of(url) if url else None
    ollama = provider is not Provider.OPENAI or (address is not None and is_loopback(address.host))
    if name and ollama and in_the_cloud(name):
        yield OLLAMA_CLOUD


def in_the_cloud(name: str) -> bool:
    """Whether an Ollama, wherever it is, passes the text on: a tag ``cloud`` or one that ends so (Ollama's docs)."""
    _, colon, tag = name.strip().lower().rpartition(":")
    return bool(colon) and (tag == "cloud" or tag.endswith("-cloud"))
