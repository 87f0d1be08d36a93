"""What belongs to some lines of a text: the function or class around them, its head, the imports, its names. Pure.

Lines from 0; a stretch is its first and its last line, both included.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.bare_code import bare_code
from socreates_lsp.review.block import Block, Kind, chain
from socreates_lsp.review.import_lines import import_lines
from socreates_lsp.review.outline import outline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.workspace.text import Range, Text

_TALLEST = 200
"""Lines up to which a function or class comes whole."""
_AROUND = 60
"""Lines before and after that come of one that is taller, and where there is none."""
_MOST_MEMBERS = 60
_TALLEST_HEAD = 12
_MOST_IMPORTS = 80
_MOST_NAMES = 4
_CONSTRUCTORS = frozenset({"__init__", "constructor", "initialize", "__construct", "init", "__new__"})
_NAME = re.compile(r"[\w$]{2,}")

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Stretches, those that tell most first in each: functions, heads of what is around them, imports, signatures
    beside, and the class as a whole if it is not tall.

    ``names`` are those of the functions (or classes) that the lines are in, ``defined`` where these are defined.
    """

    bodies: tuple[Stretch, ...]
    heads: tuple[Stretch, ...] = ()
    imports: tuple[Stretch, ...] = ()
    members: tuple[Stretch, ...] = ()
    rest: tuple[Stretch, ...] = ()
    names: tuple[str, ...] = ()
    defined: tuple[Stretch, ...] = ()


def surroundings(text: Text, language: str | None, first: int, last: int) -> Surroundings:
    """What is around the lines ``first`` to ``last``. Never raises."""
    blocks = outline(text, language)
    around = chain(blocks, first, last)
    inner = _outermost([one for one in blocks if one.overlaps(first, last) and one not in around])
    wider = [one for one in around if one.kind is Kind.CLASS and one.height <= _TALLEST]
    body = _body(around) or (None if inner else next(iter(wider), None))
    if body is not None:
        bodies = [_bounded(body, first, last)]
    elif inner:
        bodies = [_bounded(one, first, last) for one in inner]
    else:
        bodies = [(max(first - _AROUND, 0), min(last + _AROUND, text.last_line))]
    heads = [one for one in around if body is None or one.begin < body.begin or one.height > _TALLEST]
    functions = [(one.begin, one.last) for one in blocks if one.kind is Kind.FUNCTION]
    code = bare_code(text.content, language)
    named = _named(around, inner)
    return Surroundings(
        tuple(bodies),
        tuple((max(one.begin, one.first - _TALLEST_HEAD), min(one.head, one.first + _TALLEST_HEAD)) for one in heads),
        tuple(_telling(import_lines(code, language, functions), text, first, last)),
        tuple(_members(blocks, heads)),
        tuple((one.begin, one.last) for one in reversed(wider)),
        tuple(dict.fromkeys(name for one in named if (name := _called(one, blocks))))[:_MOST_NAMES],
        tuple((one.begin, one.head) for one in named),
    )


def _body(around: Sequence[Block]) -> Block | None:
    """The widest function around that comes whole, else the narrowest; where there is none, the narrowest section."""
    functions = [one for one in around if one.kind is Kind.FUNCTION]
    if functions:
        return next((one for one in functions if one.height <= _TALLEST), functions[-1])
    return next((one for one in reversed(around) if one.kind is Kind.SECTION), None)


def _outermost(blocks: Sequence[Block]) -> list[Block]:
    """Those that are in no other of them; of a tall class what is in it."""
    found: list[Block] = []
    for one in blocks:
        if one.kind is Kind.CLASS and one.height > _TALLEST:
            continue
        if not found or one.begin > found[-1].last:
            found.append(one)
    return found


def _bounded(block: Block, first: int, last: int) -> Stretch:
    if block.height <= _TALLEST:
        return block.begin, block.last
    return max(block.begin, first - _AROUND), min(block.last, last + _AROUND)


def _named(around: Sequence[Block], inner: Sequence[Block]) -> list[Block]:
    """The blocks whose callers matter: the function around, and the outermost one of it; or those in the lines."""
    functions = [one for one in around if one.kind is Kind.FUNCTION]
    if functions:
        return list(dict.fromkeys((functions[-1], functions[0])))
    inside = [one for one in inner if one.kind is Kind.FUNCTION]
    if inside:
        return inside
    return [one for one in (*reversed(around), *inner) if one.kind is Kind.CLASS][:1]


def _called(block: Block, blocks: Sequence[Block]) -> str:
    """The name that callers write; empty for one that nobody writes."""
    if block.name in _CONSTRUCTORS:
        classes = [one for one in chain(blocks, block.first, block.first) if one.kind is Kind.CLASS]
        return classes[-1].name if classes and _NAME.fullmatch(classes[-1].name) else ""
    dunder = block.name.startswith("__") and block.name.endswith("__")
    return "" if dunder or not _NAME.fullmatch(block.name) else block.name


def _members(blocks: Sequence[Block], wider: Sequence[Block]) -> list[Stretch]:
    """The signatures in the narrowest class around."""
    owner = next((one for one in reversed(wider) if one.kind is Kind.CLASS), None)
    if owner is None:
        return []
    inside = [one for one in blocks if one is not owner and owner.first < one.first <= one.last <= owner.last]
    members = _outermost([one for one in inside if one.kind is Kind.FUNCTION])
    return [(one.first, min(one.head, one.first + 2)) for one in members[:_MOST_MEMBERS]]


def _telling(imports: Sequence[Stretch], text: Text, first: int, last: int) -> list[Stretch]:
    """The imports, those first whose names stand in the lines."""
    used = set(re.findall(r"\w{2,}", "\n".join(text.line(number) for number in range(first, last + 1))))

    def unused(stretch: Stretch) -> bool:
        words = re.findall(r"\w{2,}", "\n".join(text.line(number) for number in range(stretch[0], stretch[1] + 1)))
        return used.isdisjoint(words)

    return sorted(imports, key=lambda one: (unused(one), one))[:_MOST_IMPORTS]


def selected_lines(span: Range) -> Stretch:
    """The lines of a selection; one that ends at the start of a line does not touch that line."""
    first, last = span.start.line, span.end.line
    return first, last - 1 if last > first and span.end.column == 0 else last


def own_sites(text: Text, around: Surroundings) -> list[int]:
    """The lines of the text itself that name what is around, without those that define it."""
    if not around.names:
        return []
    names = "|".join(map(re.escape, around.names))
    whole = re.compile(rf"(?<![\w$])(?:{names})(?![\w$])")
    defined = {line for first, last in around.defined for line in range(first, last + 1)}
    if not whole.search(text.content):
        return []
    return [number for number, line in enumerate(text.lines) if number not in defined and whole.search(line)]
