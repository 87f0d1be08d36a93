"""Who answers: the model that the settings mean, or none, which means the examiner. Nothing is sent unasked.

Every address goes through ``admit`` before the first byte, the loopback ones too, and those to which a local
Ollama would pass the text on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from socreates_lsp.model.diagnosis import no_such_model
from socreates_lsp.model.failures import CannotConnectError, ModelError, NoSuchModelError, NotAllowedError
from socreates_lsp.model.fallback import Fallback
from socreates_lsp.model.http import Http
from socreates_lsp.model.line import Lines
from socreates_lsp.model.llamacpp import llamacpp
from socreates_lsp.model.ollama import OllamaModel
from socreates_lsp.model.ollama_pick import away, can_call, can_chat, pick
from socreates_lsp.model.ollama_server import DEFAULT, OllamaServer, address_in, name_of
from socreates_lsp.model.openai import OpenAIModel
from socreates_lsp.model.place import Place, key_from, ollama_base, openai_base
from socreates_lsp.model.retrying import Retrying
from socreates_lsp.model.text_tools import TextTools
from socreates_lsp.model.untyped import words
from socreates_lsp.settings.choices import Provider, Tools
from socreates_lsp.settings.consent import OLLAMA_CLOUD, OPENAI, in_the_cloud
from socreates_lsp.settings.endpoints import address_of, endpoint_of, is_loopback

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from socreates_lsp.model.types import ChatModel
    from socreates_lsp.settings.records import Fallback as FallbackSettings
    from socreates_lsp.settings.schema import ModelSettings


class Admit(Protocol):
    """Asked before anything is sent."""

    async def __call__(self, url: str, variable: str | None = None) -> str | None:
        """May the code, and the key in the variable, go to this address? None is yes, a sentence is no.

        ``variable`` None: no key goes along, or OpenAI's own to OpenAI.
        """
        ...


OPENAI_KEY = "OPENAI_API_KEY"


@dataclass(frozen=True, slots=True)
class Choice:
    """Who answers and why, in a sentence. ``model`` None: the examiner. ``skipped``: (model or address, reason)."""

    model: ChatModel | None
    why: str
    skipped: tuple[tuple[str, str], ...] = ()


async def choose(
    settings: ModelSettings,
    environ: Mapping[str, str],
    admit: Admit,
    doubt: str | None = None,
    lines: Lines | None = None,
) -> Choice:
    """Choose. Raises ModelError where the settings name a model that cannot be had, and no fallback can.

    The model of the answer retries, uses tools through text where it has to, and falls back as the settings say.
    ``doubt``: ``base_url`` is not what somebody wanted it to be, and why; then nothing is sent there. ``lines``: those
    in which requests of the session wait.
    """
    if settings.provider is Provider.EXAMINER:
        return Choice(None, "The settings choose the examiner.")
    lines = lines or Lines()
    others = [_maker(settings, other, environ, admit, doubt, lines) for other in settings.fallback]
    try:
        choice = await _first(settings, environ, admit, doubt, lines)
    except ModelError as failure:
        return await _of_the_others(settings, others, failure)
    if choice.model is None or not others:
        return choice
    return Choice(Fallback(choice.model, others), choice.why, choice.skipped)


async def _first(
    settings: ModelSettings, environ: Mapping[str, str], admit: Admit, doubt: str | None, lines: Lines
) -> Choice:
    if settings.provider is Provider.LLAMACPP:
        await _admitted(admit, "http://127.0.0.1")
        model = await llamacpp(settings, environ)
        return Choice(_wrapped(model, settings, lines, tools=True), f"The settings choose {model.name}, from a file.")
    if doubt is not None:
        if settings.provider is Provider.AUTO:
            return Choice(None, f"The examiner answers, as no model is asked: {doubt}")
        raise NotAllowedError(f"No model is asked: {doubt}")
    if settings.provider is Provider.AUTO:
        return await _auto(settings, environ, admit, lines)
    if settings.provider is Provider.OLLAMA:
        return await _ollama(settings, environ, admit, lines)
    return await _openai(settings, environ, admit, lines)


async def _auto(settings: ModelSettings, environ: Mapping[str, str], admit: Admit, lines: Lines) -> Choice:
    """A loopback Ollama, and the best model there; else the examiner."""
    named = settings.base_url or address_in(environ.get("OLLAMA_HOST", ""))
    skipped: list[tuple[str, str]] = []
    url = ollama_base(named or DEFAULT)
    address = address_of(url)
    if address is None or not is_loopback(address.host):
        elsewhere = Place("ollama", url, "").endpoint
        skipped.append((elsewhere, "auto takes only an Ollama on this machine: choose model.provider to use it"))
        url = DEFAULT
    place = _place(settings, "ollama", url, "")
    if refusal := await admit(url):
        return Choice(None, f"The examiner answers: {refusal}", (*skipped, (place.endpoint, refusal)))
    http = Http(place, environ)
    try:
        picked = await pick(OllamaServer(http), settings.name)
    except CannotConnectError:
        return Choice(None, f"No Ollama answers at {place.endpoint}, so the examiner does.", tuple(skipped))
    except ModelError as failure:
        return Choice(None, f"The examiner answers: {failure}", (*skipped, (place.endpoint, str(failure))))
    finally:
        await http.close()
    skipped += picked.skipped
    if picked.name is None:
        return Choice(
            None, f"The Ollama at {place.endpoint} has no model to use, so the examiner answers.", tuple(skipped)
        )
    model = OllamaModel(_place(settings, "ollama", url, picked.name), environ)
    return Choice(_wrapped(model, settings, lines, tools=picked.tools), f"{picked.why}.", tuple(skipped))


async def _ollama(settings: ModelSettings, environ: Mapping[str, str], admit: Admit, lines: Lines) -> Choice:
    """An Ollama wherever it is: the model that is named, else the best there."""
    url = ollama_base(settings.base_url or address_in(environ.get("OLLAMA_HOST", "")) or DEFAULT)
    place = _place(settings, "ollama", url, settings.name or "", environ)
    await _admitted(admit, url, _asked_for(place))
    http = Http(place, environ)
    server = OllamaServer(http)
    try:
        if not settings.name:
            picked = await pick(server)
            if picked.name is None:
                raise NoSuchModelError(
                    f"The Ollama at {place.endpoint} has no model to use: get one with `ollama pull`."
                )
            model = OllamaModel(_place(settings, "ollama", url, picked.name, environ), environ)
            return Choice(_wrapped(model, settings, lines, tools=picked.tools), f"{picked.why}.", tuple(picked.skipped))
        tools = await _named(server, place, admit)
    finally:
        await http.close()
    model = OllamaModel(place, environ)
    return Choice(
        _wrapped(model, settings, lines, tools=tools), f"The settings choose {settings.name} at {place.endpoint}."
    )


async def _named(server: OllamaServer, place: Place, admit: Admit) -> bool:
    """Whether the model that the settings name can call tools. Raises ModelError if it may not be used."""
    try:
        show = await server.show(place.model)
    except NoSuchModelError:
        raise no_such_model(place, [name_of(model) for model in await server.models()]) from None
    if elsewhere := away(show, place.model):
        await _admitted(admit, elsewhere)
    if not can_chat(show):
        raise NoSuchModelError(f"The model {place.model} only embeds: set model.name to one that answers.")
    return can_call(show)


async def _openai(settings: ModelSettings, environ: Mapping[str, str], admit: Admit, lines: Lines) -> Choice:
    url = openai_base(settings.base_url or OPENAI)
    place = _place(settings, "openai", url, settings.name or "", environ)
    await _admitted(admit, url, _asked_for(place))
    name = settings.name or await _only_one(place, environ)
    if place.local and in_the_cloud(name):
        # An Ollama that is spoken to over this wire passes the text on all the same.
        await _admitted(admit, OLLAMA_CLOUD)
    model = OpenAIModel(_place(settings, "openai", url, name, environ), environ)
    return Choice(_wrapped(model, settings, lines, tools=True), f"The settings choose {name} at {place.endpoint}.")


async def _only_one(place: Place, environ: Mapping[str, str]) -> str:
    server = OpenAIModel(place, environ)
    try:
        names = [words(model.get("id")) for model in await server.models()]
    finally:
        await server.close()
    if len(names) == 1:
        return names[0]
    few = f" to one of: {', '.join(names)}" if 0 < len(names) <= 8 else ""
    raise NoSuchModelError(f"{place.endpoint} needs the name of a model: set model.name{few}.")


def _maker(
    settings: ModelSettings,
    other: FallbackSettings,
    environ: Mapping[str, str],
    admit: Admit,
    doubt: str | None,
    lines: Lines,
) -> Callable[[], Awaitable[ChatModel]]:
    """What makes a fallback model, when it is needed.

    A key goes only where ``api_key_env`` names it, or to the endpoint of the first model.
    """
    provider = other.provider or settings.provider
    inherits = provider is settings.provider and not other.base_url
    base_url = settings.base_url if inherits else other.base_url
    variable = other.api_key_env
    if variable is None and provider is settings.provider and base_url == settings.base_url:
        variable = settings.api_key_env or (OPENAI_KEY if _is_openai(provider, base_url) else None)
    own = replace(
        settings, provider=provider, base_url=base_url, name=other.name, api_key_env=variable or "", fallback=()
    )

    async def make() -> ChatModel:
        choice = await _first(own, environ, admit, doubt if inherits else None, lines)
        if choice.model is None:
            raise ModelError(choice.why)
        return choice.model

    return make


async def _of_the_others(
    settings: ModelSettings, others: list[Callable[[], Awaitable[ChatModel]]], failure: ModelError
) -> Choice:
    """The first fallback that can be had, in place of a model that cannot. Raises the failure of that one."""
    skipped = [(settings.name or settings.provider.value, str(failure))]
    for at, make in enumerate(others):
        try:
            model = await make()
        except ModelError as another:
            skipped.append((settings.fallback[at].name, str(another)))
            continue
        rest = others[at + 1 :]
        why = f"The settings name {model.name} as the next model."
        return Choice(Fallback(model, rest) if rest else model, why, tuple(skipped))
    raise failure


async def _admitted(admit: Admit, url: str, variable: str | None = None) -> None:
    refusal = await admit(url, variable)
    if refusal:
        raise NotAllowedError(refusal)


def _place(
    settings: ModelSettings, provider: str, url: str, name: str, environ: Mapping[str, str] | None = None
) -> Place:
    """The place of a model. The key that nobody named is sent to OpenAI alone."""
    variable = settings.api_key_env
    if variable is None and _is_openai(settings.provider, url):
        variable = OPENAI_KEY
    return Place(
        provider=provider,
        base_url=url,
        model=name,
        key=key_from(environ or {}, variable),
        key_hint=variable or OPENAI_KEY,
        context_tokens=settings.context_tokens,
        timeout_s=settings.timeout_seconds,
        ca_bundle=settings.ca_bundle,
    )


def _asked_for(place: Place) -> str | None:
    """The variable of the key that would go along; None without one, and for OpenAI's own key to OpenAI."""
    usual = place.variable == OPENAI_KEY and _is_openai(Provider.OPENAI, place.base_url)
    return place.key.variable if place.key is not None and not usual else None


def _is_openai(provider: Provider, url: str | None) -> bool:
    if provider is not Provider.OPENAI:
        return False
    return url is None or endpoint_of(url) == endpoint_of(OPENAI)


def _wrapped(model: ChatModel, settings: ModelSettings, lines: Lines, *, tools: bool) -> ChatModel:
    """The model behind its line, with retries; with tools through text where it has none or the settings say so."""
    always = {Tools.NATIVE: False, Tools.TEXT: True, Tools.AUTO: None if tools else True}[settings.tools]
    return Retrying(TextTools(lines.before(model, settings.parallel), always=always), settings.retries)
