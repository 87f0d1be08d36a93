"""A user's answer that cites code: its ground is the lines it names, and it holds for as long as these stand. Pure.

Lines above may come and go. A line that holds more than it did is another line: ``if free(x):`` is no ground for what
was said of ``if free(x) or forced:``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from socreates_lsp.review.anchor import places_of
from socreates_lsp.review.finding import normalised
from socreates_lsp.review.ledger import Spot, allotted
from socreates_lsp.workspace.text import split_lines

if TYPE_CHECKING:
    from socreates_lsp.review.anchor import Place
    from socreates_lsp.workspace.text import Text

_MOST_LINES = 60
"""Lines of a citation that are its ground, the first ones."""

_MOST_PLACES = 40
"""Equal lines of a file among which the cited ones are looked for."""

_LONGEST = 200
"""Characters of an answer that are put to the user again."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Lines that an answer cites: ``path`` of the file relative to its root, ``line`` from 0 where they begin,
    ``said`` the answer, and which of equal lines they are."""

    path: str
    quote: str
    line: int
    said: str
    spot: Spot = field(default=Spot())

    @classmethod
    def of(cls, path: str, text: Text, first: int, last: int, said: str) -> Anchor | None:
        """The ground of an answer in these lines (from 0, both included) of a text; None where they are blank."""
        last = min(last, first + _MOST_LINES - 1, text.last_line)
        while first <= last and not text.line(first).strip():
            first += 1
        while last >= first and not text.line(last).strip():
            last -= 1
        if first > last:
            return None
        quote = text.slice(text.trimmed(first, last))
        return cls(path, quote, first, said, Spot.of(quote, first, text))

    def place_in(self, text: Text) -> Place | None:
        """Where the lines stand in a text, with nothing else on them; None if they do not, or if it is not clear
        which of many equal ones they are."""
        places = [place for place in places_of(self.quote, text) if place.whole]
        if not 0 < len(places) <= _MOST_PLACES:
            return None
        return allotted([self], text)[0]

    def stands_on(self, line: int, text: Text) -> bool:
        """Whether the lines begin on this one (from 0), with nothing else on them. Cheap."""
        last = line + len(split_lines(self.quote)) - 1
        if not 0 <= line <= last < len(text):
            return False
        return normalised("".join(text.lines[line : last + 1])) == normalised(self.quote)


def asked_again(said: str) -> str:
    """The question that an answer without its ground comes to, on one line."""
    words = " ".join(said.split())
    if len(words) > _LONGEST:
        words = words[: _LONGEST - 1].rstrip() + "…"
    return f"You said: “{words}” Is it still so?"
