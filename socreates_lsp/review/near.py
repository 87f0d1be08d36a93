"""The places related to a finding, as texts change: one that holds something else by now would point at other code.

Such a place is lost, and kept aside; it is back when its own text is. What an answer of the user's names stays, as it
is told that it changed (``Finding.asked_again``). Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.review.anchor import places_of
from socreates_lsp.review.finding import normalised
from socreates_lsp.review.path import Path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from socreates_lsp.review.finding import Finding, Related
    from socreates_lsp.workspace.text import Range, Shift, Text

Lost = tuple[int, "Related"]
"""A place that is lost, and its number (from 0) among all places of its finding."""


@dataclass(frozen=True, slots=True)
class Near:
    """All places of a finding, in their order, each with whether it is lost."""

    places: tuple[tuple[Related, bool], ...]
    keeps: bool
    """Whether none may be lost."""

    @classmethod
    def of(cls, finding: Finding, lost: Sequence[Lost]) -> Near:
        """Those that are shown, and those that are lost."""
        places = [(one, False) for one in finding.related]
        for number, one in lost:
            places.insert(number, (one, True))
        return cls(tuple(places), bool(finding.asked_again))

    @property
    def shown(self) -> tuple[Related, ...]:
        """Those that are not lost."""
        return tuple(one for one, is_lost in self.places if not is_lost)

    @property
    def lost(self) -> tuple[Lost, ...]:
        """Those that are, with their numbers."""
        return tuple((number, one) for number, (one, is_lost) in enumerate(self.places) if is_lost)

    def edited(self, uri: str, shifts: Sequence[Shift], before: Text, after: Text) -> Near:
        """The places after edits to a document, which lead from one text to the other."""

        def follow(place: tuple[Related, bool]) -> tuple[Related, bool]:
            one, is_lost = place
            path = Path.of(one.range, shifts)
            if not path.touched:
                return (one if path.span == one.range else replace(one, range=path.span)), is_lost
            quote = one.quote or before.slice(one.range)
            span = _stands(quote, path.span, after) or _within(quote, path.wide, after)
            return replace(one, range=span or path.span, quote=quote), span is None and not self.keeps

        return self._each(uri, follow)

    def looked(self, uri: str, text: Text | None) -> Near:
        """The places where a document holds this text by whatever way (None: it is gone)."""

        def look(place: tuple[Related, bool]) -> tuple[Related, bool]:
            one, is_lost = place
            if text is None:
                return one, not self.keeps
            if not one.quote:
                return replace(one, quote=text.slice(_clamped(one.range, text))), is_lost
            span = _stands(one.quote, _clamped(one.range, text), text) or _alone(one.quote, text)
            return (one if span in {None, one.range} else replace(one, range=span or one.range)), (
                span is None and not self.keeps
            )

        return self._each(uri, look)

    def _each(self, uri: str, change: Callable[[tuple[Related, bool]], tuple[Related, bool]]) -> Near:
        places = tuple(change(place) if place[0].uri == uri else place for place in self.places)
        return replace(self, places=places)


def _stands(quote: str, span: Range, text: Text) -> Range | None:
    """This range, if it holds a quotation and nothing else, white space aside."""
    return span if normalised(text.slice(span)) == normalised(quote) else None


def _within(quote: str, wide: Range, text: Text) -> Range | None:
    """The lines of a range where a quotation stands, if there are such."""
    places = (text.trimmed(place.first, place.last) for place in places_of(quote, text) if place.first in wide.lines)
    return next(places, None)


def _alone(quote: str, text: Text) -> Range | None:
    """The only lines of a text where a quotation stands."""
    places = places_of(quote, text)
    return text.trimmed(places[0].first, places[0].last) if len(places) == 1 else None


def _clamped(span: Range, text: Text) -> Range:
    return replace(span, start=min(span.start, text.end), end=min(span.end, text.end))
