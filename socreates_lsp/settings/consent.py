"""Where the settings would send code, and which of these places the user named. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from socreates_lsp.settings.choices import Provider
from socreates_lsp.settings.endpoints import Address, address_of, is_loopback
from socreates_lsp.settings.kinds import WebAddress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from socreates_lsp.settings.schema import Settings
    from socreates_lsp.settings.sources import Entry

OPENAI = "https://api.openai.com/v1"
OLLAMA_CLOUD = "https://ollama.com"
_NO_ENDPOINT = frozenset({Provider.EXAMINER, Provider.LLAMACPP})


def endpoints(settings: Settings) -> tuple[str, ...]:
    """Every address to which code may go with these settings, the model's first, as far as settings can tell.

    An Ollama that nobody gave an address for is left out: who chooses it has to look at ``OLLAMA_HOST``.
    """
    model, embeddings = settings.model, settings.embeddings
    places = [*_places(model.provider, model.base_url, model.name)]
    for other in model.fallback:
        provider = other.provider or model.provider
        places += _places(
            provider, other.base_url or (model.base_url if provider is model.provider else None), other.name
        )
    if embeddings.base_url or embeddings.name:
        own = embeddings.base_url or model.base_url
        places += _places(
            Provider.OPENAI if model.provider is Provider.OPENAI else Provider.OLLAMA, own, embeddings.name
        )
    return tuple(dict.fromkeys(places))


def main_endpoint(settings: Settings) -> str | None:
    """The address that ``model`` leads to; None where settings do not tell or nothing is sent."""
    return next(_places(settings.model.provider, settings.model.base_url, None), None)


def named(entries: Iterable[tuple[Entry, object]], own: Settings) -> frozenset[Address]:
    """The addresses that the user named: ``entries`` are those of the user's own sources with their values.

    ``own`` are the settings as the user's sources alone make them: choosing ``openai`` names its address.
    A host in ``policy.endpointsAllow`` is named for https, a pattern for a whole domain only allows.
    """
    urls = [*endpoints(own)]
    for entry, value in entries:
        if isinstance(entry.key.facts.kind, WebAddress):
            urls.append(cast("str", value))
        elif entry.key.name == "policy.endpointsAllow":
            hosts = cast("tuple[str, ...]", value)
            urls += [f"https://[{host}]" if ":" in host else f"https://{host}" for host in hosts]
    # A pattern makes no address, and falls out here.
    return frozenset(address for address in map(address_of, urls) if address is not None)


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
