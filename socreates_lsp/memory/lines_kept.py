"""The lines that a user typed in a terminal, for the next time: a file of the user's own, one JSON string a line.

Nothing here raises because of a file: what cannot be kept is not. What looks like a secret is never kept.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

from socreates_lsp.memory.files import AppendFile, content_of, replace
from socreates_lsp.memory.folders import places, prepare
from socreates_lsp.memory.secrets import looks_secret

if TYPE_CHECKING:
    from pathlib import Path

_MOST_LINES = 1000
_MOST_BYTES = 4 * 1024 * 1024
_LONGEST = 20_000


class LinesKept:
    """The lines of one root. Reads and writes the disk."""

    def __init__(self, root: str | None, state: Path, *, name: str) -> None:
        """``name`` of the file, in the folder of the root below ``state``, the user's state folder."""
        self._path = places(root, state).folders[-1] / name
        self._file = AppendFile(self._path)

    def lines(self) -> list[str]:
        """What was kept, oldest first. A file that has grown too long is made shorter."""
        try:
            raw = content_of(self._path, _MOST_BYTES).split(b"\n")
        except OSError:
            return []
        kept = [line for line in map(_line, raw) if line is not None]
        if len(kept) > 2 * _MOST_LINES:
            with contextlib.suppress(OSError):
                replace(self._path, map(_written, kept[-_MOST_LINES:]))
        return kept[-_MOST_LINES:]

    def add(self, line: str) -> None:
        """Keep a line."""
        if not line.strip() or len(line) > _LONGEST or looks_secret(line):
            return
        with contextlib.suppress(OSError):
            prepare(self._path.parent)
            self._file.append(_written(line))

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def _written(line: str) -> bytes:
    return json.dumps(line).encode("ascii") + b"\n"


def _line(raw: bytes) -> str | None:
    """The line as it was typed; None for what is none, such as one that a kill tore."""
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, str) else None
