"""The line numbers that stand directly behind a path, in every usual spelling. Pure.

``path:42:7``, ``path#L42-L45``, ``path(42,7)``, ``path, line 42``, ``path (lines 42 to 45)``, ``path @@ -1,2 +3,4 @@``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.review.line_numbers import LINE_WORD, NUMBER_GAP, Lines, counts, list_at, range_at

if TYPE_CHECKING:
    from collections.abc import Callable

_CLOSERS = r"[`*_~\"'”’»›“>\])」』】]{0,5}(?:</[A-Za-z]{1,8}>){0,2}"
_SPACE = r"(?:[ \t]{0,4}(?:\r?\n[ \t]{0,8})?)"
_COLON = re.compile(rf"{_CLOSERS} ?[:：∶](?:[ \t]{{0,2}}(?=`|\*|L\d))?[\[({{]?(?=[`*]{{0,3}}(?:[Ll]|#L?|#)?\d|第)")
_ANCHOR = re.compile(rf"{_CLOSERS}(?:\?[\w=&]{{1,40}})?(?:#|@(?=L\d))(?P<word>[Ll](?:ines?)?|n)?[-=]?(?=\d)")
_PAREN = re.compile(rf"{_CLOSERS}(?P<gap>[ \t]?)[(（](?=[`*]{{0,3}}\d)")
_PLACE = re.compile(rf"{_CLOSERS}: ?\((?P<line>\d{{1,9}}), ?\d{{1,6}}\):")
_BRACKET = re.compile(rf"{_CLOSERS}[ \t]?\[(?=[`*]{{0,3}}\d)")
_WORD = re.compile(
    rf"{_CLOSERS}(?P<gap>{_SPACE}(?:[,;:：，、|(（\[{{]|[-–—](?![ \t]*\d)|->|→|=>|@)?{_SPACE}[(（\[`*_\"']{{0,4}})"
    r"(?P<words>(?:(?:at|on|in|near|around|about|from|between|see|approximately|approx\.|~|ab|auf|bei|à|la|las|aux?|en|sur|na|в|на"
    r"|の|的|의|the|l')[ \t]{0,2}){0,3})"
    rf"[`*_]{{0,3}}(?:(?P<word>{LINE_WORD}){NUMBER_GAP}|L)(?=\d)",
    re.IGNORECASE,
)
_EAST = re.compile(rf"{_CLOSERS}[ \t]{{0,2}}(?:の|的|의|中的?|内|、|，|,)?[ \t]{{0,2}}(?=第?[ \t]?\d)")
_HUNK = re.compile(
    rf"{_CLOSERS}\s{{1,4}}@@ -\d{{1,9}}(?:,\d{{1,9}})? \+(?P<start>\d{{1,9}})(?:,(?P<height>\d{{1,9}}))? @@"
)
_CELL = re.compile(r"[`*]{0,3}[ \t]{0,9}\|[ \t]{0,9}(?=[`*]{0,3}L?\d)")
_CELL_END = re.compile(r"[ \t]{0,9}(?:\||\r?\n|\Z)")
_SPACED = re.compile(rf"{_CLOSERS}[:：]?[ \t](?=\d)")
_SPACED_END = re.compile(r"[ ]{0,3}\t|[ \t]{0,3}(?:[,;:.)\]}?!|][ \t\r\n]|[)\]}|\n\r]|\Z)|[ \t]{1,3}[(\[]")
_TAGGED = re.compile(rf"{_CLOSERS}</[\w-]{{1,16}}>\s{{0,12}}<(?:start[_-]?)?(?:{LINE_WORD})>\s?(?=L?\d)", re.IGNORECASE)
_LINE_AND_COLUMN = re.compile(r"[\[(](?P<line>\d{1,9}),[ \t]?\d{1,6}[\])]")
_COMMA = re.compile(r",[ \t]?(?=\d)")
_CLOSE = re.compile(r"[ \t]?[)\]）}]")
_DIGIT = re.compile(r"\d")
_REACH = 100
"""Characters in which the first number has to come."""
_NAMELIKE = re.compile(r"[./\\A-Z]")


def lines_after(text: str, begin: int, end: int) -> list[Lines]:
    """The lines that are written behind the path from ``begin`` to ``end``; none if there are none."""
    if not _DIGIT.search(text, end, end + _REACH):
        return []
    for reader in _READERS:
        found = reader(text, begin, end)
        if found:
            return found
    return []


def _after_colon(text: str, _begin: int, end: int) -> list[Lines]:
    colon = _COLON.match(text, end)
    both = _LINE_AND_COLUMN.match(text, colon.end() - 1) if colon else None
    if both is not None:
        return [Lines(int(both["line"]), int(both["line"]), both.start("line"), both.end())]
    return list_at(text, colon.end(), plural=False) if colon else []


def _after_anchor(text: str, _begin: int, end: int) -> list[Lines]:
    anchor = _ANCHOR.match(text, end)
    found = list_at(text, anchor.end(), plural=False) if anchor else []
    if anchor and anchor["word"] is None and found and re.match(r"[-\w]", text[found[-1].finish :][:1]):
        return []
    return found


def _in_parentheses(text: str, _begin: int, end: int) -> list[Lines]:
    """A list in parentheses; two numbers directly behind the path are line and column, as compilers write them."""
    place = _PLACE.match(text, end)
    if place is not None:
        return [Lines(int(place["line"]), int(place["line"]), place.start("line"), place.end() - 1)]
    opening = _PAREN.match(text, end)
    found = list_at(text, opening.end(), plural=True) if opening else []
    if not opening or not found or not _CLOSE.match(text, found[-1].finish):
        return []
    return found[:1] if not opening["gap"] and len(found) == 2 and found[0].start == found[0].end else found


def _in_brackets(text: str, _begin: int, end: int) -> list[Lines]:
    """A range in brackets; one number in them is a note."""
    opening = _BRACKET.match(text, end)
    found = list_at(text, opening.end(), plural=True) if opening else []
    return found if found and found[0].start != found[0].end and _CLOSE.match(text, found[-1].finish) else []


def _after_word(text: str, begin: int, end: int) -> list[Lines]:
    word = _WORD.match(text, end)
    if word is None or ("\n" in word["gap"] and re.search(r"\n.*\n|[|@\-–—]|=>|→", word["gap"], re.DOTALL)):
        return []
    if word["word"] is None and text[word.end() - 1] != "L":
        return []
    if word["words"] and text[word.start() : word.start("words")].isspace() and not _NAMELIKE.search(text, begin, end):
        return []
    if not (word["gap"] or text[end : word.start("word")]):
        return []
    return list_at(text, word.end(), plural=(word["word"] or "").lower().endswith(("s", "en")))


def _before_word(text: str, _begin: int, end: int) -> list[Lines]:
    """Where the word for a line comes behind the number."""
    gap = _EAST.match(text, end)
    found = list_at(text, gap.end(), plural=False) if gap else []
    return found if found and found[0].suffix else []


def _after_hunk(text: str, _begin: int, end: int) -> list[Lines]:
    hunk = _HUNK.match(text, end)
    if hunk is None:
        return []
    start, height = int(hunk["start"]), int(hunk["height"] or 1)
    return [Lines(start, start + max(height, 1) - 1, hunk.start("start"), hunk.end())]


def _in_next_cell(text: str, _begin: int, end: int) -> list[Lines]:
    """A number alone in the next cell of a table, if it is a range or the table has a column for lines."""
    cell = _CELL.match(text, end)
    found = list_at(text, cell.end(), plural=True) if cell else []
    if not found or not _CELL_END.match(text, found[-1].finish):
        return []
    return found if found[0].start != found[0].end or _has_column_of_lines(text, end) else []


def _has_column_of_lines(text: str, place: int) -> bool:
    table = text[max(0, place - 4000) : place].rpartition("\n\n")[2]
    head = next((row for row in table.splitlines() if row.lstrip().startswith("|")), "")
    return re.search(rf"\|[ \t*]*(?:{LINE_WORD})\W", head, re.IGNORECASE) is not None


def _in_next_tag(text: str, _begin: int, end: int) -> list[Lines]:
    """``<path>x</path><line>42</line>``."""
    tag = _TAGGED.match(text, end)
    return list_at(text, tag.end(), plural=True) if tag else []


def _spaced(text: str, _begin: int, end: int) -> list[Lines]:
    """A range behind a colon and a space, or only a space, with nothing behind it that it could count."""
    gap = _SPACED.match(text, end)
    first = range_at(text, gap.end(), spaced=False) if gap else None
    if first is None or first.start >= first.end or not _SPACED_END.match(text, first.finish):
        return []
    return [first]


def _after_comma(text: str, begin: int, end: int) -> list[Lines]:
    """``(path, 42)``."""
    comma = _COMMA.match(text, end)
    found = list_at(text, comma.end(), plural=True) if comma and text[begin - 1 : begin] in ("(", "[", "（") else []
    return found if found and _CLOSE.match(text, found[-1].finish) and not counts(text, found[-1].finish) else []


_READERS: tuple[Callable[[str, int, int], list[Lines]], ...] = (
    _after_colon,
    _after_anchor,
    _in_parentheses,
    _in_brackets,
    _after_word,
    _before_word,
    _after_hunk,
    _in_next_cell,
    _in_next_tag,
    _spaced,
    _after_comma,
)
