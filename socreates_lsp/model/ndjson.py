"""One JSON value a line: bytes in any pieces to lines. Pure."""

from __future__ import annotations

MOST_BYTES = 32 * 1024 * 1024
"""A longer line is no answer of a model."""


class LineReader:
    """Feed it bytes as they come; it gives every line that is not blank as soon as it is whole.

    Lines end with ``\\n``; within JSON there can be none. Raises ValueError for a line of more than ``MOST_BYTES``.
    """

    def __init__(self) -> None:
        """Begin before the first byte."""
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that these bytes complete."""
        begun = len(self._rest)
        self._rest += chunk
        end = self._rest.rfind(b"\n", begun)
        if end < 0:
            if len(self._rest) > MOST_BYTES:
                raise ValueError("a line without an end")
            return []
        whole = bytes(self._rest[:end])
        del self._rest[: end + 1]
        return _texts(whole)

    def end(self) -> list[str]:
        """What is left after the last byte: a last line needs no end."""
        rest = bytes(self._rest)
        self._rest.clear()
        return _texts(rest)


def _texts(lines: bytes) -> list[str]:
    return [text for line in lines.split(b"\n") if (text := line.decode("utf-8", "replace").strip("\ufeff \t\r"))]
