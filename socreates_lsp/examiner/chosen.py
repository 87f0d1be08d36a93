"""Which of the findings the reader sees, and in which order. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.counting import counted
from socreates_lsp.review.finding import STANDING_QUESTION

if TYPE_CHECKING:
    from collections.abc import Iterable

    from socreates_lsp.review.finding import Finding

_NEAR = 0.002
"""What a line of distance from the cursor takes from a finding's rank; a whole file of 500 lines takes 1."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is shown, best first, and how many more there are; ``note`` is a sentence on standing questions."""

    shown: tuple[Finding, ...]
    capped: int
    note: str = ""


def chosen(findings: Iterable[Finding], most: int, least: float, near: int | None) -> Chosen:
    """Choose what the reader sees.

    The project's own questions go first. But one that matches hundreds of files says nothing new in the second: each
    is shown once before any is shown again, and what is shown again takes at most half of the room, or what the
    findings of the rules leave.

    Args:
        findings: all that were found; of two with one id the last counts.
        most: how many are shown; 0 means all.
        least: the confidence of which one has to be.
        near: the line of the cursor (from 0), if there is one.
    """
    unique = [one for one in {one.id: one for one in findings}.values() if one.confidence >= least]
    standing, first = _spread(one for one in unique if one.rule == STANDING_QUESTION)
    own = sorted((one for one in unique if one.rule != STANDING_QUESTION), key=lambda one: _rank(one, near))
    if not most:
        return Chosen((*standing, *own), 0)
    asked = standing[: min(most, max(first, most - len(own), (most + 1) // 2))]
    shown = (*asked, *own[: most - len(asked)])
    files, seen = len({one.uri for one in standing}), len({one.uri for one in asked})
    note = ""
    if seen < files:
        note = (
            f"Standing questions are about {counted(files, 'file')} and show in {seen:,}: review a file to see its own."
        )
    return Chosen(shown, len(unique) - len(shown), note)


def _spread(standing: Iterable[Finding]) -> tuple[list[Finding], int]:
    """Standing questions so that each is there once before any is there again, and how many there are."""
    before: Counter[str] = Counter()
    ranked: list[tuple[int, Finding]] = []
    for finding in standing:
        ranked.append((before[finding.message], finding))
        before[finding.message] += 1
    return [finding for _, finding in sorted(ranked, key=lambda one: one[0])], len(before)


def _rank(finding: Finding, near: int | None) -> tuple[float, str, int]:
    distance = 0 if near is None else abs(finding.range.start.line - near)
    return -finding.confidence + _NEAR * distance, finding.uri, finding.range.start.line
