"""How a reader at a terminal sees findings: the question, the lines it is about with a pointer, and why."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.text import Text as Line

from socreates_lsp.review.finding import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.console import Console

    from socreates_lsp.review.finding import Finding, Related
    from socreates_lsp.review.outcome import Outcome
    from socreates_lsp.workspace.text import Text

_TAB = 4
_MOST_LINES = 6
_MOST_RELATED = 5
_NARROWEST = 20


@dataclass(frozen=True, slots=True)
class Marks:
    """The signs around the text; plain ones where the terminal does not know others."""

    bar: str
    pointer: str
    more: str
    dot: str


_MARKS = Marks("│", "^", "…", "·")
_PLAIN_MARKS = Marks("|", "^", "~", "-")


def render(
    outcome: Outcome, text_of: Callable[[str], Text | None], path_of: Callable[[str], str], console: Console
) -> None:
    """Print everything: the findings file by file, then what was read, left out and hidden."""
    marks = _MARKS if console.encoding.lower().startswith("utf") else _PLAIN_MARKS
    for uri in dict.fromkeys(finding.uri for finding in outcome.findings):
        of_file = sorted(
            (finding for finding in outcome.findings if finding.uri == uri),
            key=lambda finding: (finding.range.start, -finding.confidence),
        )
        text = text_of(uri)
        for finding in of_file:
            _finding(finding, text, path_of, console, marks)
    _closing(outcome, console)


def _finding(
    finding: Finding, text: Text | None, path_of: Callable[[str], str], console: Console, marks: Marks
) -> None:
    colour = "yellow" if finding.kind is Kind.WARNING else "cyan"
    start = finding.range.start
    head = Line()
    head.append(printable(f"{path_of(finding.uri)}:{start.line + 1}:{start.column + 1}"), style="bold")
    head.append("  ")
    facts = [finding.kind.value, finding.category.value, *([finding.rule] if finding.rule else [])]
    head.append(f" {marks.dot} ".join(facts), style=colour)
    console.print(head, soft_wrap=True)
    _indented(Line(printable(finding.message), style="bold"), console)
    for line in _quotation(finding, text, console.width, marks, colour):
        console.print(line, no_wrap=True, overflow="ignore", crop=False)
    if finding.why:
        _indented(Line(printable(finding.why), style="dim"), console)
    for place in _places(finding.related, path_of):
        _indented(place, console)
    console.print()


def _indented(line: Line, console: Console) -> None:
    """Print a line wrapped and indented, with nothing behind its end."""
    for part in line.wrap(console, max(console.width - 2, _NARROWEST)):
        part.rstrip()
        console.print(Line("  ").append_text(part), soft_wrap=True)


def _quotation(finding: Finding, text: Text | None, width: int, marks: Marks, colour: str) -> Iterator[Line]:
    """The lines of a finding with their numbers; a single one has a pointer under it."""
    first = finding.range.start.line
    lines = finding.quote.splitlines() if text is None else [text.line(number) for number in finding.range.lines]
    shown = lines[:_MOST_LINES]
    gutter = len(str(first + len(shown)))
    room = max(width - gutter - 5, _NARROWEST)
    for number, content in enumerate(map(_plain, shown), start=first + 1):
        line = Line(f"  {number:>{gutter}} ", style="dim")
        line.append(f"{marks.bar} ", style=colour)
        line.append(_cut(content, room, marks.more), style="not dim")
        yield line
    if len(lines) > len(shown):
        yield Line(f"  {'':>{gutter}} {marks.bar} {marks.more} {len(lines) - len(shown)} more lines", style="dim")
    if len(lines) == 1:
        content = _cut(_plain(lines[0]), room, marks.more)
        indent = cell_len(content) - cell_len(content.lstrip())
        line = Line(f"  {'':>{gutter}} ", style="dim")
        line.append(f"{marks.bar} ", style=colour)
        line.append(" " * indent + marks.pointer * max(cell_len(content.strip()), 1), style=colour)
        yield line


def _places(related: Sequence[Related], path_of: Callable[[str], str]) -> Iterator[Line]:
    for place in related[:_MOST_RELATED]:
        line = Line(printable(f"{path_of(place.uri)}:{place.range.start.line + 1}"))
        line.append(f"  {printable(place.message)}", style="dim")
        yield line
    if len(related) > _MOST_RELATED:
        yield Line(f"and {len(related) - _MOST_RELATED} more places", style="dim")


def _closing(outcome: Outcome, console: Console) -> None:
    closed = outcome.closed
    console.print(Line(printable(closed.summary), style="bold"))
    hidden = [
        (closed.capped, "left out to keep this short; --max-findings 0 shows all"),
        (closed.suppressed, "hidden by comments in the code; --no-suppress shows them"),
        (outcome.dismissed, "dismissed before"),
    ]
    for count, how in hidden:
        if count:
            console.print(Line(f"{count} more {how}.", style="dim"))
    for skipped in outcome.skipped:
        console.print(Line(printable(skipped.reason), style="dim"))


def printable(text: str) -> str:
    """The text with everything visible that could command a terminal or turn the order of characters around."""
    return "".join(
        ch if _is_harmless(ch) else f"\\x{ord(ch):02x}" if ord(ch) < 256 else f"\\u{ord(ch):04x}" for ch in text
    )


def _is_harmless(character: str) -> bool:
    """Control characters, bidirectional overrides and lone surrogates are not."""
    return character == " " or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def _plain(line: str) -> str:
    return printable(line.expandtabs(_TAB))


def _cut(line: str, room: int, more: str) -> str:
    """As much of a line as there is room for, in cells of the terminal."""
    if cell_len(line) <= room:
        return line
    indent = len(line) - len(line.lstrip())
    if indent > room // 2:
        line = more + line[indent - 2 :]
    return line if cell_len(line) <= room else set_cell_size(line, room - 1).rstrip() + more
