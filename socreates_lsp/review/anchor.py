"""Where a finding stands in the text that the editor shows now: its quotation decides, its line helps. Pure.

Findings with one quotation are placed together (standing.py); what is here looks at one.

A quotation that left its line moves the finding only to a place that was not there before. Where it was lost next
to a twin (the same lines once more), the finding is stale, and never becomes a question about the twin.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.review.finding import Finding, Status, normalised
from socreates_lsp.review.path import Path
from socreates_lsp.workspace.text import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.review.finding import Related
    from socreates_lsp.workspace.text import Range, Shift, Text


@dataclass(frozen=True, slots=True)
class Place:
    """Lines that hold a quotation; ``whole`` if they hold nothing else."""

    first: int
    last: int
    whole: bool


def places_of(quote: str, text: Text) -> list[Place]:
    """Every place of a quotation, in order. White space is forgiven, a part of a word is no place."""
    words = quote.split()
    content = text.content
    if not words or max(words, key=len) not in content:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    places: list[Place] = []
    match = pattern.search(content)
    while match is not None:
        if not _cuts_word(content, match.start()) and not _cuts_word(content, match.end()):
            places.append(_place(text, *match.span()))
        match = pattern.search(content, match.start() + 1)
    return places


def _place(text: Text, start: int, end: int) -> Place:
    first, last = text.line_at(start), text.line_at(end - 1)
    before = text.content[text.offset_of(first) : start]
    after = text.content[end : text.offset_of(last + 1)]
    return Place(first, last, whole=not before.strip() and not after.strip())


def _cuts_word(content: str, at: int) -> bool:
    return _is_word(content[at - 1 : at]) and _is_word(content[at : at + 1])


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def twins_of(finding: Finding, text: Text) -> int:
    """How many places of its quotation a finding has elsewhere than on its line."""
    return sum(place.first != finding.range.start.line for place in places_of(finding.quote, text))


def place_of(quote: str, text: Text, near: int, twins: int = 0) -> Range | None:
    """The range of the lines where a quotation stands; None if nowhere.

    First choice is the line ``near``; else the nearest place, one without anything else on its lines before
    others, provided that there are more places than the ``twins`` that are known to be others.
    """
    here = place_on(quote, text, near)
    if here is not None:
        return here
    places = places_of(quote, text)
    if len(places) <= twins:
        return None
    best = min(places, key=lambda place: (not place.whole, abs(place.first - near)))
    return text.trimmed(best.first, best.last)


def place_on(quote: str, text: Text, line: int) -> Range | None:
    """The range of the lines where a quotation stands that begins on this line (from 0); None if it does not."""
    if _stands_alone(quote, text, line):
        return text.trimmed(line, line + _height(quote) - 1)
    here = [place for place in places_of(quote, text) if place.first == line]
    if not here:
        return None
    best = min(here, key=lambda place: not place.whole)
    return text.trimmed(best.first, best.last)


def _height(quote: str) -> int:
    return len(split_lines(quote.strip()))


def _stands_alone(quote: str, text: Text, line: int) -> bool:
    """Whether the quotation fills the lines from this one on: the usual case, and a cheap one."""
    last = line + _height(quote) - 1
    if not 0 <= line <= last < len(text) or not text.line(line).strip() or not text.line(last).strip():
        return False
    return normalised("".join(text.lines[line : last + 1])) == normalised(quote)


def placed(finding: Finding, place: Range | None, text: Text) -> Finding:
    """The finding at this place of a text, open; or stale, where it stood last, if there is none.

    Only open and stale findings change their status.
    """
    if place is None:
        status = Status.STALE if finding.status is Status.OPEN else finding.status
        place = _clamped(finding.range, text)
    else:
        status = Status.OPEN if finding.status is Status.STALE else finding.status
    if place == finding.range and status is finding.status:
        return finding
    return replace(finding, range=place, status=status)


def _clamped(span: Range, text: Text) -> Range:
    first = min(span.start.line, text.last_line)
    return text.trimmed(first, min(max(span.end.line, first), text.last_line))


def carried(finding: Finding, uri: str, shifts: Iterable[Shift]) -> Finding:
    """The finding and its related places where edits to a document took them, before any look at the text."""
    shifts = tuple(shifts)
    related = carried_related(finding, uri, shifts)
    span = Path.of(finding.range, shifts).span if finding.uri == uri else finding.range
    if span == finding.range and related is finding.related:
        return finding
    return replace(finding, range=span, related=related)


def carried_related(finding: Finding, uri: str, shifts: Sequence[Shift]) -> tuple[Related, ...]:
    """The related places of a finding after edits to a document, before any look at the text (else near.py); the same
    tuple if none of them moved."""
    found = tuple(
        replace(one, range=Path.of(one.range, shifts).span) if one.uri == uri else one for one in finding.related
    )
    return finding.related if found == finding.related else found
