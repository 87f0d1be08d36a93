"""Drift: where an edit takes findings, and what becomes of them there. Pure.

The range of a finding is mapped through the edit. Its quotation is looked for on the lines of the mapped range only,
and in what the edit put there, never in the rest of the text: with a history of edits nothing has to be guessed.
Where there is none, the quotation is searched for (standing.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.anchor import place_on, places_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from socreates_lsp.review.path import Path
    from socreates_lsp.review.standing import Birth
    from socreates_lsp.workspace.text import Range, Text


@dataclass(frozen=True, slots=True)
class Moved:
    """A finding on its way through edits: its quotation's way, its birth, and whether it stood before them."""

    path: Path
    birth: Birth | None
    stood: bool

    @property
    def order(self) -> tuple[bool, Range, int]:
        """Who of several is the first to choose."""
        return (not self.stood, self.path.span, 0 if self.birth is None else self.birth.ordinal)


def stands_in(quote: str, moved: Sequence[Moved], text: Text, taken: Iterable[Range]) -> list[Range | None]:
    """The place of each of some findings with one quotation in the text after the edits; None for one that has none.

    ``taken`` are the places of those that no edit has touched.
    """
    home = [None if one.birth is None else one.birth.home_in(text) for one in moved]
    used = set(taken)
    found: list[Range | None] = [None if span is None or span in used else span for span in home]
    used.update(span for span in found if span is not None)
    order = sorted(range(len(moved)), key=lambda number: moved[number].order)
    for number in order:
        one = moved[number]
        if found[number] is None and not one.path.emptied:
            span = place_on(quote, text, one.path.span.start.line)
            if span is not None and span not in used:
                found[number] = span
                used.add(span)
    left = [number for number in order if found[number] is None]
    if left:
        _choose(quote, {number: moved[number] for number in left}, text, found, used)
    return found


def _choose(quote: str, left: Mapping[int, Moved], text: Text, found: list[Range | None], used: set[Range]) -> None:
    """Give what is on their own lines to those that are left: by their number where as many places are there as at
    birth, else in order to the nearest."""
    spans = list(dict.fromkeys(text.trimmed(place.first, place.last) for place in places_of(quote, text)))
    if not spans:
        return
    for by_number in (True, False):
        for number, one in left.items():
            if found[number] is not None:
                continue
            free = [span for span in _own(spans, one.path) if span not in used]
            if by_number:
                birth = one.birth
                numbered = birth is not None and birth.places == len(spans) and birth.ordinal < len(spans)
                free = [span for span in free if birth is not None and numbered and spans[birth.ordinal] == span]
            if free:
                near = one.path.span.start.line
                found[number] = min(free, key=lambda span: (abs(span.start.line - near), span))
                used.add(free[0] if by_number else found[number] or free[0])


def _own(spans: Iterable[Range], path: Path) -> Iterator[Range]:
    """The places that lie on the lines of a range; of what is left of an emptied one, only those in what was put in."""
    wide = path.wide
    for span in spans:
        if path.emptied or path.span.start == path.span.end:
            if wide.start <= span.end and span.start < wide.end and span.end <= wide.end:
                yield span
        elif span.overlaps_lines(wide):
            yield span


def is_gone(path: Path, text: Text) -> bool:
    """Whether nothing is left of the lines: the range is empty, or holds white space only."""
    return (path.emptied and path.span.start == path.span.end) or not text.slice(path.span).strip()
