"""What a conversation in a terminal needs of the services: what is resumed, who answers, what holds for this session.

A setting that the user changes in the conversation is a flag of the user's, laid on those of the command line; it holds
as far as one does, and no longer than the process.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import SettingsError, SocreatesError
from socreates_lsp.memory.folders import state_folder
from socreates_lsp.memory.lines_kept import LinesKept
from socreates_lsp.settings import Provider

if TYPE_CHECKING:
    from socreates_lsp.app import App

_FILE = "chat-lines.jsonl"


@dataclass(frozen=True, slots=True)
class Resumed:
    """The conversation that goes on: its turns, when the last one was (local time), and what went wrong with it."""

    turns: int
    at: datetime | None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers, and why. ``model`` None: nobody but the examiner."""

    provider: str
    model: str | None
    endpoint: str | None
    why: str
    skipped: tuple[tuple[str, str], ...] = ()


async def resumed(app: App, root: str) -> Resumed:
    """What there is of the conversation of a root. Reads the disk, and opens the conversation."""
    told = await (await app.agents()).conversations.told(root, app.settings.session)
    at = None if not told["turns"] or told["file"] is None else await asyncio.to_thread(_changed, Path(told["file"]))
    return Resumed(told["turns"], at, tuple(told["warnings"]))


def _changed(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime).astimezone()
    except (OSError, ValueError, OverflowError):
        return None


async def answering(app: App) -> Answering:
    """Who would answer now. The user is asked nothing; a model that cannot be had is told of in ``why``."""
    settings = app.settings.model
    if settings.provider is Provider.EXAMINER:
        return Answering("examiner", None, None, "The settings choose the examiner.")
    try:
        choice = await (await app.agents()).look(app.resolved)
    except SocreatesError as error:
        return Answering(settings.provider.value, None, None, str(error))
    if choice.model is None:
        return Answering("examiner", None, None, choice.why, choice.skipped)
    return Answering(choice.model.provider, choice.model.name, choice.model.endpoint, choice.why, choice.skipped)


def lines_kept(app: App, root: str) -> LinesKept | None:
    """Where the lines that the user types are kept; None where ``session.store`` is off."""
    return LinesKept(root, state_folder().path, name=_FILE) if app.settings.session.store else None


def switch(app: App, name: str, *, on: bool) -> str:
    """Turn a setting on or off for this session; where the value comes from that holds then."""
    return app.lay({name: "true" if on else "false"}).origins[name]


async def choose_model(app: App, wanted: str) -> Answering:
    """Have another model answer in this session: one of the same server by its name, or a provider by its own.

    Raises SettingsError where it cannot be had; all is then as it was.
    """
    before = app.laid
    providers = {one.value for one in Provider}
    changes: dict[str, str | None] = {"model.name": wanted}
    if wanted in providers:
        changes = {"model.provider": wanted, "model.name": None}
    app.lay(changes)
    taken = False
    try:
        refused = [one.message for one in app.resolved.problems if one.key in changes]
        found = await answering(app)
        taken = not refused and (found.model is not None or wanted in _WITHOUT_A_MODEL)
    finally:
        if not taken:
            app.lay({**dict.fromkeys(changes), **before})
    if not taken:
        raise SettingsError(refused[0] if refused else found.why)
    return found


_WITHOUT_A_MODEL = {Provider.EXAMINER.value, Provider.AUTO.value}
