"""The open buffers: what the editor shows at this moment, which is what a review reads."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.workspace.text import Change, Encoding, Shift

log = logging.getLogger(__name__)

_REMEMBERED = 500
"""How many changes of a buffer are kept for a review that began before them."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """One version of an open document. ``spelling`` is the URI as the client writes it.

    ``shifts`` are the last changes, each with the version that it led to, ``first`` is the version before them.
    ``in_step`` False: an edit could not be read, so that the text is no longer what the editor shows. ``serial`` is
    another one each time that a document is opened, with which its versions begin anew.
    """

    spelling: str
    language_id: str
    version: int
    text: Text
    shifts: tuple[tuple[int, Shift], ...] = ()
    in_step: bool = True
    first: int = 0
    serial: int = 0

    def shifts_since(self, version: int) -> list[Shift] | None:
        """What was changed after this version; None if that is not known any more."""
        if version < self.first:
            return None
        return [shift for later, shift in self.shifts if later > version]


class Buffers:
    """The open buffers by canonical URI."""

    def __init__(self) -> None:
        """Start with none."""
        self._open: dict[str, Buffer] = {}
        self._serials = count(1)

    def open(self, uri: str, language_id: str, version: int, content: str) -> None:
        """Open a document, or take its new text if the client opens it twice."""
        buffer = Buffer(uri, language_id, version, Text(content), first=version, serial=next(self._serials))
        self._open[uris.canonical(uri)] = buffer

    def change(self, uri: str, version: int, changes: Sequence[Change], encoding: Encoding) -> Sequence[Shift] | None:
        """Apply edits, and tell what they did to the lines.

        None, and nothing done, for a document that is not open, a version that goes back, or a document that is
        out of step, which only a new text as a whole brings back.
        """
        key = uris.canonical(uri)
        buffer = self._open.get(key)
        if buffer is None:
            log.warning("An edit to %s was left out: it was never opened.", uri)
            return None
        if version < buffer.version:
            log.warning("An edit to %s was left out: version %d after %d.", uri, version, buffer.version)
            return None
        if not buffer.in_step:
            whole = next((at for at, change in enumerate(changes) if change.range is None), None)
            if whole is None:
                log.warning("An edit to %s was left out: its text is out of step with the editor.", uri)
                return None
            changes = changes[whole:]
        text, shifts = buffer.text.edited_with_shifts(changes, encoding)
        remembered = (*buffer.shifts, *((version, shift) for shift in shifts))
        forgotten = remembered[:-_REMEMBERED]
        self._open[key] = replace(
            buffer,
            version=version,
            text=text,
            shifts=remembered[-_REMEMBERED:],
            in_step=True,
            first=max(buffer.first, forgotten[-1][0]) if forgotten else buffer.first,
        )
        return shifts

    def lose_step(self, uri: str) -> None:
        """An edit to a document could not be read: what is kept is no longer what the editor shows."""
        key = uris.canonical(uri)
        if key in self._open:
            self._open[key] = replace(self._open[key], in_step=False)

    def close(self, uri: str) -> bool:
        """Close a document. False if it was not open."""
        return self._open.pop(uris.canonical(uri), None) is not None

    def get(self, uri: str) -> Buffer | None:
        """The buffer of a canonical URI, if open."""
        return self._open.get(uri)

    def __iter__(self) -> Iterator[tuple[str, Buffer]]:
        """All open buffers with their canonical URIs."""
        return iter(tuple(self._open.items()))
