"""Which of an Ollama's models answers: one that is loaded and can call tools, else the newest that can, else any."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from socreates_lsp.model.failures import NoSuchModelError
from socreates_lsp.model.ollama_server import name_of, same_model
from socreates_lsp.model.untyped import items, table, words
from socreates_lsp.settings.consent import OLLAMA_CLOUD, in_the_cloud

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.model.ollama_server import OllamaServer

MOST_LOOKED_AT = 40
_EMBEDDING_FAMILIES = {"bert", "nomic-bert", "nomic-bert-moe", "xlmroberta"}


@dataclass(slots=True)
class Picked:
    """The model chosen, whether it can call tools, why, and what was passed over on the way: (name, reason).

    ``name`` None: there is none.
    """

    name: str | None = None
    tools: bool = True
    why: str = ""
    skipped: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


async def pick(server: OllamaServer, wanted: str | None = None) -> Picked:
    """Choose; ``wanted`` first, if it is there and runs on this machine. Raises ModelError."""
    picked = Picked()
    loaded = await server.loaded()
    known = await server.models()
    names = [name_of(model) for model in loaded]
    rest = [model for model in known if not any(same_model(name_of(model), name) for name in names)]
    if wanted and not any(same_model(name_of(model), wanted) for model in (*loaded, *rest)):
        picked.skipped.append((wanted, "it is not there"))
    plain: str | None = None
    order = sorted((*loaded, *rest), key=lambda model: not (wanted and same_model(name_of(model), wanted)))
    for model in order[:MOST_LOOKED_AT]:
        name = name_of(model)
        reason, tools = await _look(server, model)
        if reason is None and (tools or (wanted and same_model(name, wanted))):
            picked.name, picked.tools, picked.why = name, tools, _why(name, wanted, loaded=name in names)
            return picked
        picked.skipped.append((name, reason or "it cannot call tools"))
        plain = plain or (name if reason is None else None)
    if plain is not None:
        picked.name, picked.tools = plain, False
        picked.why = f"No model there can call tools, so {plain} uses them through text"
        picked.skipped.remove((plain, "it cannot call tools"))
    return picked


def away(model: Mapping[str, Any], name: str) -> str | None:
    """The address where a model really runs, if that is not the Ollama that lists it."""
    host = words(model.get("remote_host"))
    if host:
        return host if "://" in host else f"https://{host}"
    return OLLAMA_CLOUD if words(model.get("remote_model")) or in_the_cloud(name) else None


def can_chat(show: Mapping[str, Any]) -> bool:
    """Whether ``/api/show`` tells of a model that answers; one that only embeds does not."""
    capabilities = items(show.get("capabilities"))
    if capabilities:
        return "completion" in capabilities
    return words(table(show.get("details")).get("family")) not in _EMBEDDING_FAMILIES


def can_call(show: Mapping[str, Any]) -> bool:
    """Whether ``/api/show`` tells of a model that calls tools; an Ollama before 0.6.4 only by its template."""
    capabilities = items(show.get("capabilities"))
    return "tools" in capabilities if capabilities else ".Tools" in words(show.get("template"))


async def _look(server: OllamaServer, model: Mapping[str, Any]) -> tuple[str | None, bool]:
    """Why a model cannot be taken, None if it can; and whether it can call tools."""
    name = name_of(model)
    if away(model, name):
        return "it runs elsewhere", False
    try:
        show = await server.show(name)
    except NoSuchModelError:
        return "it is gone", False
    if away(show, name):
        return "it runs elsewhere", False
    if not can_chat(show):
        return "it only embeds", False
    return None, can_call(show)


def _why(name: str, wanted: str | None, *, loaded: bool) -> str:
    if wanted and same_model(name, wanted):
        return f"{name} is the model in model.name"
    return f"{name} is loaded and can call tools" if loaded else f"{name} is the newest that can call tools"
