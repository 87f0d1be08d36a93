"""The transcript of a root's conversation: every message as it happens on disk, whole turns in memory.

One line a message and one line for the outcome of a turn, each naming its turn, as several may run at once. What
cannot be kept on disk is kept in memory, and said in ``warnings``; nothing here raises because of a file.
To be used from one thread.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from socreates_lsp.memory.encoding import MessageLine, OutcomeLine, encoded, now
from socreates_lsp.memory.files import AppendFile, GoneError
from socreates_lsp.memory.folders import places
from socreates_lsp.memory.held import hold, reason
from socreates_lsp.memory.retention import purge as delete_sessions
from socreates_lsp.memory.turns import SUMMARY, enters, joined, resendable, without_result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from socreates_lsp.memory.encoding import Line
    from socreates_lsp.memory.held import Held
    from socreates_lsp.model.types import Message
    from socreates_lsp.settings.schema import SessionSettings


@dataclass(slots=True, eq=False)
class _Running:
    """A turn that runs. ``file``: where its lines go. ``stale``: begun before a reset. ``lost``: a line is missing."""

    kind: str
    messages: list[Message] = field(default_factory=list["Message"])
    file: AppendFile | None = None
    stale: bool = False
    lost: bool = False


class Transcript:
    """The conversation of one root. See ``open_transcript``."""

    def __init__(self, root: str | None, settings: SessionSettings, *, state: Path) -> None:
        """Read what is there; nothing is made before the first line is written."""
        self._folders, warning = places(root, state)
        self._keep_days = settings.keep_days
        self._stores = settings.store
        self._warnings: list[str] = []
        self._turns: list[tuple[Message, ...]] = []
        self._running: dict[str, _Running] = {}
        self._held: Held | None = None
        self._begun = False
        if not self._stores:
            return
        if warning:
            self._warn(warning)
        if self._folders[0].is_dir():
            self._held = self._hold()

    @property
    def turns(self) -> tuple[tuple[Message, ...], ...]:
        """The messages of the turns that ended well, in the order in which they ended, as they are to be resent.

        Every call has its result behind it, also where a damaged file had lost it.
        """
        return tuple(self._turns)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of: sentences, oldest first. May grow with any call."""
        return tuple(self._warnings)

    @property
    def path(self) -> Path | None:
        """The file that is written to; None where there is none (yet)."""
        return None if self._held is None else self._held.path

    def begin(self, kind: str) -> str:
        """Begin a turn of a kind (``ask``, ``review``), and give its id. Nothing is written yet."""
        turn = secrets.token_hex(8)
        self._running[turn] = _Running(kind)
        return turn

    def write(self, turn: str, message: Message) -> None:
        """Add a message to a turn and write it. A turn that is not running is passed over."""
        running = self._running.get(turn)
        if running is not None:
            self._write(turn, running, message)

    def end(self, turn: str, outcome: str) -> None:
        """End a turn; it joins ``turns`` if it is in ``ENDED_WELL``. Calls without result get one that says so.

        A turn that is not running is passed over, and of one without a message nothing is kept.
        """
        running = self._running.pop(turn, None)
        if running is None or not running.messages:
            return
        for result in without_result(running.messages):
            self._write(turn, running, result)
        self._store(running, OutcomeLine(turn, now(), outcome))
        if running.stale:
            if running.file is not None:
                running.file.close()
        elif enters(running.kind, outcome) and (whole := resendable(running.messages)) is not None:
            self._turns[:] = joined(self._turns, running.kind, whole)
            self._begun = True

    def summarised(self, summary: Sequence[Message], kept: int) -> None:
        """A summary stands for all turns from now on but the last ``kept``; after a restart, too."""
        turn = self.begin(f"{SUMMARY}{kept}")
        for message in summary:
            self.write(turn, message)
        self.end(turn, "answered")

    def reset(self, purge: bool) -> str | None:  # noqa: FBT001  (the command's own parameter)
        """Start a new conversation: rename the file after the time, or delete it and all archives.

        The new name of the file; None if there was none or it was deleted. Running turns end where they began:
        in the renamed file, or nowhere. A purge also takes what ``session.store`` off left alone, and what other
        servers left that no longer run; those that run keep theirs.
        """
        self._turns.clear()
        self._begun = True
        for running in self._running.values():
            running.stale = True
        try:
            if purge:
                self._purge()
                return None
            return None if self._held is None else self._held.archive()
        except OSError as error:
            done = "deleted" if purge else "archived"
            self._warn(f"The transcript could not be {done} ({reason(error)}): the next start finds it.")
            return None

    def close(self) -> None:
        """Let go of the file; what is said from now on is kept in memory only."""
        self._stores = False
        for running in self._running.values():
            if running.file is not None:
                running.file.close()
        if self._held is not None:
            self._held.release()
            self._held = None

    def _purge(self) -> None:
        for running in self._running.values():
            if running.file is not None:
                running.file.close()
                running.file = None
        own = None
        if self._held is not None:
            self._held.file.close()
            own = self._held.path
        for folder in self._folders:
            delete_sessions(folder, own)

    def _hold(self) -> Held | None:
        """Take a file in the first folder where there can be one; the turns in it are ours if we have none yet."""
        for folder in self._folders:
            try:
                held = hold(folder, self._keep_days)
            except OSError as error:
                self._warn(f"The transcript cannot be kept in {folder} ({reason(error)}).")
                continue
            self._warn(*held.warnings)
            if not self._begun:
                self._turns += held.replay.answered
                self._begun = True
            return held
        return None

    def _warn(self, *sentences: str) -> None:
        """Each sentence is said once."""
        self._warnings += [sentence for sentence in sentences if sentence not in self._warnings]

    def _write(self, turn: str, running: _Running, message: Message) -> None:
        n = len(running.messages)
        running.messages.append(message)
        self._store(running, MessageLine(turn, now(), n, running.kind, message))

    def _store(self, running: _Running, line: Line) -> None:
        """Write a line to the turn's file; after one that could not be written the turn's other lines are not."""
        if not self._stores or running.lost:
            return
        try:
            self._append(running, encoded(line))
        except OSError as error:
            running.lost = True
            if not running.stale:
                self._warn(f"The transcript cannot be written ({reason(error)}): the conversation goes on in memory.")

    def _append(self, running: _Running, line: bytes) -> None:
        """Append to the file in which the turn began, else to the one that is held. Raises OSError."""
        if running.stale:
            if running.file is None:
                running.lost = True
            else:
                running.file.append(line)
            return
        running.file = running.file or self._file()
        try:
            running.file.append(line)
        except GoneError:
            # Somebody cleaned the folder (git clean -dx): the lock went with it, so all is taken anew.
            gone = running.file
            if self._held is not None and self._held.file is gone:
                self._held.release()
                self._held = None
            for other in self._running.values():
                other.file = None if other.file is gone else other.file
            running.file = self._file()
            running.file.append(line)

    def _file(self) -> AppendFile:
        """The file that is held, taken if it is not yet. Raises OSError."""
        if self._held is None:
            self._held = self._hold()
        if self._held is None:
            raise OSError("there is no folder for it")
        return self._held.file


def open_transcript(root: str | None, settings: SessionSettings, *, state: Path) -> Transcript:
    """The transcript of the workspace at path ``root``, with all that it says so far. Never raises.

    ``state``: the user's state folder (``folders.state_folder``), used where the workspace has no place for it.
    With ``settings.store`` off nothing is read or written, and all else works in memory.
    """
    return Transcript(root, settings, state=state)
