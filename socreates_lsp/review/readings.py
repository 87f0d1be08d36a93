"""Lines that were read, after edits: what of them still is what was read. Pure.

A receipt says what was examined so that silence can be trusted. It speaks of the text as it is at the end of the
review: lines that an edit touched or put in since were not read as they are now, and are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.workspace.text import Shift, Text

_TO_THE_END = 2**31 - 1
"""A column behind every line."""


def still_read(spans: Iterable[Range], shifts: Sequence[Shift], text: Text | None = None) -> list[Range]:
    """The parts of ranges, as whole lines, that no edit since has touched, where they are after the edits.

    Ranges keep their columns where they begin and end. ``text`` is the text after the edits.
    """
    found = list(dict.fromkeys(spans))
    for shift in shifts:
        found = [part for span in found for part in _untouched(span, shift)]
    return found if text is None else [_within(span, text) for span in found if span.start.line <= text.last_line]


def _untouched(span: Range, shift: Shift) -> list[Range]:
    """The lines of a range before and behind those that an edit touched."""
    first, last = shift.span.start, shift.span.end
    # What ends where a line begins, and leaves it beginning there, has not touched that line.
    whole = last.column == 0 and shift.end.column == 0
    touched = range(first.line, max(last.line, first.line + (first.column > 0)) if whole else last.line + 1)
    start, end = span.start, span.end
    if end.line < touched.start:
        return [span]
    if start.line >= touched.stop:
        return [Range(Position(start.line + shift.lines, start.column), Position(end.line + shift.lines, end.column))]
    parts: list[Range] = []
    if start.line < touched.start:
        parts.append(Range(start, Position(touched.start - 1, _TO_THE_END)))
    if end.line >= touched.stop:
        parts.append(Range(Position(touched.stop + shift.lines, 0), Position(end.line + shift.lines, end.column)))
    if len(parts) == 2 and parts[0].end.line + 1 == parts[1].start.line:
        return [Range(parts[0].start, parts[1].end)]
    return parts


def _within(span: Range, text: Text) -> Range:
    last = min(span.end.line, text.last_line)
    return Range(span.start, Position(last, min(span.end.column, len(text.line(last)))))
