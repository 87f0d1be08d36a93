"""How a reader at a terminal sees findings: the question, the lines it is about with a pointer, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text as Line

from socreates_lsp.cli.printable import printable, prose
from socreates_lsp.cli.quotation import outdented, shown
from socreates_lsp.review.finding import Kind
from socreates_lsp.review.reviewer import Stop
from socreates_lsp.workspace.text import split_lines, without_ending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.console import Console

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.outcome import Outcome
    from socreates_lsp.workspace.text import Text

_MOST_LINES = 6
_MOST_RELATED = 5
_NARROWEST = 20


@dataclass(frozen=True, slots=True)
class Marks:
    """The signs around the text; plain ones where the terminal does not know others."""

    bar: str
    more: str
    dot: str


_MARKS = Marks("│", "…", "·")
_PLAIN_MARKS = Marks("|", "...", "-")


def render(
    outcome: Outcome,
    text_of: Callable[[str], Text | None],
    path_of: Callable[[str], str],
    console: Console,
    *,
    numbers: Mapping[str, int] | None = None,
) -> None:
    """Print everything: the findings file by file, then what was read, left out and hidden.

    ``text_of`` and ``path_of`` give the text of a document (None if it is gone) and its name for people; ``numbers``
    that of a finding, by its id, where it is called by one.
    """
    page = _Page(console, path_of, numbers or {})
    files: dict[str, list[Finding]] = {}
    for finding in outcome.findings:
        files.setdefault(finding.uri, []).append(finding)
    for uri, findings in files.items():
        text = text_of(uri)
        for finding in sorted(findings, key=lambda finding: (finding.range.start, -finding.confidence)):
            page.finding(finding, text)
    page.closing(outcome)


class _Page:
    """What is being printed, and where to."""

    def __init__(self, console: Console, path_of: Callable[[str], str], numbers: Mapping[str, int]) -> None:
        self._numbers = numbers
        self._console = console
        self._path_of = path_of
        self._encoding = console.encoding
        self._marks = _MARKS if console.encoding.lower().startswith("utf") else _PLAIN_MARKS

    def finding(self, finding: Finding, text: Text | None) -> None:
        colour = "yellow" if finding.kind is Kind.WARNING else "cyan"
        start = finding.range.start
        head = Line(self._place(finding.uri, start.line, start.column))
        head.append("  ")
        head.append(finding.kind.value, style=colour)
        for fact in (finding.category.value, finding.rule):
            if fact:
                head.append(f" {self._marks.dot} {printable(fact, self._encoding)}", style="dim")
        if finding.id in self._numbers:
            head.append(f"  #{self._numbers[finding.id]}", style="bold")
        self._as_it_is(head)
        self._paragraph(Line(prose(finding.message, self._encoding), style="bold"))
        for line in self._quotation(finding, text, colour):
            self._as_it_is(line)
        if finding.why:
            self._paragraph(Line(prose(finding.why, self._encoding), style="dim"))
        for place in self._related(finding):
            self._paragraph(place)
        self._console.print()

    def closing(self, outcome: Outcome) -> None:
        closed = outcome.closed
        style = "bold" if closed.stop is Stop.ANSWERED else "bold yellow"
        self._paragraph(Line(prose(closed.summary, self._encoding), style=style), indent=0)
        for count, how in (
            (closed.capped, "left out as too many (--max-findings 0 shows these) or too general"),
            (closed.suppressed, "hidden by comments in the code; --no-suppress shows them"),
            (outcome.dismissed, "dismissed before"),
            (closed.ungrounded, "left out, as they stand on no line that was read"),
            (closed.withheld, "kept back, as they held code"),
            (closed.refuted, "refuted or left out by the second look"),
        ):
            if count:
                self._paragraph(Line(f"{count:,} more {how}.", style="dim"), indent=0)
        for skipped in outcome.skipped:
            self._paragraph(Line(prose(skipped.reason, self._encoding), style="dim"), indent=0)

    def _place(self, uri: str, line: int, column: int) -> str:
        """``path:line:column``, as terminals make it a link."""
        return f"{printable(self._path_of(uri), self._encoding)}:{line + 1}:{column + 1}"

    def _as_it_is(self, line: Line) -> None:
        """Print a line that is not to be wrapped."""
        self._console.print(line, no_wrap=True, overflow="ignore", crop=False)

    def _paragraph(self, line: Line, indent: int = 2) -> None:
        """Print a line wrapped and indented, with nothing behind its end."""
        for part in line.wrap(self._console, max(self._console.width - indent, _NARROWEST)):
            part.rstrip()
            self._as_it_is(Line(" " * indent).append_text(part))

    def _quotation(self, finding: Finding, text: Text | None, colour: str) -> Iterator[Line]:
        """The lines of a finding with their numbers; a single one has a pointer under it."""
        start, end = finding.range.start, finding.range.end
        lines = _lines_of(finding, text)
        count = min(len(lines), _MOST_LINES)
        gutter = len(str(start.line + count))
        room = max(self._console.width - gutter - 5, _NARROWEST)
        if len(lines) == 1:
            last = end.column if text is not None else len(lines[0])
            first = start.column if text is not None else 0
            part = shown(lines[0], first, last, room, self._marks.more, self._encoding)
            yield self._numbered(str(start.line + 1), gutter, part.text, colour)
            pointer = Line(" " * part.indent)
            pointer.append("^" * part.length, style=colour)
            yield self._numbered("", gutter, pointer, colour)
            return
        for number, content in enumerate(outdented(lines[:count], room), start=start.line + 1):
            part = shown(content, 0, 0, room, self._marks.more, self._encoding)
            yield self._numbered(str(number), gutter, part.text, colour)
        if len(lines) > count:
            rest = Line(f"{self._marks.more} {len(lines) - count:,} more lines", style="dim")
            yield self._numbered("", gutter, rest, colour)

    def _numbered(self, number: str, gutter: int, content: str | Line, colour: str) -> Line:
        line = Line()
        line.append(f"  {number:>{gutter}} ", style="dim")
        line.append(f"{self._marks.bar} ", style=colour)
        line.append(content) if isinstance(content, str) else line.append_text(content)
        line.rstrip()
        return line

    def _related(self, finding: Finding) -> Iterator[Line]:
        for place in finding.related[:_MOST_RELATED]:
            line = Line(self._place(place.uri, place.range.start.line, place.range.start.column))
            line.append(f"  {prose(place.message, self._encoding)}", style="dim")
            yield line
        if len(finding.related) > _MOST_RELATED:
            yield Line(f"and {len(finding.related) - _MOST_RELATED:,} more places", style="dim")


def _lines_of(finding: Finding, text: Text | None) -> list[str]:
    """The lines of a finding as they stand; as they were when it was born where the text is gone."""
    if text is None:
        return [without_ending(line) for line in split_lines(finding.quote)]
    return [text.line(number) for number in finding.range.lines]
