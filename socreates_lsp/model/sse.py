"""Server-sent events, as the HTML standard has them (section 9.2): bytes in any pieces to the data of events. Pure."""

from __future__ import annotations

import re

MOST_BYTES = 32 * 1024 * 1024
"""A longer line or event is no answer of a model."""

_LINE_END = re.compile(rb"[\r\n]")


class EventReader:
    """Feed it bytes as they come; it gives the data of every event as soon as the event is whole.

    Lines end with ``\\n``, ``\\r\\n`` or ``\\r``. Comments and all fields but ``data`` are skipped. A last event
    without its blank line counts (some servers close right after it), which the standard would drop.
    Raises ValueError for a line or an event of more than ``MOST_BYTES``.
    """

    def __init__(self) -> None:
        """Begin before the first byte."""
        self._rest = bytearray()
        self._searched = 0
        self._data: list[bytes] = []
        self._bytes = 0
        self._first = True

    def feed(self, chunk: bytes) -> list[str]:
        """The data of the events that these bytes complete."""
        self._rest += chunk
        found = self._lines(final=False)
        if len(self._rest) + self._bytes > MOST_BYTES:
            raise ValueError("an event without an end")
        return found

    def end(self) -> list[str]:
        """The data of what is left after the last byte."""
        found = self._lines(final=True)
        if self._rest:
            self._line(bytes(self._rest), found)
            self._rest.clear()
        self._line(b"", found)
        return found

    def _lines(self, *, final: bool) -> list[str]:
        found: list[str] = []
        start = 0
        buffer = self._rest
        while True:
            end = self._line_end(max(start, self._searched))
            # A \r that is the last byte so far may be half of a \r\n.
            if end < 0 or (buffer[end] == 0x0D and end + 1 == len(buffer) and not final):
                break
            self._line(bytes(buffer[start:end]), found)
            start = end + (2 if buffer.startswith(b"\r\n", end) else 1)
            self._searched = start
        self._searched = (len(buffer) if end < 0 else end) - start
        del buffer[:start]
        return found

    def _line_end(self, start: int) -> int:
        # Not two calls of find: the one that finds nothing would look through all that is there, for every line.
        found = _LINE_END.search(self._rest, start)
        return -1 if found is None else found.start()

    def _line(self, line: bytes, found: list[str]) -> None:
        if self._first:
            line, self._first = line.removeprefix(b"\xef\xbb\xbf"), False
        if not line:
            if self._data:
                found.append(b"\n".join(self._data).decode("utf-8", "replace"))
                self._data, self._bytes = [], 0
            return
        field, _, value = line.partition(b":")
        if field == b"data":
            self._data.append(value.removeprefix(b" "))
            self._bytes += len(value)
