"""One block of an answer taken apart: kind, category, place, quotation, message, why. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.review.citations import Citation, find_citations
from socreates_lsp.review.item_blocks import (
    FENCE,
    HEADING,
    LABEL,
    MARKER,
    SEPARATOR_ROW,
    WORD_TAG,
    Block,
    Line,
    Opening,
    tag_of,
)
from socreates_lsp.review.labels import WHY, category_called, kind_called

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.review.file_index import FileIndex
    from socreates_lsp.review.finding import Category, Kind

_INLINE_WHY = re.compile(
    rf"(?<=[.?!:;…。？！）)*_`\"]) ?[*_]{{0,3}}(?:{WHY})[*_]{{0,3}}[:：][*_]{{0,3}}[ \t]*", re.IGNORECASE
)
_BETWEEN_CITATIONS = re.compile(r"[\s`*_,;&)\](\[]*(?:and|und|et|y|и|和)?[\s`*_,;&)\](\[]*")
_OPENERS = "*_`[(<\"'“«（ \t"
_CLOSERS = re.compile(r"[*_`\])>\"'”»）]{0,6}(?:\((?:[^()\s]|\([^()\s]*\)){1,500}\))?[*_`\])>\"'”»）]{0,6}")
_SEPARATOR = re.compile(r"[ \t]*(?:[:：|–—-]+(?=\s|\Z|[*_`])|[,;](?=\s))[ \t]*")
_CATEGORY_WORDS = re.compile(
    r"[ \t]*(?:Category[ \t]*[:=][ \t]*)?(?P<open>[*_`(\[{]{0,4})"
    r"(?P<name>[A-Za-z][A-Za-z/&_-]*(?:[ \t][A-Za-z]+){0,2}?)"
    r"(?P<close>[*_`)\]}]{0,4})"
    r"(?P<end>[ \t]*\Z|[ \t]*[:：|]|[ \t]+[–—-]+(?=\s)|[ \t]*[.,;](?=\s|\Z)|(?=[ \t]+[A-Z`\"“]))",
)
_WHOLE_CODE = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(?P<ticks>`+)(?P<code>[^`].*?)(?P=ticks)[ \t]*[.,;:]?[ \t]*")
_QUOTED = re.compile(r"[ \t]{0,12}>[ \t]?")
_SETEXT = re.compile(r"[ \t]{0,3}(?:[-=_*][ \t]*){3,}")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a block says. ``places`` are its citations, in places of the answer."""

    kind: Kind | None
    category: Category | None
    message: str
    why: str
    quote: str | None
    places: tuple[Citation, ...]


@dataclass
class _Reading:
    """A block while it is read."""

    kind: Kind | None = None
    category: Category | None = None
    quote: str | None = None
    in_why: bool = False

    def __post_init__(self) -> None:
        self.message: list[str] = []
        self.why: list[str] = []

    def say(self, text: str) -> None:
        """Take a piece of prose to the part that is being read."""
        (self.why if self.in_why else self.message).append(text)


def parts_of(block: Block, files: FileIndex, current: str | None) -> Parts | None:
    """What a block says; None if it cites nothing, so that it is prose."""
    quoted, quote = _quotation(block.lines)
    places = _places(block, quoted, files, current)
    if not places:
        return None
    reading = _Reading(quote=quote)
    if block.opening is Opening.ROW:
        _read_row(block, places, reading)
    else:
        _read_lines(block, quoted, places, reading)
    return Parts(reading.kind, reading.category, _joined(reading.message), _joined(reading.why), reading.quote, places)


def _places(block: Block, quoted: frozenset[int], files: FileIndex, current: str | None) -> tuple[Citation, ...]:
    """The citations outside of the quotation."""
    text = "\n".join("" if at in quoted else line.text for at, line in enumerate(block.lines))
    head = f"{block.header}\n" if block.header else ""
    starts: list[tuple[int, int]] = []
    at = len(head)
    for number, line in enumerate(block.lines):
        starts.append((at, line.begin))
        at += (0 if number in quoted else len(line.text)) + 1
    found = find_citations(head + text, files, current)
    return tuple(
        replace(one, begin=_moved(one.begin, starts), finish=_moved(one.finish - 1, starts) + 1)
        for one in found
        if one.begin >= len(head)
    )


def _moved(place: int, starts: Sequence[tuple[int, int]]) -> int:
    start, begin = next((pair for pair in reversed(starts) if pair[0] <= place), starts[0])
    return begin + place - start


def _quotation(lines: Sequence[Line]) -> tuple[frozenset[int], str | None]:
    """Which lines are the quotation, and what it says: the first ``>`` lines, or code before any prose."""
    first = next((at for at, line in enumerate(lines) if at and not line.fenced and _QUOTED.match(line.text)), None)
    code = _code_below(lines)
    if code and (first is None or code[0] < first):
        return frozenset(range(code[0], code[1])), _code_of(lines[code[0] : code[1]])
    if first is None:
        return frozenset(), None
    last = first
    while last < len(lines) and _QUOTED.match(lines[last].text):
        last += 1
    kept = [_QUOTED.sub("", line.text, count=1) for line in lines[first:last]]
    return frozenset(range(first, last)), _unwrapped(kept)


def _code_below(lines: Sequence[Line]) -> tuple[int, int] | None:
    """A fenced block or a line of code directly below the first line, blank lines and a label forgiven."""
    at = 1
    while at < len(lines) and (not lines[at].text.strip() or _is_label_of_quote(lines[at].text)):
        label = LABEL.match(lines[at].text)
        if label and _WHOLE_CODE.fullmatch(lines[at].text[label.end() :]):
            return at, at + 1
        at += 1
    if at >= len(lines):
        return None
    if lines[at].fenced:
        end = at + 1
        while end < len(lines) and not (lines[end].fenced and _closes(lines[end].text, lines[at].text)):
            end += 1
        return at, min(end + 1, len(lines))
    return (at, at + 1) if _WHOLE_CODE.fullmatch(lines[at].text) else None


def _closes(text: str, opening: str) -> bool:
    mark, opened = FENCE.match(text), FENCE.match(opening)
    return bool(mark and opened and mark["mark"].startswith(opened["mark"]) and not text[mark.end() :].strip())


def _is_label_of_quote(text: str) -> bool:
    label = LABEL.match(text)
    return label is not None and label["quote"] is not None


def _code_of(lines: Sequence[Line]) -> str | None:
    if lines[0].fenced:
        inner = [line.text for line in lines[1:]]
        return _unwrapped(inner[:-1] if inner and _closes(inner[-1], lines[0].text) else inner)
    label = LABEL.match(lines[0].text)
    code = _WHOLE_CODE.fullmatch(lines[0].text[label.end() if label else 0 :])
    return _unwrapped([code["code"]]) if code else None


def _unwrapped(lines: Iterable[str]) -> str | None:
    """The lines without blank ones around them, without the backticks or the fence that wraps them; None if empty."""
    kept = [line.rstrip() for line in lines]
    while kept and (not kept[0].strip() or FENCE.match(kept[0])):
        del kept[0]
    while kept and (not kept[-1].strip() or FENCE.match(kept[-1])):
        del kept[-1]
    code = _WHOLE_CODE.fullmatch(kept[0]) if len(kept) == 1 else None
    return (code["code"].strip() if code else "\n".join(kept)) if kept else None


def _read_lines(block: Block, quoted: frozenset[int], places: tuple[Citation, ...], reading: _Reading) -> None:
    for at, line in enumerate(block.lines):
        if at in quoted or (at and not line.fenced and _SETEXT.fullmatch(line.text)):
            continue
        if at == 0:
            reading.say(_first(block, line, places, reading))
        elif line.fenced:
            reading.say(f"\n{line.text}\n")
        elif not line.text.strip():
            reading.say("\n\n")
        else:
            _read_line(line.text, reading)


def _read_line(text: str, reading: _Reading) -> None:
    label = LABEL.match(text)
    if label is None:
        _say(text.strip(), reading)
        return
    rest = text[label.end() :].strip()
    if label["why"]:
        reading.in_why = True
        reading.say(rest)
    elif label["message"]:
        _say(rest, reading)
    elif label["category"]:
        reading.category = reading.category or category_called(rest)
        reading.kind = reading.kind or kind_called(rest)
    elif label["kind"]:
        reading.kind = reading.kind or kind_called(rest)
    elif label["quote"]:
        code = _WHOLE_CODE.fullmatch(rest)
        reading.quote = reading.quote or (code["code"] if code else rest or None)


def _say(text: str, reading: _Reading) -> None:
    """Take a line of prose, which may come to its why in the middle."""
    why = None if reading.in_why else _INLINE_WHY.search(text)
    if why is None:
        reading.say(text)
        return
    reading.say(text[: why.start()])
    reading.in_why = True
    reading.say(text[why.end() :])


def _first(block: Block, line: Line, places: tuple[Citation, ...], reading: _Reading) -> str:
    """The prose of the first line, without marker, tag, place and category."""
    text = line.text
    at = next((found.end() for found in (HEADING.match(text), MARKER.match(text)) if found), 0)
    label = LABEL.match(text, at) if block.opening is not Opening.TAG else None
    at = label.end() if label and (label["place"] or label["message"]) else at
    at = _tag(text, at, reading)
    inside = [place for place in places if place.finish <= line.finish]
    head, kept = _head(text, at, line.begin, inside)
    if head == at:
        rest = _without_tail(text, at, line.begin, inside) if block.opening is Opening.HEADING else text[at:]
    else:
        rest = _rest(text, head, reading, tagged=block.opening is Opening.TAG)
        rest = text[kept:] if rest is None else rest
    before, reading_rest = _Reading(), rest.strip().strip("*_").strip() if _is_wrapped(rest) else rest.strip()
    _say(reading_rest, before)
    if before.in_why:
        reading.message += before.message
        reading.in_why = True
        return _joined(before.why)
    return reading_rest


def _is_wrapped(rest: str) -> bool:
    """Whether what is left begins or ends with emphasis that has lost its other half."""
    rest = rest.strip()
    return any(rest.count(mark) % 2 for mark in ("**", "__")) and (
        rest.startswith(("**", "__")) or rest.endswith(("**", "__"))
    )


def _tag(text: str, at: int, reading: _Reading) -> int:
    """Read tags in brackets, or a kind with a colon; gives the place behind them."""
    found = tag_of(text, at)
    while found is not None:
        for word in (found["tag"], *re.split(r"[/,:|;·–—]|[ \t]-[ \t]", found["tag"])):
            reading.kind = reading.kind or kind_called(word)
            reading.category = reading.category or (None if kind_called(word) else category_called(word))
        at = found.end()
        found = tag_of(text, at)
    word_tag = WORD_TAG.match(text, at) if reading.kind is None else None
    if word_tag and kind_called(word_tag["tag"]):
        reading.kind = kind_called(word_tag["tag"])
        return word_tag.end()
    return at


def _head(text: str, at: int, begin: int, places: Sequence[Citation]) -> tuple[int, int]:
    """Where the citations end that stand at the head of a line, and where they start; ``at`` if there are none."""
    start = at
    while at < len(text) and text[at] in _OPENERS:
        at += 1
    place = next((one for one in places if one.begin - begin == at), None)
    if place is None:
        return start, start
    kept, end = at, at
    for one in places:
        if one.begin - begin >= end and (end == at or _BETWEEN_CITATIONS.fullmatch(text, end, one.begin - begin)):
            end = one.finish - begin
    closers = _CLOSERS.match(text, end)
    return (closers.end() if closers else end), kept


def _rest(text: str, at: int, reading: _Reading, *, tagged: bool) -> str | None:
    """The prose behind the citations of the head; None if these are a part of its sentence."""
    separator = _SEPARATOR.match(text, at)
    category = _category(text, separator.end() if separator else at, tagged=tagged, reading=reading)
    if category is not None:
        after = _SEPARATOR.match(text, category)
        return text[after.end() if after else category :].lstrip(" :：|.,;-–—")
    if separator is not None or tagged or not text[at:].strip():
        return text[separator.end() if separator else at :]
    following = text[at:].lstrip()
    joined = following[:1].islower() or text[at : at + 1] in ("'", "’") or not text[at : at + 1].isspace()
    return None if joined else following


def _category(text: str, at: int, *, tagged: bool, reading: _Reading) -> int | None:
    """Read a category at this place; gives the place behind it, None if there is none."""
    found = _CATEGORY_WORDS.match(text, at)
    if found is None:
        return None
    category, open_sentence = category_called(found["name"]), not found["end"] and not found["open"]
    exact = category is not None and found["name"].lower().replace("_", "-") == category.value
    if open_sentence and not (tagged and exact):
        return None
    if category is None:
        unknown = tagged and not found["end"].strip() and not text[found.end() :].strip() and " " not in found["name"]
        return found.end() if unknown else None
    reading.category = reading.category or category
    return found.end()


def _without_tail(text: str, at: int, begin: int, places: Sequence[Citation]) -> str:
    """A title without the place in parentheses at its end."""
    for place in places:
        opening = text[at : place.begin - begin].rstrip("`*_ ")
        if opening.endswith(("(", "[", "—", "–", ":", "-")) and not text[place.finish - begin :].strip(" `*_)].:"):
            return opening.rstrip("([—–:- ")
    return text[at:]


def _read_row(block: Block, places: tuple[Citation, ...], reading: _Reading) -> None:
    """A row: cells with a known name or meaning are parts, what is left is the message."""
    line = block.lines[0]
    names = [] if SEPARATOR_ROW.fullmatch(block.header) else _cells(block.header)
    for at, (cell, begin) in enumerate(_cells_at(line)):
        name = names[at] if at < len(names) and block.header != line.text else ""
        _read_cell(cell, LABEL.match(f"{name}:"), _is_place(cell, begin, places), reading)
    for more in block.lines[1:]:
        _read_line(more.text, reading)


def _read_cell(cell: str, label: re.Match[str] | None, is_place: bool, reading: _Reading) -> None:  # noqa: FBT001
    code = _WHOLE_CODE.fullmatch(cell)
    if is_place or not cell or cell.isdecimal() or (label and label["place"]):
        return
    if label and label["why"]:
        reading.why.append(cell)
    elif label and label["quote"]:
        reading.quote = reading.quote or (code["code"] if code else cell)
    elif kind_called(cell):
        reading.kind = reading.kind or kind_called(cell)
    elif category_called(cell):
        reading.category = reading.category or category_called(cell)
    elif code and " " in code["code"].strip():
        reading.quote = reading.quote or code["code"].strip()
    elif not (label and (label["kind"] or label["category"])):
        reading.message.append(cell)


def _is_place(cell: str, begin: int, places: tuple[Citation, ...]) -> bool:
    """Whether a cell holds a citation and little else."""
    return any(
        begin <= place.begin < begin + len(cell)
        and not cell[: place.begin - begin].strip(_OPENERS)
        and not cell[max(place.finish - begin, 0) :].strip(" *_`)]>\"'")
        for place in places
    )


def _cells(row: str) -> list[str]:
    return [cell.strip(" \t*_`") for cell in row.strip().strip("|").split("|")]


def _cells_at(line: Line) -> list[tuple[str, int]]:
    cells: list[tuple[str, int]] = []
    at = line.begin
    for cell in line.text.split("|"):
        stripped = cell.strip()
        cells.append((stripped, at + (cell.index(stripped) if stripped else 0)))
        at += len(cell) + 1
    return cells[1:]


def _joined(pieces: Sequence[str]) -> str:
    """Pieces of prose as one text: lines of a paragraph joined, paragraphs and fenced lines apart."""
    text = ""
    for piece in pieces:
        if piece.startswith("\n") or not text or text.endswith("\n"):
            text += piece
        elif piece:
            text += f" {piece}"
    text = re.sub(r"\n{3,}", "\n\n", text)
    return text.strip()
