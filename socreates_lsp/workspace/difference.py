"""What changed between two texts, line by line. Pure.

Lines that occur once in both texts are matched first, as their order tells most (Bram Cohen's patience diff);
what lies between them is matched by ``difflib`` where that is small enough to be quick.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.workspace.text import Text

_QUICK = 250_000
"""Pairs of lines up to which ``difflib`` is asked; beyond, a stretch without common unique lines is replaced."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines ``removed`` at ``old_start`` gave way to lines ``added`` at ``new_start``.

    Lines count from 0 and come without their endings. With nothing added, ``new_start`` is the line that now
    stands where the removed lines stood (one past the last line if they were at the end); likewise for
    ``old_start``.
    """

    old_start: int
    removed: tuple[str, ...]
    new_start: int
    added: tuple[str, ...]


def hunks_between(old: Text | None, new: Text | None) -> tuple[Hunk, ...]:
    """The hunks that lead from one text to another, in order; None is a file that is not there.

    Line endings don't count, nor does a newline at the end of the text.
    """
    before, after = text_lines(old), text_lines(new)
    hunks: list[Hunk] = []
    at_old = at_new = 0
    for match_old, match_new in (*_matches(before, after), (len(before), len(after))):
        if match_old > at_old or match_new > at_new:
            hunks.append(Hunk(at_old, tuple(before[at_old:match_old]), at_new, tuple(after[at_new:match_new])))
        at_old, at_new = match_old + 1, match_new + 1
    return tuple(hunks)


def text_lines(text: Text | None) -> list[str]:
    """The lines of a text without their endings; none for an empty text or None."""
    if text is None or not text.content:
        return []
    return [text.line(number) for number in range(text.last_line + 1)]


def _matches(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs of equal lines of a common subsequence, in order."""
    found: list[tuple[int, int]] = []
    open_stretches = [(0, len(old), 0, len(new))]
    while open_stretches:
        old_from, old_to, new_from, new_to = open_stretches.pop()
        while old_from < old_to and new_from < new_to and old[old_from] == new[new_from]:
            found.append((old_from, new_from))
            old_from, new_from = old_from + 1, new_from + 1
        while old_from < old_to and new_from < new_to and old[old_to - 1] == new[new_to - 1]:
            old_to, new_to = old_to - 1, new_to - 1
            found.append((old_to, new_to))
        anchors = list(_anchors(old, new, old_from, old_to, new_from, new_to))
        if anchors:
            found += anchors
            marks = [(old_from - 1, new_from - 1), *anchors, (old_to, new_to)]
            open_stretches += [(a + 1, c, b + 1, d) for (a, b), (c, d) in pairwise(marks) if c > a + 1 and d > b + 1]
    return sorted(found)


def _anchors(
    old: Sequence[str], new: Sequence[str], old_from: int, old_to: int, new_from: int, new_to: int
) -> Iterator[tuple[int, int]]:
    if old_from == old_to or new_from == new_to:
        return
    unique = _longest_rising(_unique_pairs(old, new, old_from, old_to, new_from, new_to))
    if unique:
        yield from unique
    elif (old_to - old_from) * (new_to - new_from) <= _QUICK:
        matcher = SequenceMatcher(None, old[old_from:old_to], new[new_from:new_to], autojunk=False)
        for block in matcher.get_matching_blocks():
            for index in range(block.size):
                yield old_from + block.a + index, new_from + block.b + index


def _unique_pairs(
    old: Sequence[str], new: Sequence[str], old_from: int, old_to: int, new_from: int, new_to: int
) -> list[tuple[int, int]]:
    """Where the lines that occur once on each side stand, in the old order. Blank lines tell nothing."""
    olds, news = Counter(old[old_from:old_to]), Counter(new[new_from:new_to])
    place = {line: number for number, line in enumerate(new[new_from:new_to], new_from) if news[line] == 1}
    return [
        (number, place[line])
        for number, line in enumerate(old[old_from:old_to], old_from)
        if line.strip() and olds[line] == 1 and line in place
    ]


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs whose second numbers rise."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [index]
    run: list[tuple[int, int]] = []
    index = last[-1] if last else -1
    while index >= 0:
        run.append(pairs[index])
        index = before[index]
    return run[::-1]
