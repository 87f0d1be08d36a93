"""The way of a range through edits. Pure, and cheap: every edit asks it for every finding of a document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from collections.abc import Iterable

    from socreates_lsp.workspace.text import Shift


@dataclass(frozen=True, slots=True)
class Path:
    """The way of a range through edits.

    ``span`` is where it is now. ``wide`` is the same with what was put in at its ends. ``touched``: an edit changed
    one of its lines. ``emptied``: an edit took all of it.
    """

    span: Range
    wide: Range
    touched: bool = False
    emptied: bool = False

    @classmethod
    def of(cls, span: Range, shifts: Iterable[Shift]) -> Path:
        """Follow a range through edits, in their order."""
        path = cls(span, span, emptied=span.start == span.end)
        for shift in shifts:
            path = path.after(shift)
        return path

    def after(self, shift: Shift) -> Path:
        """The way, with one more edit."""
        stretch = shift.span
        if stretch.start.line > self.wide.end.line:
            return self
        if stretch.end.line < self.wide.start.line:
            wide = _moved(self.wide, shift)
            return replace(self, wide=wide, span=wide if self.span == self.wide else _moved(self.span, shift))
        span, wide = _narrow(self.span, shift), _wide(self.wide, shift)
        emptied = self.emptied or (stretch.start <= self.span.start and self.span.end <= stretch.end != stretch.start)
        return Path(span, wide, touched=True, emptied=emptied)


def moved(span: Range, lines: int) -> Range:
    """A range so many lines further down, or up; never above the first one."""
    start, end = span.start, span.end
    first = max(start.line + lines, 0)
    return Range(Position(first, start.column), Position(max(end.line + lines, first), end.column))


def _moved(span: Range, shift: Shift) -> Range:
    return Range(shift.carry(span.start), shift.carry(span.end)) if shift.lines else span


def _wide(span: Range, shift: Shift) -> Range:
    """The range after an edit; what was put in at its ends belongs to it."""
    stretch = shift.span
    if stretch.start > span.end:
        return span
    if stretch.end < span.start:
        return Range(shift.carry(span.start), shift.carry(span.end))
    return Range(min(span.start, stretch.start), shift.carry(max(span.end, stretch.end)))


def _narrow(span: Range, shift: Shift) -> Range:
    """The range after an edit; what was put in right before or behind it does not belong to it.

    What takes the place of all of it does, and what is put in where nothing is left of it.
    """
    stretch = shift.span
    if span.start == span.end or (stretch.start <= span.start and span.end <= stretch.end):
        return _wide(span, shift) if stretch.start <= span.end and span.start <= stretch.end else _moved(span, shift)
    if stretch.start >= span.end:
        return span
    start = span.start if stretch.start > span.start else shift.carry(max(span.start, stretch.end))
    return Range(start, shift.carry(span.end) if stretch.end <= span.end else shift.end)
