"""An answer in Markdown cut into blocks as it comes: each is handed on whole, once nothing more can belong to it. Pure.

A reader sees each block once, set as a whole; nothing is drawn over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
_HEADING = re.compile(r"#{1,6}(?:\s|$)")

_REASON = re.compile(r"Why:")
"""Points are written on lines of their own: the place, the lines quoted, the question, and why."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of an answer. ``gap``: whether an empty line stands before it."""

    text: str
    gap: bool


class Blocks:
    """Takes pieces, gives blocks."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self._line = ""
        self._block: list[str] = []
        self._fence = ""
        self._after_empty = False
        self._gap = False
        self._any = False

    def feed(self, piece: str) -> list[Block]:
        """The blocks that are complete with this piece."""
        found: list[Block] = []
        *lines, self._line = (self._line + piece).split("\n")
        for line in lines:
            found += self._take(line.removesuffix("\r"))
        return found

    def end(self) -> list[Block]:
        """What is left. More may follow, which then begins a block of its own."""
        line, self._line = self._line, ""
        return [*(self._take(line) if line else []), *self._cut()]

    def _take(self, line: str) -> list[Block]:
        """Take a whole line; what is complete with it."""
        if self._fence:
            self._block.append(line)
            closes = line.strip()
            if closes.startswith(self._fence) and not closes.strip(self._fence[0]):
                self._fence = ""
                return [] if _ITEM.match(self._block[0]) else self._cut()
            return []
        if not line.strip():
            self._after_empty = True
            # More of an item may follow; of nothing else.
            return [] if self._block and _ITEM.match(self._block[0]) else self._cut()
        found = self._cut() if self._begins(line) else []
        heading = _HEADING.match(line) is not None
        if not self._block:
            self._gap = self._any and (self._after_empty or heading)
        elif self._after_empty:
            self._block.append("")
        self._after_empty = False
        self._block.append(line)
        if fence := _FENCE.match(line):
            self._fence = fence[1]
        return [*found, *(self._cut() if heading else [])]

    def _begins(self, line: str) -> bool:
        """Whether a line begins a block of its own."""
        if not self._block:
            return False
        if line[0] in " \t":
            # What is indented behind an empty line goes on with an item that stands above.
            return self._after_empty and not _ITEM.match(self._block[0])
        if line.startswith(">") is not self._block[-1].startswith(">"):
            return True
        return self._after_empty or any(mark.match(line) for mark in (_ITEM, _HEADING, _FENCE, _REASON))

    def _cut(self) -> list[Block]:
        """The block so far, if there is one."""
        if not self._block:
            return []
        text = "\n".join(self._block)
        self._block.clear()
        self._any = True
        return [Block(text, self._gap)]
