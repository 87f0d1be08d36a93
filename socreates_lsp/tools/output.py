"""What a command printed, as text that a model can read: no colours, no broken bytes, and not too much. Pure."""

from __future__ import annotations

import re

_ESCAPES = re.compile(
    r"""
    \x1b\][^\x07\x1b]{0,1000}(?:\x07|\x1b\\)?        # OSC, such as a title or a link
    | \x1b[PX^_][^\x1b]{0,1000}(?:\x1b\\)?           # DCS, SOS, PM, APC
    | (?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?       # CSI, such as a colour
    | \x1b[ -/]*[0-~]?                        # all others
    """,
    re.VERBOSE,
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_BACKSPACE = re.compile(r"[^\x08\n]\x08")
_MOST_BACKSPACES = 20
"""Characters in a row that are taken back; more than a spinner or an overstruck letter needs."""

_MARK = 60
"""Characters kept free for the mark of a cut."""


class Kept:
    """The first and the last bytes of an output, with what lies between counted."""

    def __init__(self, most: int) -> None:
        """Keep ``most`` bytes at each end."""
        self._most = most
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        room = self._most - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(room, 0) :]
        if len(self._tail) > 2 * self._most:
            self._dropped += len(self._tail) - self._most
            del self._tail[: -self._most]

    def text(self, limit: int) -> str:
        """The output in at most ``limit`` characters."""
        if self._dropped:
            return _joined(clean(bytes(self._head)), clean(bytes(self._tail)), self._dropped, limit)
        text = clean(bytes(self._head + self._tail))
        return text if len(text) <= limit else _joined(text, text, 0, limit)


def clean(data: bytes) -> str:
    """Bytes of a terminal as text: bad ones replaced, escape sequences gone, lines as they looked in the end."""
    text = _ESCAPES.sub("", data.decode("utf-8", "replace")).replace("\r\n", "\n")
    text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    for _ in range(_MOST_BACKSPACES if "\b" in text else 0):
        text = _BACKSPACE.sub("", text)
    return _CONTROLS.sub("", text).rstrip("\n")


def _joined(head: str, tail: str, dropped: int, limit: int) -> str:
    """A third of the room for the head, and two for the tail, where the outcome stands; whole lines if there are."""
    room = limit - _MARK
    if room < 2:
        return head[: max(limit, 0)]
    first, last = head[: room // 3], tail[-(room - room // 3) :]
    first = first[: first.rfind("\n") + 1] or f"{first}\n"
    start = last.find("\n") + 1
    last = last[start:] if 0 < start < len(last) // 2 else last
    if head is tail:
        what = f"{len(head) - len(first) - len(last):,} characters"
    else:
        what = f"about {dropped + len(head) - len(first) + len(tail) - len(last):,} characters"
    return f"{first}[{what} left out]\n{last}"
