"""Lines of a file as a terminal shows them: tabs as spaces, long ones cut around a place. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from socreates_lsp.cli.printable import pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_TAB = 4


@dataclass(frozen=True, slots=True)
class Shown:
    """A part of a line. ``indent`` and ``length`` (at least 1) say where the place is in it, in cells."""

    text: str
    indent: int
    length: int


def shown(line: str, first: int, last: int, room: int, more: str, encoding: str = "utf-8") -> Shown:
    """As much of a line as there is ``room`` for, in cells, around the code points ``first`` to ``last`` of it.

    Where something is cut off stands ``more``. The time it takes does not depend on the length of the line.
    """
    first = min(max(first, 0), len(line))
    last = min(max(last, first), len(line))
    start = max(first - room, 0)
    end = min(last, first + room)
    lead = _cells(line[start:first], encoding)
    place = _cells(line[first:end], encoding, after=cell_len(lead))
    rest = _cells(line[end : end + room], encoding, after=cell_len(lead) + cell_len(place))
    to_the_end = end + room >= len(line)
    if cell_len(lead + place) > room - (len(more) if rest else 0):
        lead = _tail(lead, room // 4, more)
    text = lead + place + rest
    indent = cell_len(lead)
    if not to_the_end or cell_len(text) > room:
        text = set_cell_size(text, room - len(more)).rstrip() + more
    return Shown(text, indent, max(min(cell_len(place), cell_len(text) - indent), 1))


def outdented(lines: Sequence[str], room: int) -> list[str]:
    """The lines without the indentation that they share, if it takes more than half of the ``room`` (in cells)."""
    indents = [line[: len(line) - len(line.lstrip())] for line in lines if line.strip()]
    least, most = min(indents, default=""), max(indents, default="")
    common = least[
        : next((n for n, (one, other) in enumerate(zip(least, most, strict=False)) if one != other), len(least))
    ]
    if cell_len(_cells(common, "utf-8")) <= room // 2:
        return list(lines)
    return [line.removeprefix(common) for line in lines]


def _cells(text: str, encoding: str, after: int = 0) -> str:
    """The text as it is printed; ``after`` is how many cells stand before it, for its tabs."""
    if "\t" not in text:
        return "".join(pieces(text, encoding))
    printed = ""
    for part in _with_tabs(text):
        width = after + cell_len(printed)
        printed += " " * (_TAB - width % _TAB) if part == "\t" else "".join(pieces(part, encoding))
    return printed


def _with_tabs(text: str) -> Iterable[str]:
    """The text in parts, each tab a part of its own."""
    first, *others = text.split("\t")
    yield first
    for part in others:
        yield "\t"
        yield part


def _tail(text: str, room: int, more: str) -> str:
    """The end of a text, in so many cells."""
    if cell_len(text) <= room:
        return text
    kept = len(text)
    width = 0
    while kept > 0 and width + cell_len(text[kept - 1]) <= room - len(more):
        kept -= 1
        width += cell_len(text[kept])
    return more + text[kept:]
