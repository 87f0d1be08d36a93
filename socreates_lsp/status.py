"""What ``socreates/status`` and ``doctor`` tell: who reviews and why, what is set and where from, what was found."""

from __future__ import annotations

import asyncio
import platform
from dataclasses import asdict, is_dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from socreates_lsp import __version__
from socreates_lsp.errors import SocreatesError
from socreates_lsp.settings import Provider, config_folder
from socreates_lsp.settings.keys import all_keys

if TYPE_CHECKING:
    from socreates_lsp.app import App
    from socreates_lsp.settings import Settings

_PACKAGES = ("pygls", "lsprotocol", "ast-grep-py", "httpx")
_GROUNDING = ("exact", "moved", "refiled", "byLine", "ungrounded")


async def status_of(app: App) -> dict[str, Any]:
    """The status as one JSON object."""
    resolved = app.resolved
    tools = await asyncio.to_thread(app.tools)
    return {
        "version": __version__,
        "python": platform.python_version(),
        "packages": {name: version(name) for name in _PACKAGES},
        **await _reviewer(app),
        "settings": {
            name: {"value": _value(resolved.settings, name), "source": source}
            for name, source in sorted(resolved.origins.items())
        },
        "config": str(config_folder() / "config.toml"),
        "problems": [problem.message for problem in resolved.problems],
        "roots": list(app.workspace.roots),
        "tools": tools,
        "findings": {
            status: sum(finding.status.value == status for finding in app.store)
            for status in sorted({finding.status.value for finding in app.store})
        },
        "dismissals": await app.dismissals.told(),
        "memory": [await app.memory.status(root) for root in app.workspace.roots],
        "plugins": (await app.plugins.under(app.settings.plugins.enabled, app.workspace.roots)).told(),
        **await _usage(app),
    }


async def _reviewer(app: App) -> dict[str, Any]:
    """Who would review now and why, and which models were passed over."""
    if app.settings.model.provider is Provider.EXAMINER:
        why = "The embedded examiner asks: chosen by model.provider. It needs no account and no network."
        return {"reviewer": {"provider": "examiner", "model": None, "why": why}, "endpoint": None, "skipped": []}
    try:
        choice = await (await app.agents()).look(app.resolved)
    except SocreatesError as error:
        reviewer = {"provider": app.settings.model.provider.value, "model": app.settings.model.name, "why": str(error)}
        return {"reviewer": reviewer, "endpoint": None, "skipped": []}
    model = choice.model
    provider = "examiner" if model is None else model.provider
    return {
        "reviewer": {"provider": provider, "model": None if model is None else model.name, "why": choice.why},
        "endpoint": None if model is None else model.endpoint,
        "skipped": [{"model": name, "reason": reason} for name, reason in choice.skipped],
    }


async def _usage(app: App) -> dict[str, Any]:
    """What this session took of models, and what the conversation came to."""
    usage = app.usage
    told: dict[str, Any] = {
        "usage": {
            "inputTokens": usage.input_tokens,
            "cachedTokens": usage.cached_tokens,
            "outputTokens": usage.output_tokens,
            "costUsd": usage.cost_usd,
        }
    }
    if app.settings.model.provider is not Provider.EXAMINER:
        agents = await app.agents()
        told["grounding"] = {how: agents.grounding[how] for how in _GROUNDING}
        told["session"] = await agents.conversations.told(app.workspace.root_of(None), app.settings.session)
    return told


def _value(settings: Settings, name: str) -> Any:
    """The value of a setting as JSON has it."""
    key = all_keys()[name]
    section = getattr(settings, key.section) if key.section else settings
    return _plain(getattr(section, key.attribute))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]  # pyright: ignore[reportUnknownVariableType]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
