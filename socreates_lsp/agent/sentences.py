"""The sentences in which the agent says what it did. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.review.counting import counted, tally_of
from socreates_lsp.review.reviewer import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.agent.events import Finished
    from socreates_lsp.agent.findings import Answered
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.outcome import Examined
    from socreates_lsp.tools.tool import ReadLines

_LONGEST = 4000
"""Characters of the model's own prose that a summary takes."""

NOTHING_LEFT = "No questions: everything here was read in the last review, and nothing was left out."


def unverified(count: int) -> str:
    """That so many points had no second look."""
    return f"Unverified: {counted(count, 'point')} of the first look, which had no second one."


def together(first: Finished, second: Finished) -> Finished:
    """The end of both looks: the second one's, or the first one's where only that was not whole."""
    stop = first.stop if second.stop is Stop.ANSWERED else second.stop
    reason = " ".join(filter(None, (second.reason, first.reason if first.stop is not Stop.ANSWERED else "")))
    return replace(second, stop=stop, rounds=first.rounds + second.rounds, reason=reason)


def summary_of_answer(
    answered: Answered,
    shown: Sequence[Finding],
    finished: Finished,
    read: Sequence[ReadLines],
    unread: Sequence[Examined],
    *,
    general: int,
) -> str:
    """Why it ended early if it did, what was asked, what was read by whom and what not, and what stands on no line.

    ``general``: how many points were below ``review.minConfidence``.
    """
    lines = len({(one.uri, number) for one in read for number in one.range.lines})
    files = len({one.uri for one in read})
    what = f"{counted(lines, 'line')} of {counted(files, 'file')}" if files else "nothing"
    by = f"{finished.model} read {what} in {counted(finished.rounds, 'round')}."
    missing = sum(len(span.lines) for one in unread for span in one.ranges)
    by += f" Not read: {counted(missing, 'line')} of {counted(len(unread), 'file')}." if unread else ""
    by += f" Left out as too general or too unsure: {counted(general, 'point')}." if general else ""
    parts = [finished.reason, f"{tally_of(shown) or 'No questions'}: {by}", answered.prose[:_LONGEST]]
    parts += [f"Without a line in the code: {message}" for message in answered.ungrounded]
    return "\n\n".join(part for part in parts if part)
