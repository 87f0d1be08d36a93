"""The tool ``read_file``: numbered lines of a document as the editor shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from socreates_lsp.tools.arguments import checked
from socreates_lsp.tools.bounded import LONGEST_LINE, clipped, part
from socreates_lsp.tools.paths import named
from socreates_lsp.tools.refusal import answered
from socreates_lsp.tools.tool import ReadLines, ToolResult
from socreates_lsp.tools.tree import counted
from socreates_lsp.workspace.leash import off_loop
from socreates_lsp.workspace.text import Range

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.tools.view import Document, View
    from socreates_lsp.workspace.text import Text

_NOTE = 80
"""Characters kept free for the hint to go on."""

_MOST_LINES = 500
"""Lines that are shown when no end is given."""


class ReadFile:
    """See the module."""

    name = "read_file"
    description = "Read a file, with line numbers. Long files come in pieces: go on with start."
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "File, relative to the workspace root."},
            "start": {"type": "integer", "description": "First line, from 1. Default: 1."},
            "end": {"type": "integer", "description": "Last line, included. Default: as many as fit."},
        },
        "required": ["path"],
    }

    read_only = True
    asks = False

    def __init__(self, view: View) -> None:
        """Read what this view shows."""
        self._view = view

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        """See ``Tool``."""
        return await answered(off_loop(self._read, arguments, limit), limit)

    def _read(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        given = checked(self.name, arguments, self.parameters)
        return result_of(self._view.document(given["path"]), given.get("start"), given.get("end"), limit)


class _Wanted(NamedTuple):
    """Lines from 0, both included, and what had to be changed about the range."""

    first: int
    last: int
    notes: list[str]


def result_of(document: Document, start: int | None, end: int | None, limit: int) -> ToolResult:
    """The lines from ``start`` to ``end`` (from 1, included), as many as fit into the limit."""
    name, text = named(document.name), document.text
    if not text.content:
        return ToolResult(clipped(f"[{name} is empty.]", limit))
    total = text.last_line + 1
    wanted = _wanted(name, total, start, end)
    head = [f"[{name}, {counted(total, 'line')}]", *wanted.notes]
    room = limit - sum(len(line) + 1 for line in head) - _NOTE
    if room < _NOTE:
        head, room = [], limit - _NOTE
    lines, read = _numbered(text, wanted, room, len(str(wanted.last + 1)))
    if not lines:
        return ToolResult(clipped(f"[There is no room to show lines of {name}.]", limit), failed=True)
    rest = total - 1 - (wanted.first + len(lines) - 1)
    if rest:
        lines.append(f"[{rest} more {'line' if rest == 1 else 'lines'}. Use start={total - rest + 1} to continue.]")
    return ToolResult(clipped("\n".join([*head, *lines]), limit), tuple(ReadLines(document.uri, one) for one in read))


def _wanted(name: str, total: int, start: int | None, end: int | None) -> _Wanted:
    notes: list[str] = []
    first = 1 if start is None else start
    if first < 1:
        notes.append(f"[Lines count from 1, so start={first} was taken as 1.]")
        first = 1
    if first > total:
        notes.append(f"[{name} has only {counted(total, 'line')}, so start={first} was taken as {total}.]")
        first = total
    last = min(total, first + _MOST_LINES - 1) if end is None else end
    if last > total:
        notes.append(f"[{name} has only {counted(total, 'line')}, so end={last} was taken as {total}.]")
        last = total
    if last < first:
        notes.append(f"[end={last} is before start={first}: only line {first} is shown.]")
        last = first
    return _Wanted(first - 1, last - 1, notes)


def _numbered(text: Text, wanted: _Wanted, room: int, width: int) -> tuple[list[str], list[Range]]:
    """The lines that fit, with their numbers, and the stretches that they show."""
    lines: list[str] = []
    cut: dict[int, int] = {}
    for number in range(wanted.first, wanted.last + 1):
        line = text.line(number)
        # What stands behind the tab is the line and nothing else.
        shown = f"{number + 1:>{width}}\t{line}"
        most = LONGEST_LINE if lines else min(LONGEST_LINE, room - _NOTE)
        if len(line) > most > 0:
            cut[number] = most
            shown = f"{number + 1:>{width}}{part(0, most, line)}\t{line[:most]}"
        room -= len(shown) + 1
        if room < 0:
            break
        lines.append(shown)
    return lines, _stretches(text, wanted.first, wanted.first + len(lines), cut)


def _stretches(text: Text, first: int, end: int, cut: dict[int, int]) -> list[Range]:
    """The stretches of text from a line up to another; ``cut`` has how much is shown of lines that are cut."""
    stretches: list[Range] = []
    start = first
    for number in (*(number for number in cut if number < end), end - 1):
        if number >= start:
            column = cut.get(number, len(text.line(number)))
            stretches.append(Range.of(start, 0, number, column))
            start = number + 1
    return stretches
