"""Where a finding of a model really stands: the quotation decides, the number helps. Pure.

Exact at the cited lines; else the one place in the cited file; else the one place in another file that the model has
read; else nowhere, with the lines that come nearest, so that the model can be told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from socreates_lsp.review.quotations import Spot, readings_of, spots_of, squeezed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from socreates_lsp.review.citations import Citation
    from socreates_lsp.workspace.text import Range, Text

NEAR = 20
"""Lines by which a number may be wrong and still choose among several places."""
_SHORTEST_ELSEWHERE = 6
"""Characters without white space that a quotation needs to be looked for away from its line, if it fills no line."""
_SHORTEST_REFILED = 8
"""Characters without white space that it needs to be looked for in another file."""
_LONGEST_LINE = 400
"""Characters; of a longer line, which is generated, only the quoted part is kept."""
_HIGHEST_BY_LINE = 6
"""Lines; of a longer range that is cited without a quotation, only the first line is kept."""

_INLINE = re.compile(r"(?<!`)(?P<ticks>`{1,2})(?!`)(?P<code>[^`\n]{1,400})(?P=ticks)(?!`)")
_PIECES = 8
"""Pieces of code in the words of a point that are looked for."""

_NEAREST = 3
_LEAST_ALIKE = 0.5
_WORD = re.compile(r"\w{3,}")
_WORDS = 8
_PLACES_A_WORD = 60
_COMPARED = 200


class How(StrEnum):
    """Which way a finding was grounded."""

    EXACT = "exact"
    MOVED = "moved"
    REFILED = "refiled"
    BY_LINE = "byLine"


CONFIDENCE = {How.EXACT: 0.8, How.MOVED: 0.75, How.REFILED: 0.65, How.BY_LINE: 0.5}
"""How sure the place is, between 0 and 1."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """Lines of a file (from 0, both included) and the quotation as it stands on them."""

    path: str
    start: int
    end: int
    how: How
    quote: str


@dataclass(frozen=True, slots=True)
class Ungrounded:
    """No place; the lines (from 0) of the cited file that come nearest, the likeliest first."""

    nearest: tuple[tuple[int, str], ...] = ()


def ground(
    quote: str | None, cited: Citation | None, read: Mapping[str, Text], text_of: Callable[[str], Text | None]
) -> Grounded | Ungrounded:
    """Ground what a model quoted and cited.

    ``cited`` may name lines that are not in its file. ``read`` are the files that the model has read, in that order;
    ``text_of`` gives the text of any path, None for what can't be read.
    """
    text = text_of(cited.path) if cited is not None else None
    if quote is None or not squeezed(quote):
        return _by_line(cited, text) if cited is not None and text is not None else Ungrounded()
    readings = readings_of(quote)
    if cited is not None and text is not None:
        found = _in_file(readings, cited, text)
        if found is not None and not (found.how is How.MOVED and _is_gone(quote, found)):
            return found
    found = _elsewhere(readings, {**read, cited.path: text} if cited is not None and text is not None else read)
    if found is not None and not _is_gone(quote, found):
        return found
    return Ungrounded(nearest_lines(readings[-1], text, cited.start) if cited is not None and text is not None else ())


def quotation_within(said: str, cited: Citation, text: Text) -> str | None:
    """A piece of code in the words of a point without a quotation, which is the whole of some other lines than those
    that it cites: these are meant. None if there is none, or if one of them stands on the cited lines.

    Args:
        said: the message, with pieces in backticks.
        cited: what the point cites.
        text: the cited file.
    """
    meant: str | None = None
    for found in islice(_INLINE.finditer(said), _PIECES):
        code = found["code"].strip()
        spots = spots_of(code, text)
        if any(spot.first <= cited.end and spot.last >= cited.start for spot in spots):
            return None
        long = len(squeezed(code)) >= _SHORTEST_ELSEWHERE
        if meant is None and long and _one([spot for spot in spots if spot.whole], cited) is not None:
            meant = code
    return meant


def _is_gone(quote: str, found: Grounded) -> bool:
    """Whether a quotation is of lines that a change took away: what is like them somewhere else was not meant."""
    lines = [line for line in quote.split("\n") if line.strip()]
    return all(line.startswith("-") for line in lines) and not found.quote.startswith("-")


def _by_line(cited: Citation, text: Text) -> Grounded | Ungrounded:
    start, end = cited.start, min(cited.end, len(text) - 1)
    while start <= end and not text.line(start).strip():
        start += 1
    while end > start and not text.line(end).strip():
        end -= 1
    if start > end:
        return Ungrounded()
    end = end if end - start < _HIGHEST_BY_LINE else start
    return Grounded(cited.path, start, end, How.BY_LINE, _as_it_stands(text, start, end)[:_LONGEST_LINE])


def _in_file(readings: Iterable[str], cited: Citation, text: Text) -> Grounded | None:
    moved: Grounded | None = None
    for reading in readings:
        spots = spots_of(reading, text)
        here = [spot for spot in spots if spot.first <= cited.end and spot.last >= cited.start]
        if here:
            best = min(here, key=lambda spot: (not spot.whole, abs(spot.first - cited.start)))
            return _grounded(cited.path, best, How.EXACT, text)
        if moved is None:
            spot = _one([spot for spot in spots if spot.whole or len(squeezed(reading)) >= _SHORTEST_ELSEWHERE], cited)
            moved = None if spot is None else _grounded(cited.path, spot, How.MOVED, text)
    return moved


def _one(spots: list[Spot], cited: Citation) -> Spot | None:
    """The only place, or the nearest one if the number is close to it; lines that hold nothing else go first."""
    spots = [spot for spot in spots if spot.whole] or spots
    if len(spots) <= 1:
        return spots[0] if spots else None
    nearest = min(spots, key=lambda spot: abs(spot.first - cited.start))
    return nearest if abs(nearest.first - cited.start) <= NEAR else None


def _elsewhere(readings: Iterable[str], read: Mapping[str, Text]) -> Grounded | None:
    """The one place in all files that were read; several in the cited one do not make a place in another."""
    for reading in readings:
        if len(squeezed(reading)) < _SHORTEST_REFILED:
            continue
        found = [(path, spot, text) for path, text in read.items() for spot in spots_of(reading, text)]
        found = [one for one in found if one[1].whole] or found
        if len(found) == 1:
            path, spot, text = found[0]
            return _grounded(path, spot, How.REFILED, text)
        if found:
            return None
    return None


def _grounded(path: str, spot: Spot, how: How, text: Text) -> Grounded:
    long = any(len(text.line(line)) > _LONGEST_LINE for line in range(spot.first, spot.last + 1))
    quote = text.slice(spot.span) if long else _as_it_stands(text, spot.first, spot.last)
    return Grounded(path, spot.first, spot.last, how, quote)


def _as_it_stands(text: Text, start: int, end: int) -> str:
    return text.slice(range_of(text, start, end))


def range_of(text: Text, start: int, end: int) -> Range:
    """From the first character that is no white space on ``start`` to the end of ``end`` (lines from 0), in code
    points."""
    return text.trimmed(start, end)


def nearest_lines(quote: str, text: Text, near: int) -> tuple[tuple[int, str], ...]:
    """At most three lines (from 0) that are most like the first line of a quotation, the likeliest first.

    What is compared is bounded: lines around ``near``, and some that share a word with the quotation.
    """
    wanted = next((squeezed(line) for line in quote.split("\n") if squeezed(line)), "")[:_COMPARED]
    scores: list[tuple[float, int, int]] = []
    matcher = SequenceMatcher(a="", b=wanted, autojunk=False)
    for line in _candidates(quote, text, near):
        matcher.set_seq1(squeezed(text.line(line)[: 2 * _COMPARED])[:_COMPARED])
        if matcher.real_quick_ratio() >= _LEAST_ALIKE and matcher.quick_ratio() >= _LEAST_ALIKE:
            scores.append((-matcher.ratio(), abs(line - near), line))
    best = [line for score, _, line in sorted(scores)[:_NEAREST] if -score >= _LEAST_ALIKE]
    return tuple((line, text.line(line).strip()[:_LONGEST_LINE]) for line in best)


def _candidates(quote: str, text: Text, near: int) -> set[int]:
    content = text.content
    lines = set(range(max(0, near - NEAR), min(len(text), near + NEAR + 1)))
    for word in sorted(set(_WORD.findall(quote[: 5 * _COMPARED])), key=len, reverse=True)[:_WORDS]:
        at = content.find(word)
        for _ in range(_PLACES_A_WORD):
            if at < 0:
                break
            lines.add(text.line_at(at))
            at = content.find(word, at + len(word))
    return {line for line in lines if text.line(line).strip()}
