"""A changed file as a task shows it: hunks with new line numbers, and what they are in. Pure. Lines from 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from socreates_lsp.agent.numbered import GAP, cut, len_of, numbered
from socreates_lsp.review.block import chain
from socreates_lsp.review.outline import outline
from socreates_lsp.tools.paths import named
from socreates_lsp.workspace.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.review.block import Block
    from socreates_lsp.workspace.changed_file import ChangedFile
    from socreates_lsp.workspace.difference import Hunk
    from socreates_lsp.workspace.text import Text

GONE = (
    "Lines marked with - are gone: they have no number, and can't be cited or quoted. Ask about what went with them at "
    "the numbered line where they stood."
)
_NEAR = 3
"""Unchanged lines around a change that come along."""
_HEADS = 2
"""Functions and classes around a hunk whose first lines are shown."""


class Row(NamedTuple):
    """A line that is shown, and its number in the new text if it is one of its lines."""

    text: str
    line: int | None = None


def title(change: ChangedFile) -> str:
    """The line above the hunks of a file."""
    was = f" from {named(change.old_path)}" if change.old_path else ""
    lines = "" if change.new is None else f"{len_of(change.new)} lines, "
    return f"{named(change.path)} ({lines}{change.status.value}{was}):"


def rows(change: ChangedFile, new: Text) -> list[Row]:
    """The lines of all hunks with what is around them."""
    blocks = outline(new, language_of(change.path, new.line(0)))
    found: list[Row] = []
    shown = -1
    for hunk, following in zip(change.hunks, (*change.hunks[1:], None), strict=True):
        first = max(hunk.new_start - _NEAR, shown + 1, 0)
        after = hunk.new_start + len(hunk.added)
        last = min(after + _NEAR - 1, new.last_line) if new.content else -1
        if following is not None:
            last = min(last, following.new_start - 1)
        for number in _heads(blocks, hunk, new, shown, first):
            found += [*_gap(number, shown), Row(f"  {numbered(new, number)}", number)]
            shown = number
        found += _gap(first, shown)
        found += [Row(f"  {numbered(new, n)}", n) for n in range(first, min(hunk.new_start, last + 1))]
        found += [Row(f"- {'':>5}\t{cut(line)}") for line in hunk.removed]
        found += [Row(f"+ {numbered(new, n)}", n) for n in range(hunk.new_start, after)]
        found += [Row(f"  {numbered(new, n)}", n) for n in range(max(after, first), last + 1)]
        shown = max(shown, last)
    return found


def _gap(number: int, shown: int) -> Iterator[Row]:
    if number > shown + 1:
        yield Row(GAP)


def _heads(blocks: Sequence[Block], hunk: Hunk, new: Text, shown: int, first: int) -> list[int]:
    """The first lines of what a hunk is in, as far as they are above what is shown."""
    at = min(hunk.new_start, new.last_line)
    around = [one for one in chain(blocks, at, at) if one.first < at][-_HEADS:]
    return sorted({one.first for one in around if shown < one.first < first})


def spans(shown: Sequence[Row]) -> list[tuple[int, int]]:
    """The stretches (first and last) of lines of the new text among the rows."""
    found: list[tuple[int, int]] = []
    for row in shown:
        if row.line is None:
            continue
        if found and found[-1][1] + 1 == row.line:
            found[-1] = (found[-1][0], row.line)
        else:
            found.append((row.line, row.line))
    return found
