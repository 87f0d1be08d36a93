"""Where findings with one quotation stand in a text, decided together: a place belongs to one finding. Pure.

Several lines of a file may look the same, with a question on each of them. Looked at one by one, two such questions
would end up on one line as soon as the other line is deleted, and would never part again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.anchor import place_on, places_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.workspace.text import Range, Text


@dataclass(frozen=True, slots=True)
class Birth:
    """How a finding came to the store: as which of the places of its quotation (from 0), and of how many.

    ``home`` is where it stood (None if it did not), in a text of so many lines with this hash.
    """

    ordinal: int
    places: int
    home: Range | None
    lines: int
    content: int

    @classmethod
    def of(cls, quote: str, span: Range, text: Text, *, stands: bool) -> Birth:
        """The birth of a finding that was placed in this text. One that does not stand had a place of its own."""
        spans = _spans(quote, text)
        ordinal = sum(one.start.line < span.start.line for one in spans)
        home = span if stands else None
        return cls(ordinal, max(len(spans), 1) if stands else len(spans) + 1, home, len(text), hash(text.content))

    def home_in(self, text: Text) -> Range | None:
        """Where it stood, if this is the text in which it did: after an undo nothing has to be guessed."""
        return self.home if self.lines == len(text) and self.content == hash(text.content) else None


@dataclass(frozen=True, slots=True)
class Claim:
    """What a finding has to say for itself: the line (from 0) to which edits carried it, whether it stood at the
    last look, and whether an edit replaced the place itself since then (``cut``)."""

    line: int
    stands: bool
    cut: bool
    birth: Birth | None

    @property
    def ordinal(self) -> int:
        """Its number among equal quotations."""
        return 0 if self.birth is None else self.birth.ordinal


def settled(quote: str, claims: Sequence[Claim], text: Text) -> list[Range | None]:
    """The place of each claim in this text, no two alike; None for one that has none.

    The first to choose are those whose text this is, then those that no edit has touched. The rest take what is
    free, though not the places that were there at their birth and belong to lines that nobody asked about.
    """
    found: list[Range | None] = [None if one.birth is None else one.birth.home_in(text) for one in claims]
    taken = {span for span in found if span is not None}
    for number in sorted(range(len(claims)), key=lambda at: (not claims[at].stands, claims[at].ordinal)):
        claim = claims[number]
        if found[number] is None and not claim.cut:
            span = place_on(quote, text, claim.line)
            if span is not None and span not in taken:
                found[number] = span
                taken.add(span)
    left = [number for number, span in enumerate(found) if span is None]
    if left:
        _spread(quote, claims, text, found, left)
    return found


def _spread(quote: str, claims: Sequence[Claim], text: Text, found: list[Range | None], left: list[int]) -> None:
    """Give free places to the claims that are left: by their number where as many places are there as at birth,
    else to the nearest, in the order of the lines."""
    spans = _spans(quote, text)
    taken = {span for span in found if span is not None}
    known = max((claim.birth.places for claim in claims if claim.birth is not None), default=len(spans))
    others = max(known - len(claims), 0)
    room = len(spans) - len(taken) - others
    order = list(spans)
    for number in sorted(left, key=lambda at: claims[at].ordinal):
        birth = claims[number].birth
        if room > 0 and birth is not None and birth.places == len(spans) and birth.ordinal < len(spans):
            span = order[birth.ordinal]
            if span not in taken:
                found[number] = span
                taken.add(span)
                room -= 1
    pairs = sorted(
        (not whole, abs(span.start.line - claims[number].line), claims[number].ordinal, number, span)
        for number in left
        if found[number] is None
        for span, whole in spans.items()
        if span not in taken
    )
    chosen: dict[int, Range] = {}
    for _, _, _, number, span in pairs:
        if len(chosen) < room and number not in chosen and span not in chosen.values():
            chosen[number] = span
    in_order = sorted(chosen, key=lambda at: (claims[at].line, claims[at].ordinal))
    for number, span in zip(in_order, sorted(chosen.values()), strict=True):
        found[number] = span


def _spans(quote: str, text: Text) -> dict[Range, bool]:
    """The places of a quotation as ranges, in order; each with whether it holds nothing else."""
    spans: dict[Range, bool] = {}
    for place in places_of(quote, text):
        span = text.trimmed(place.first, place.last)
        spans[span] = place.whole or spans.get(span, False)
    return spans
