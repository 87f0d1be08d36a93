"""What stands around a place of a quotation, kept so that equal lines can be told apart later. Pure.

The lines themselves are not kept, only a few hex digits of a hash of each: what is written down may be shared, and a
line beside the one that was asked about is nobody's business.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.finding import normalised

if TYPE_CHECKING:
    from collections.abc import Iterable

    from socreates_lsp.workspace.text import Text

_LINES = 3
"""How many lines that say something are looked at on each side."""

_FAR = 12
"""How far they may be, in lines."""

_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The lines before and after a place, nearest first, each as a hash; brackets alone on a line don't count."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: Text, first: int, last: int) -> Surroundings:
        """What stands around these lines of a text (from 0, both included)."""
        return cls(
            _hashes(text, range(first - 1, max(first - 1 - _FAR, -1), -1)),
            _hashes(text, range(last + 1, min(last + 1 + _FAR, len(text)))),
        )

    def likeness(self, other: Surroundings) -> float:
        """How much of this is found there too, from 0 to 1; nothing is like nothing."""
        size = len(self.before) + len(self.after)
        common = Counter(self.before) & Counter(other.before), Counter(self.after) & Counter(other.after)
        return sum(one.total() for one in common) / size if size else 0.0


def _hashes(text: Text, numbers: Iterable[int]) -> tuple[str, ...]:
    found: list[str] = []
    for number in numbers:
        line = normalised(text.line(number))
        if any(map(str.isalnum, line)):
            found.append(hashlib.sha256(line.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS])
            if len(found) == _LINES:
                break
    return tuple(found)
