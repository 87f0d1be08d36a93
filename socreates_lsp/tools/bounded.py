"""Texts for a model that are never longer than they may be, cut at the end of a line, with the cut told. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_LINE = 1000
"""Characters of one line of a document that are shown at once."""


def fitting(lines: Sequence[str], most: int) -> int:
    """How many of the first lines fit into so many characters, a line end after each."""
    room = most
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return number
    return len(lines)


def clipped(text: str, limit: int) -> str:
    """A sentence within a limit."""
    if len(text) <= limit:
        return text
    return text[: limit - 1] + "…" if limit > 0 else ""


def window(line: str, column: int, most: int = LONGEST_LINE) -> tuple[int, int]:
    """The columns of a line to show, at most so many: all of it, or a part with some text before ``column``."""
    if len(line) <= most:
        return 0, len(line)
    start = max(0, min(column - most // 3, len(line) - most))
    return start, start + most


def part(start: int, end: int, line: str) -> str:
    """What is said before a line of which only a part is shown; empty for a whole one. Counts from 1."""
    whole = start == 0 and end == len(line)
    return "" if whole else f" (characters {start + 1:,} to {end:,} of {len(line):,})"
