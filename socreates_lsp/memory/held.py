"""The file of a transcript while a server holds its lock: found, made sound, read, and appended to."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from socreates_lsp.memory.encoding import MessageLine, OutcomeLine, encoded, now
from socreates_lsp.memory.files import AppendFile, opened
from socreates_lsp.memory.folders import prepare
from socreates_lsp.memory.locks import Lock
from socreates_lsp.memory.reading import contents
from socreates_lsp.memory.retention import archive, lock_file, remove_old_files, remove_old_turns, slot_file
from socreates_lsp.memory.turns import INTERRUPTED, Replay, replay, without_result

if TYPE_CHECKING:
    from pathlib import Path

    from socreates_lsp.memory.turns import Turn

MOST_SERVERS = 99
"""How many servers can keep a transcript of one root at once."""
WINDOW = 16 * 1024 * 1024
"""How much of a transcript is read, in bytes from its end: far more than the history of any model holds."""
_LONGEST_DAYS = 36_500


class Held:
    """A transcript's file whose lock is held. ``replay`` is what it said when it was taken."""

    def __init__(self, path: Path, lock: Lock) -> None:
        """Take the file and its lock. See ``hold``."""
        self.path = path
        self.file = AppendFile(path)
        self.replay = Replay()
        self.warnings: list[str] = []
        self._lock = lock

    def load(self, keep_days: int) -> None:
        """Remove what is too old, read the rest, end what a kill interrupted. Raises OSError."""
        limit = datetime.now(UTC) - timedelta(days=min(keep_days, _LONGEST_DAYS))
        remove_old_files(self.path.parent, limit, self.path)
        try:
            remove_old_turns(self.path, limit)
            self._read()
        except FileNotFoundError:
            return
        if self.replay.broken:
            self.warnings.append(f"{self.path.name}: turns that have lost lines are left out: {self.replay.broken}.")
        try:
            for turn in self.replay.open.values():
                self._interrupt(turn)
        except OSError as error:  # a full disk: what was said is known, and the next start tries again
            self.warnings.append(f"{self.path.name} cannot be written to ({reason(error)}).")

    def archive(self) -> str | None:
        """Rename the file after the time; its new name, None if there is none. Raises OSError.

        Turns that still run go on writing to the renamed file.
        """
        if not self.path.exists():
            return None
        self.file.close()  # an open file cannot be renamed on Windows
        path = archive(self.path)
        self.file.moved(path)
        self.file = AppendFile(self.path)
        return path.name

    def release(self) -> None:
        """Close the file and let go of the lock."""
        self.file.close()
        self._lock.release()

    def _read(self) -> None:
        """Read the file and cut a torn line off."""
        with os.fdopen(opened(self.path, os.O_RDWR), "r+b") as file:
            size = os.fstat(file.fileno()).st_size
            start = max(size - WINDOW, 0)
            file.seek(start)
            data = file.read()
            if start:  # the window begins within a line
                skipped = data.find(b"\n") + 1 or len(data)
                start, data = start + skipped, data[skipped:]
            found = contents(data, self.path.name, first=None if start else 1)
            file.seek(start + found.sound)
            file.truncate()
            if found.unended:
                file.write(b"\n")
        self.warnings += found.warnings
        self.replay = replay(found.lines)

    def _interrupt(self, turn: Turn) -> None:
        """End a turn that the end of its server interrupted."""
        for n, message in enumerate(without_result(turn.messages), len(turn.messages)):
            self.file.append(encoded(MessageLine(turn.id, now(), n, turn.kind, message)))
        self.file.append(encoded(OutcomeLine(turn.id, now(), INTERRUPTED)))


def hold(folder: Path, keep_days: int) -> Held:
    """The first transcript in a folder, which is made if need be, that no other server holds. Raises OSError."""
    prepare(folder)
    for slot in range(1, MOST_SERVERS + 1):
        path = slot_file(folder, slot)
        lock = Lock.take(lock_file(path))
        if lock is None:
            continue
        held = Held(path, lock)
        try:
            held.load(keep_days)
        except BaseException:
            held.release()
            raise
        return held
    raise OSError(f"{MOST_SERVERS} servers already keep a transcript there")


def reason(error: OSError) -> str:
    """Why something failed, in the system's words."""
    return error.strerror or str(error)
