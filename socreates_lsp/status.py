"""What ``socreates/status`` and ``doctor`` tell: who reviews and why, what is set and where from, what was found."""

from __future__ import annotations

import platform
from dataclasses import asdict, is_dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from socreates_lsp import __version__
from socreates_lsp.settings.keys import all_keys

if TYPE_CHECKING:
    from socreates_lsp.app import App
    from socreates_lsp.settings import Settings

_PACKAGES = ("pygls", "lsprotocol", "ast-grep-py")


def status_of(app: App) -> dict[str, Any]:
    """The status as one JSON object."""
    resolved = app.resolved
    reviewer = app.reviewer()
    return {
        "version": __version__,
        "python": platform.python_version(),
        "packages": {name: version(name) for name in _PACKAGES},
        "reviewer": {"provider": reviewer.provider, "model": reviewer.model, "why": _why(app)},
        "endpoint": None,
        "settings": {
            name: {"value": _value(resolved.settings, name), "source": source}
            for name, source in sorted(resolved.origins.items())
        },
        "problems": [problem.message for problem in resolved.problems],
        "roots": list(app.workspace.roots),
        "tools": app.tools(),
        "findings": {
            status: sum(finding.status.value == status for finding in app.store)
            for status in sorted({finding.status.value for finding in app.store})
        },
        "usage": {"inputTokens": 0, "cachedTokens": 0, "outputTokens": 0, "costUsd": 0.0},
    }


def _value(settings: Settings, name: str) -> Any:
    """The value of a setting as JSON has it."""
    key = all_keys()[name]
    section = getattr(settings, key.section) if key.section else settings
    return _plain(getattr(section, key.attribute))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]  # pyright: ignore[reportUnknownVariableType]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def _why(app: App) -> str:
    provider = app.settings.model.provider
    if provider in {"auto", "examiner"}:
        chosen = "chosen by model.provider" if provider == "examiner" else "no model is set up"
        return f"The embedded examiner asks: {chosen}. It needs no account and no network."
    return f"The embedded examiner asks: this version has no support for model.provider {provider} yet."
