"""Finding a quotation in a text although a model copied it loosely. Pure.

Forgiven are white space (also where there is none), kinds of quotation marks, and what came along with the line: its
number, a gutter, a mark of a diff, backticks, an ellipsis at an end. Words are never cut or joined.
"""

from __future__ import annotations

import html
import re
import weakref
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.workspace.text import Text

_MARKS = str.maketrans(dict.fromkeys("'’‘‛ʼ´“”„‟«»＂＇", '"') | dict.fromkeys("–—−‐‑", "-"))
_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff\u00ad]")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_GUTTER = re.compile(
    r"[ \t]*(?:→|>|\*)?[ \t]*(?:[Ll](?:ine)?[ \t]?)?\d{1,7}(?:[ \t]*[|:│┃.)>→-]|\t|[ \t])[ \t]*(?=\S|\Z)|\s*\Z"
)
_DIFF_MARK = re.compile(r"[+-](?![+-])|[ ]|\Z")
_ELLIPSIS = re.compile(r"\A\s*(?:\.{3,}|…|\[\.{3}\]|\[…\])\s*|\s*(?:\.{3,}|…|\[\.{3}\]|\[…\])[\s;,]*\Z")
_ELIDED = re.compile(r"\n[ \t#/*]*(?:\.{3,}|…|\[\.{3}\]|\[…\])[ \t*/]*\n")
_MOST = 2000
"""Places that are looked at for one quotation; in lines that have no end fewer."""
_LONG = 1000
"""Characters of a line that are as much work as a place."""
_SHORTEST_PART = 2
"""Characters without white space that are a quotation although there is more on the line."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a quotation stands: a range in code points, and whether its lines hold nothing else."""

    span: Range
    whole: bool

    @property
    def first(self) -> int:
        """The first line, from 0."""
        return self.span.start.line

    @property
    def last(self) -> int:
        """The last line, from 0, included."""
        return self.span.end.line


def squeezed(text: str) -> str:
    """What two texts have in common that differ in white space and marks only."""
    packed = "".join(text.split())
    if packed.isascii():
        return packed.replace("'", '"')
    return _INVISIBLE.sub("", packed).translate(_MARKS)


class _Squeezed:
    """A text without white space, and where each of its lines starts in it."""

    def __init__(self, text: Text) -> None:
        lines = [squeezed(line) for line in text.lines]
        self.content = "".join(lines)
        self.starts = list(accumulate(map(len, lines), initial=0))

    def line_at(self, place: int) -> int:
        return bisect_right(self.starts, place) - 1


_KNOWN: weakref.WeakKeyDictionary[Text, _Squeezed] = weakref.WeakKeyDictionary()


def _squeezed_text(text: Text) -> _Squeezed:
    known = _KNOWN.get(text)
    if known is None:
        known = _KNOWN[text] = _Squeezed(text)
    return known


def readings_of(quote: str) -> tuple[str, ...]:
    """What a quotation may mean, as copied first, each with something less that came along."""
    readings = [quote]
    lines = quote.split("\n")
    if all(_GUTTER.match(line) for line in lines):
        readings.append("\n".join(line[_end(_GUTTER, line) :] for line in lines))
    if all(_DIFF_MARK.match(line) for line in lines):
        # Of a change, what it took away stands nowhere.
        kept = [line for line in lines if not line.startswith("-")] or lines
        readings.append("\n".join(line[1:] for line in kept))
    readings += [one.strip().strip("`").strip() for one in tuple(readings)]
    readings += [html.unescape(one) for one in tuple(readings) if "&" in one]
    readings += [_ELLIPSIS.sub("", one) for one in tuple(readings)]
    readings += [_ELIDED.split(one, maxsplit=1)[0] for one in tuple(readings)]
    return tuple(dict.fromkeys(one for one in readings if squeezed(one)))


def _end(pattern: re.Pattern[str], line: str) -> int:
    found = pattern.match(line)
    return found.end() if found else 0


def spots_of(quote: str, text: Text) -> list[Spot]:
    """Every place where a reading of the quotation stands, in order; white space and marks forgiven."""
    return list(_spots(quote, text))


def _spots(quote: str, text: Text) -> Iterator[Spot]:
    wanted, packed = squeezed(quote), _squeezed_text(text)
    tokens = _TOKEN.findall(squeezed_words(quote))
    at = packed.content.find(wanted) if wanted else -1
    looked = 0
    while at >= 0 and looked < _MOST:
        looked += 1 + len(text.lines[packed.line_at(at)]) // _LONG
        spot = _spot(text, packed, at, len(wanted))
        if spot is not None and _TOKEN.findall(squeezed_words(text.slice(spot.span))) == tokens:
            yield spot
        at = packed.content.find(wanted, at + 1)


def squeezed_words(text: str) -> str:
    """The text with marks folded as ``squeezed`` does, its white space kept."""
    return _INVISIBLE.sub("", text).translate(_MARKS)


def _spot(text: Text, packed: _Squeezed, at: int, length: int) -> Spot | None:
    """The place of a match; None if it cuts a word, or is too short for a part of a line."""
    first, last = packed.line_at(at), packed.line_at(at + length - 1)
    whole = at == packed.starts[first] and at + length == packed.starts[last + 1]
    if whole:
        return Spot(text.trimmed(first, last), whole=True)
    if length < _SHORTEST_PART:
        return None
    start = _column(text.line(first), at - packed.starts[first])
    end = _column(text.line(last), at + length - 1 - packed.starts[last]) + 1
    if _cuts(text.line(first), start) or _cuts(text.line(last), end):
        return None
    return Spot(Range(Position(first, start), Position(last, end)), whole=False)


def _column(line: str, packed: int) -> int:
    """The column of the character that is number ``packed`` (from 0) of a line without its white space."""
    for column, character in enumerate(line):
        if not character.isspace() and not _INVISIBLE.match(character):
            if packed == 0:
                return column
            packed -= 1
    return len(line)


def _cuts(line: str, at: int) -> bool:
    return _is_word(line[at - 1 : at] if at else "") and _is_word(line[at : at + 1])


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
