"""Lines of one file, and places in it that hold what is claimed of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.survey.facts import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST_QUOTE = 300


class BrokenError(Exception):
    """A manifest that can't be read; the text says why, ``line`` (from 1) where, if that is known."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


class Lines:
    """The lines of one file."""

    def __init__(self, path: str, content: str) -> None:
        """``content`` with any line ends."""
        self.path = path
        self.content = content.removeprefix("\ufeff")
        self.lines = re.split(r"\r\n|\r|\n", self.content)

    def place(self, line: int, quote: str, last: int | None = None) -> Place:
        """A place on a line (from 1) where the quote stands; without a line where it does not."""
        quote = quote.strip()[:_LONGEST_QUOTE]
        if not 1 <= line <= len(self.lines) or bare(quote) not in bare(self.lines[line - 1]):
            return Place(self.path)
        return Place(self.path, line, last if last is not None and last > line else None, quote)

    def find(self, pattern: re.Pattern[str], span: Iterable[int], quote: str) -> Place | None:
        """The first of these lines (from 1) that a pattern is found in and that holds the quote."""
        for line in span:
            if 1 <= line <= len(self.lines) and pattern.search(self.lines[line - 1]):
                found = self.place(line, quote)
                if found.line is not None:
                    return found
        return None

    @property
    def all(self) -> range:
        """The numbers of all lines."""
        return range(1, len(self.lines) + 1)


def bare(text: str) -> str:
    """A text without white space."""
    return "".join(text.split())
