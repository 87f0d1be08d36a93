"""The newest message of a turn, which alone carries what changes: the task, the lines it is about, what stands.

Lines are attached with their numbers, so that a model without tools can answer and one with tools saves a round.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from socreates_lsp.agent.dismissed import told_of
from socreates_lsp.review.reviewer import Scope
from socreates_lsp.tools.bounded import LONGEST_LINE
from socreates_lsp.tools.tool import ReadLines
from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.ledger import Dismissal
    from socreates_lsp.workspace.changed_file import ChangedFile
    from socreates_lsp.workspace.text import Text

_WHOLE = 500
"""Lines up to which a document comes along whole with a selection in it."""

_AROUND = 60
"""Lines before and after a selection that come along of a longer one."""

_NEAR = 3
"""Unchanged lines around a change that come along."""

_MOST_STANDING = 12


@dataclass(slots=True)
class Attachment:
    """What a task brings along, in at most ``most`` characters; ``read`` are the lines that went in."""

    most: int
    text: str = ""
    read: list[ReadLines] = field(default_factory=list[ReadLines])
    left_out: list[str] = field(default_factory=list[str])
    """What did not fit, a phrase each."""

    def document(self, path: str, uri: str, text: Text, first: int, last: int) -> None:
        """Attach lines ``first`` to ``last`` (from 0, both included), as many as fit."""
        head = f"\n\n{path} ({len_of(text)} lines):\n"
        lines: list[str] = []
        size = len(self.text) + len(head)
        for number in range(first, last + 1):
            line = numbered(text, number)
            size += len(line) + 1
            if size > self.most:
                break
            lines.append(line)
        if not lines:
            self.left_out.append(path)
            return
        shown = first + len(lines) - 1
        self.text += head + "\n".join(lines)
        self.read.append(ReadLines(uri, Range(Position(first, 0), Position(shown, len(text.line(shown))))))
        if shown < last:
            self.text += f"\n[{last - shown} more lines. Read them with start={shown + 2}.]"

    def change(self, change: ChangedFile, uri: str) -> None:
        """Attach the hunks of a changed file with a few lines around each; removed lines stand without a number."""
        new = change.new
        if new is None or not change.hunks:
            self.text += f"\n\n{change.path}: {change.reason or change.status.value}"
            return
        lines, spans = _hunk_lines(change, new)
        block = f"\n\n{change.path} ({len_of(new)} lines, {change.status.value}):\n" + "\n".join(lines)
        if len(self.text) + len(block) > self.most:
            self.left_out.append(change.path)
            return
        self.text += block
        self.read += [
            ReadLines(uri, Range(Position(first, 0), Position(last, len(new.line(last))))) for first, last in spans
        ]


def len_of(text: Text) -> int:
    """How many lines a text has for people: a line break at the end starts no line."""
    return text.last_line + 1 if text.content else 0


def numbered(text: Text, number: int) -> str:
    """A line (from 0) with its number for people in front, as ``read_file`` shows it."""
    line = text.line(number)
    cut = line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} [… cut]"
    return f"{number + 1:>5}\t{cut}"


def _hunk_lines(change: ChangedFile, new: Text) -> tuple[list[str], list[tuple[int, int]]]:
    """The lines of all hunks with what is around them, and the spans of lines of the new text among them."""
    lines: list[str] = []
    spans: list[tuple[int, int]] = []
    shown = -1
    for hunk in change.hunks:
        first = max(hunk.new_start - _NEAR, shown + 1, 0)
        after = hunk.new_start + len(hunk.added)
        last = min(after + _NEAR - 1, new.last_line)
        if first > shown + 1:
            lines.append("  ...")
        lines += [f"  {numbered(new, number)}" for number in range(first, min(hunk.new_start, new.last_line + 1))]
        lines += [f"- {'':>5}\t{line[:LONGEST_LINE]}" for line in hunk.removed]
        lines += [f"+ {numbered(new, number)}" for number in range(hunk.new_start, after)]
        lines += [f"  {numbered(new, number)}" for number in range(after, last + 1)]
        if last >= first:
            spans.append((first, last))
            shown = last
    return lines, spans


def around(span: Range, text: Text) -> tuple[int, int]:
    """The lines to attach for a selection."""
    if text.last_line < _WHOLE:
        return 0, text.last_line
    return max(span.start.line - _AROUND, 0), min(span.end.line + _AROUND, text.last_line)


def review_task(
    what: str,
    attached: Attachment,
    *,
    ask: str | None,
    rules: Sequence[str],
    questions: Sequence[str],
    standing: Sequence[tuple[str, Finding]],
    dismissed: Sequence[Dismissal] = (),
    recent: Sequence[str],
) -> str:
    """The message of a review. ``standing`` are open findings with the paths of their documents."""
    parts = [f"Review {what}."]
    if ask:
        parts.append(f"The developer asks, and wants an answer before all else: {ask}")
    if rules:
        parts.append("Rules of this house; a breach is worth a point:\n" + _listed(rules))
    if questions:
        parts.append("Questions that every review here answers, as a point where there is one:\n" + _listed(questions))
    if standing:
        places = [f"{path}:{one.range.start.line + 1} {one.message}" for path, one in standing[:_MOST_STANDING]]
        parts.append("These stand already; raise one again only if it still holds:\n" + _listed(places))
    parts += told_of(dismissed)
    return "\n\n".join([*parts, *_recent(recent)]) + _attached(attached)


def question_task(text: str, what: str | None, attached: Attachment, recent: Sequence[str]) -> str:
    """The message of a question of the user's own; ``what`` it is about, if it is about something."""
    parts = [f"The developer asks you: {text}", *([f"It is about {what}."] if what else [])]
    return "\n\n".join([*parts, *_recent(recent)]) + _attached(attached)


def selection(path: str, span: Range | None) -> str:
    """How a document, or lines of it, are called in a task."""
    if span is None:
        return path
    first, last = span.start.line + 1, span.end.line + 1
    return f"{path}, line {first}" if first == last else f"{path}, lines {first}-{last}"


def target(scope: Scope, path: str | None, span: Range | None, base: str | None) -> str:
    """How the target of a review is called in a task."""
    if path is not None and scope in {Scope.FILE, Scope.SELECTION}:
        where = selection(path, span if scope is Scope.SELECTION else None)
        return f"{where} (the developer selected them; what is around them is context)" if "line" in where else where
    if scope is Scope.CHANGES:
        return f"what changed against {base or 'HEAD'} (+ new lines, - lines that are gone)"
    return "the workspace: read what matters most first"


def _recent(paths: Sequence[str]) -> list[str]:
    return [f"Read lately: {', '.join(paths)}."] if paths else []


def _attached(attached: Attachment) -> str:
    left = f"\n\n[Not attached, as there is no room: {', '.join(attached.left_out)}.]" if attached.left_out else ""
    return attached.text + left


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
