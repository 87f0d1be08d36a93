"""One block of an answer taken apart: kind, category, places, quotation, message, why. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.review.citations import Citation, find_citations
from socreates_lsp.review.item_blocks import LABEL, Block, Opening
from socreates_lsp.review.item_head import first_prose
from socreates_lsp.review.item_quotes import quotation_of
from socreates_lsp.review.item_reading import Reading, joined
from socreates_lsp.review.item_rows import read_row
from socreates_lsp.review.labels import category_called

if TYPE_CHECKING:
    from socreates_lsp.review.file_index import FileIndex
    from socreates_lsp.review.finding import Category, Kind

_SETEXT = re.compile(r"[ \t]{0,3}(?:[-=_*][ \t]*){3,}")
_DEEPEST = 3
"""Characters of white space that are kept before a line that stands deeper than the others of its item."""
_GENERIC_TITLE = 2
"""Words of a heading that is the title of a section and says nothing."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a block says. ``places`` are its citations, in places of the answer; there may be none behind a tag."""

    kind: Kind | None
    category: Category | None
    message: str
    why: str
    quote: str | None
    places: tuple[Citation, ...]


def parts_of(block: Block, files: FileIndex, current: str | None) -> Parts | None:
    """What a block says; None if it cites nothing, so that it is prose.

    A tagged block, and one with a quotation, may cite a line that is not there, or no file: its quotation decides.
    """
    quoted, quote = quotation_of(block.lines)
    places = _places(block, quoted, files, current)
    if not places and (quote is not None or block.opening is Opening.TAG):
        places = _places(block, quoted, files, current, beyond=True)
    if not places and block.opening is not Opening.TAG:
        return None
    reading = Reading(quote=quote)
    if block.opening is Opening.ROW:
        read_row(block, places, reading)
    else:
        _read_lines(block, quoted, places, reading)
    return Parts(reading.kind, reading.category, joined(reading.message), joined(reading.why), reading.quote, places)


def _places(
    block: Block, quoted: frozenset[int], files: FileIndex, current: str | None, *, beyond: bool = False
) -> tuple[Citation, ...]:
    """The citations outside of the quotation."""
    # A table that has no head begins with a row like the others.
    head = f"{block.header}\n" if block.header and block.header != block.lines[0].text else ""
    starts: list[int] = []
    pieces: list[str] = []
    at = len(head)
    for number, line in enumerate(block.lines):
        pieces.append("" if number in quoted else line.text)
        starts.append(at)
        at += len(pieces[-1]) + 1

    def moved(place: int) -> int:
        number = max(bisect_right(starts, place) - 1, 0)
        return block.lines[number].begin + place - starts[number]

    return tuple(
        replace(one, begin=moved(one.begin), finish=moved(one.finish - 1) + 1)
        for one in find_citations(head + "\n".join(pieces), files, current, beyond=beyond)
        if one.begin >= len(head)
    )


def _read_lines(block: Block, quoted: frozenset[int], places: tuple[Citation, ...], reading: Reading) -> None:
    first = first_prose(block, places, reading)
    cites = any(place.begin <= block.lines[0].finish for place in places)
    if block.opening is not Opening.HEADING or cites or len(first.split()) > _GENERIC_TITLE:
        reading.say(first)
    margin = _margin(block, quoted)
    for at, line in enumerate(block.lines):
        if at in quoted or at == 0 or (not line.fenced and _SETEXT.fullmatch(line.text)):
            continue
        if line.fenced:
            reading.say(f"\n{line.text}")
        elif not line.text.strip():
            reading.say("\n\n")
        else:
            if block.lines[at - 1].fenced and at - 1 not in quoted:
                reading.say("\n")
            _read_line(line.text, margin, reading)


def _margin(block: Block, quoted: frozenset[int]) -> int:
    """Characters of white space that all lines below the first begin with."""
    lines = [line.text for at, line in enumerate(block.lines) if at and at not in quoted and not line.fenced]
    return min((len(text) - len(text.lstrip()) for text in lines if text.strip()), default=0)


def _read_line(text: str, margin: int, reading: Reading) -> None:
    label = LABEL.match(text)
    rest = text[label.end() if label else 0 :].strip()
    if label is None:
        # Deeper lines stay deeper, which tells code from prose, yet not so deep that they are a block of their own.
        reading.say(" " * min(len(text) - len(text.lstrip()) - margin, _DEEPEST) + rest)
    elif label["message"]:
        reading.say(rest)
    elif label["why"]:
        reading.in_why = True
        reading.say(rest)
    elif label["category"]:
        reading.category = reading.category or category_called(rest)
        reading.call(rest)
    elif label["kind"]:
        reading.call(rest)
    elif label["quote"]:
        reading.copy(rest)
