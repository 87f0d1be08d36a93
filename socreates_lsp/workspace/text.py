"""The text of a document: its lines, exact positions in three encodings, edits. Pure; no I/O.

Lines end at ``\\n``, ``\\r\\n`` and ``\\r`` only, as the LSP specification (3.17, "Text Documents") says.
``str.splitlines`` also ends lines at form feeds, NEL and U+2028, and would drift from the editor's numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


class Encoding(StrEnum):
    """A position encoding of LSP: what one unit of a column is."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text. Line and column count from 0; a column is in code points unless said otherwise."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """A stretch of text; the end is exclusive."""

    start: Position
    end: Position

    @property
    def lines(self) -> range:
        """The lines touched, both ends included."""
        return range(self.start.line, self.end.line + 1)

    def overlaps_lines(self, other: Range) -> bool:
        """Whether the two touch a common line."""
        return self.start.line <= other.end.line and other.start.line <= self.end.line

    @classmethod
    def of(cls, line: int, column: int, end_line: int, end_column: int) -> Range:
        """Build a range from four numbers."""
        return cls(Position(line, column), Position(end_line, end_column))


@dataclass(frozen=True, slots=True)
class Change:
    """One edit as a client sends it. Columns of ``range`` are in the client's encoding; None replaces all."""

    range: Range | None
    text: str


@dataclass(frozen=True, slots=True)
class Shift:
    """What an edit did to places: the stretch (code points of the text before) grew by ``lines``.

    ``end`` is where the text that was put in ends, in the text after; it begins where the stretch began.
    """

    span: Range
    lines: int
    end: Position

    def carry(self, place: Position) -> Position:
        """Where a place of the text before is now. One inside the stretch is at its end."""
        if place < self.span.start:
            return place
        if place <= self.span.end:
            return self.end
        if place.line == self.span.end.line:
            return Position(self.end.line, self.end.column + place.column - self.span.end.column)
        return Position(place.line + self.lines, place.column)


def split_lines(content: str) -> list[str]:
    """Split into lines with their endings. A text that ends in a line ending has a last, empty line."""
    lines = _LINE.findall(content)
    if not lines or lines[-1].endswith(("\r", "\n")):
        lines.append("")
    return lines


def without_ending(line: str) -> str:
    """Strip the line ending, and nothing else."""
    return line.rstrip("\r\n") if line.endswith(("\r", "\n")) else line


def units(text: str, encoding: Encoding) -> int:
    """How many units of the encoding the text takes. A lone surrogate takes 1 in UTF-16, 3 in UTF-8."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF16:
        return len(text) + sum(ch > "\uffff" for ch in text)
    return len(text.encode("utf-8", "surrogatepass"))


def column_from_units(line: str, column: int, encoding: Encoding) -> int:
    """Turn a client's column on this line (without its ending) into code points.

    Past the end means the end (LSP 3.17, ``Position``); inside a character means before that character.
    """
    if column <= 0:
        return 0
    if encoding is Encoding.UTF32 or line.isascii():
        return min(column, len(line))
    taken = 0
    for index, ch in enumerate(line):
        taken += units(ch, encoding)
        if taken > column:
            return index
    return len(line)


class Text:
    """An immutable text with its lines split once."""

    def __init__(self, content: str | Sequence[str]) -> None:
        """Take the whole content, or lines that were already split by ``split_lines``."""
        self.lines: Sequence[str] = split_lines(content) if isinstance(content, str) else content

    @cached_property
    def content(self) -> str:
        """The whole text."""
        return "".join(self.lines)

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate(map(len, self.lines), initial=0))

    def line_at(self, offset: int) -> int:
        """The line that holds the character at an offset of ``content``."""
        return min(bisect_right(self._starts, offset), len(self.lines)) - 1

    def offset_of(self, line: int) -> int:
        """The offset of a line in ``content``; one past the last line gives the length."""
        return self._starts[line]

    def line(self, number: int) -> str:
        """The line without its ending; empty past the end."""
        return without_ending(self.lines[number]) if 0 <= number < len(self.lines) else ""

    def __len__(self) -> int:
        """How many lines there are; at least 1."""
        return len(self.lines)

    @property
    def last_line(self) -> int:
        """The last line with text on it (the empty line after a final newline does not count); at least 0."""
        return len(self.lines) - 2 if len(self.lines) > 1 and not self.lines[-1] else len(self.lines) - 1

    @property
    def end(self) -> Position:
        """The place behind the last character."""
        return Position(len(self.lines) - 1, len(self.line(len(self.lines) - 1)))

    def slice(self, span: Range) -> str:
        """The text in a range of code points, line endings kept."""
        start, end = span.start, span.end
        if start.line == end.line:
            return self.line(start.line)[start.column : end.column]
        middle = "".join(self.lines[start.line + 1 : end.line])
        return self.lines[start.line][start.column :] + middle + self.line(end.line)[: end.column]

    def trimmed(self, first: int, last: int) -> Range:
        """The range from the first character that is no white space on ``first`` to the end of ``last``."""
        first_line = self.line(first)
        indent = len(first_line) - len(first_line.lstrip())
        return Range.of(first, indent, last, len(self.line(last).rstrip()))

    def from_client(self, position: Position, encoding: Encoding) -> Position:
        """Turn a client's position into code points, clamped to the text."""
        if position.line >= len(self.lines):
            return self.end
        line = max(position.line, 0)
        return Position(line, column_from_units(self.line(line), position.column, encoding))

    def to_client(self, position: Position, encoding: Encoding) -> Position:
        """Turn a position in code points into the client's encoding."""
        return Position(position.line, units(self.line(position.line)[: position.column], encoding))

    def edited(self, changes: Sequence[Change], encoding: Encoding) -> Text:
        """Apply a client's changes in order, each on the outcome of the one before."""
        return self.edited_with_shifts(changes, encoding)[0]

    def edited_with_shifts(self, changes: Sequence[Change], encoding: Encoding) -> tuple[Text, tuple[Shift, ...]]:
        """The same, with what each change did to the lines."""
        text = self
        shifts: list[Shift] = []
        for change in changes:
            if change.range is None:
                edited = Text(change.text)
                span = text.difference(edited)
                end = Position(span.end.line + len(edited) - len(text), 0)
            else:
                span, inserted = text.as_lines(text.stretch(change.range, encoding), change.text)
                edited, end = text.with_stretch_and_end(span, inserted)
            shifts.append(Shift(span, len(edited) - len(text), end))
            text = edited
        return text, tuple(shifts)

    def stretch(self, span: Range, encoding: Encoding) -> Range:
        """A client's range in code points, clamped to the text.

        One that is written backwards means the same stretch (vscode-languageserver-textdocument reads it so).
        """
        return Range(*sorted(self.from_client(place, encoding) for place in (span.start, span.end)))

    def difference(self, other: Text) -> Range:
        """The lines of this text that another one does not have in common with it at its start and its end."""
        most = min(len(self), len(other))
        head = next((at for at in range(most) if self.lines[at] != other.lines[at]), most)
        rest = most - head
        tail = next((at for at in range(rest) if self.lines[-1 - at] != other.lines[-1 - at]), rest)
        return Range(Position(head, 0), Position(len(self) - tail, 0))

    def as_lines(self, span: Range, inserted: str) -> tuple[Range, str]:
        """The same edit, as whole lines that come or go if it can be told so.

        Some editors send the least difference: of two lines that begin alike, the first of which is deleted, the
        rest of the first and the beginning of the second. (Only such edits are changed: what is shown is the same.)
        """
        start, end = span.start, span.end
        column = start.column
        if not column:
            return span, inserted
        head = self.lines[start.line][:column]
        if not inserted and start.line < end.line and end.column == column and self.lines[end.line][:column] == head:
            return Range(Position(start.line, 0), Position(end.line, 0)), ""
        if start == end and len(inserted) > column and inserted.endswith(head) and inserted[-column - 1] == "\n":
            return Range(Position(start.line, 0), Position(start.line, 0)), head + inserted[:-column]
        return span, inserted

    def with_stretch(self, span: Range, inserted: str) -> Text:
        """The text with a stretch of code points replaced."""
        return self.with_stretch_and_end(span, inserted)[0]

    def with_stretch_and_end(self, span: Range, inserted: str) -> tuple[Text, Position]:
        """The same, with where what was put in ends."""
        start, end = span.start, span.end
        # The line before as well, so that its \r and a \n that comes behind it become one ending.
        first = max(start.line - 1, 0)
        before = "".join(self.lines[first : start.line]) + self.lines[start.line][: start.column]
        middle = split_lines(before + inserted + self.lines[end.line][end.column :])
        line, column = first, len(before) + len(inserted)
        for part in middle[:-1]:
            if column < len(part):
                break
            line, column = line + 1, column - len(part)
        if end.line < len(self.lines) - 1:
            middle.pop()
        return Text([*self.lines[:first], *middle, *self.lines[end.line + 1 :]]), Position(line, column)
