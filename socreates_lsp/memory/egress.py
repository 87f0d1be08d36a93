"""A record of what left this machine: requests to models and answers about commands, never the text itself.

One JSON line each in ``.socreates/egress.jsonl``, to which all servers of a workspace append. It is the user's own
record and is never shortened here; a reset or a purge of the conversation leaves it alone.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from socreates_lsp.memory.encoding import as_line, now
from socreates_lsp.memory.files import AppendFile, GoneError, opened
from socreates_lsp.memory.folders import places, prepare
from socreates_lsp.memory.held import reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from socreates_lsp.settings.schema import SessionSettings

FILE = "egress.jsonl"


class Egress:
    """The record of one root. With ``session.store`` off nothing is written: the user wants no traces on disk.

    Nothing here raises because of a file: what cannot be written is said once in ``warnings``.
    """

    def __init__(self, root: str | None, settings: SessionSettings, *, state: Path) -> None:
        """``root`` is the workspace's path, ``state`` the user's state folder. Nothing is made yet."""
        self._folders = places(root, state).folders
        self._stores = settings.store
        self._file: AppendFile | None = None
        self._warning: str | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """At most one sentence: why the record has gaps."""
        return () if self._warning is None else (self._warning,)

    @property
    def path(self) -> Path | None:
        """The file that is written to; None before the first line."""
        return None if self._file is None else self._file.path

    def sent(self, endpoint: str, model: str, files: Sequence[tuple[str, int, int]], tokens: int | None) -> None:
        """A request went to a model.

        ``files``: what it newly holds of files: a path for people, the first and the last line, from 1.
        ``tokens``: of the whole prompt, None if unknown. Only scheme, host, port and path of ``endpoint`` are kept.
        """
        ranges = [{"path": path, "start": start, "end": end} for path, start, end in files]
        fields = {"event": "request", "endpoint": _without_secrets(endpoint), "model": model}
        self._append({"at": now(), **fields, "files": ranges, "tokens": tokens})

    def command(self, command: str, answer: str) -> None:
        """The user was asked about a command, and answered."""
        self._append({"at": now(), "event": "command", "command": command, "answer": answer})

    def close(self) -> None:
        """Close the file; a later line opens it again."""
        if self._file is not None:
            self._file.close()

    def _append(self, fields: Mapping[str, object]) -> None:
        if not self._stores:
            return
        line = as_line(fields)
        try:
            try:
                self._opened().append(line)
            except GoneError:  # somebody cleaned the folder
                self._file = None
                self._opened().append(line)
        except OSError as error:
            self._warning = f"The record of what is sent to models cannot be written ({reason(error)})."

    def _opened(self) -> AppendFile:
        """The file, in the first folder that can be used, ready for a whole line. Raises OSError."""
        failure = OSError("there is no folder for it")
        if self._file is not None:
            return self._file
        for folder in self._folders:
            file = AppendFile(folder / FILE)
            try:
                prepare(folder)
                if _torn(file.path):
                    file.append(b"\n")
            except OSError as error:
                failure = error
            else:
                self._file = file
                return file
        raise failure


def _torn(path: Path) -> bool:
    """Whether the last line lacks its line feed, as a kill may leave it. Makes the file. Raises OSError."""
    with os.fdopen(opened(path, os.O_RDWR | os.O_CREAT), "rb") as file:
        if not file.seek(0, os.SEEK_END):
            return False
        file.seek(-1, os.SEEK_END)
        return file.read() != b"\n"


def _without_secrets(endpoint: str) -> str:
    """An address without user, password, query and fragment, any of which may be a key."""
    try:
        parts = urlsplit(endpoint)
    except ValueError:
        return "?"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.netloc else "?"
