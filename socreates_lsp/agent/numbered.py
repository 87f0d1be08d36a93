"""Lines of one text with their numbers, as many as fit, in the order of the text. Pure."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from socreates_lsp.tools.bounded import LONGEST_LINE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from socreates_lsp.workspace.text import Text

GAP = "  ..."


def len_of(text: Text) -> int:
    """How many lines a text has for people: a line break at the end starts no line."""
    return text.last_line + 1 if text.content else 0


def cut(line: str) -> str:
    """A line as far as it is shown."""
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} [… cut]"


def numbered(text: Text, number: int) -> str:
    """A line (from 0) with its number for people in front, as ``read_file`` shows it."""
    return f"{number + 1:>5}\t{cut(text.line(number))}"


class NumberedLines:
    """Lines that were chosen of a text. ``size`` is how many characters they take at most, line ends included."""

    def __init__(self, text: Text, room: int) -> None:
        """Start with none; at most ``room`` characters."""
        self.text = text
        self.room = room
        self.size = 0
        self._chosen: set[int] = set()

    def __contains__(self, number: int) -> bool:
        """Whether a line is among them."""
        return number in self._chosen

    def add(self, numbers: Iterable[int]) -> bool:
        """Take lines in this order until one does not fit; whether all did."""
        for number in numbers:
            if number in self._chosen or not 0 <= number <= self.text.last_line:
                continue
            gaps = 1 - (number - 1 in self._chosen) - (number + 1 in self._chosen)
            size = len(numbered(self.text, number)) + 1 + gaps * (len(GAP) + 1)
            if self.size + size > self.room:
                return False
            self.size += size
            self._chosen.add(number)
        return True

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The stretches of lines (first and last, from 0) in order."""
        runs = groupby(enumerate(sorted(self._chosen)), key=lambda pair: pair[1] - pair[0])
        stretches = [[number for _, number in run] for _, run in runs]
        return [(run[0], run[-1]) for run in stretches]

    def __str__(self) -> str:
        """The lines, with a mark where some are left out between two."""
        shown = ("\n".join(numbered(self.text, number) for number in range(a, b + 1)) for a, b in self.spans)
        return f"\n{GAP}\n".join(shown)
