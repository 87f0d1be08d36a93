"""What a review came to: the result that the server answers and the command line prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.reviewer import Closed, Usage
from socreates_lsp.review.verdict import Verdict

if TYPE_CHECKING:
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import Skipped
    from socreates_lsp.workspace.text import Range


@dataclass(frozen=True, slots=True)
class Examined:
    """The receipt for one document: the lines read and how many rules ran over them."""

    uri: str
    ranges: tuple[Range, ...]
    rules: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The whole result of a review. ``closed`` holds the stop, the summary and what the reader does not see."""

    findings: tuple[Finding, ...]
    closed: Closed
    provider: str
    model: str | None
    examined: tuple[Examined, ...]
    skipped: tuple[Skipped, ...] = ()
    usage: Usage = Usage()  # noqa: RUF009  (frozen)
    dismissed: int = 0
    stages: tuple[tuple[str, Usage], ...] = ()
    """What each stage took, in their order."""


@dataclass(frozen=True, slots=True)
class Replied(Outcome):
    """What a reply about a finding came to: the answer is the summary, the finding the only one."""

    verdict: Verdict = Verdict.STANDS

    @classmethod
    def of(cls, outcome: Outcome, closed: Closed, finding: Finding, verdict: Verdict) -> Replied:
        """The outcome of a turn, with its end as it is to be shown."""
        return cls(
            (finding,),
            closed,
            outcome.provider,
            outcome.model,
            outcome.examined,
            outcome.skipped,
            outcome.usage,
            stages=outcome.stages,
            verdict=verdict,
        )


@dataclass(frozen=True, slots=True)
class Ground:
    """What a claim of a survey rests on. ``origin`` as in its label (``repo``, ``docs``, ``inference``), ``reference``
    a path with or without lines (from 1), or ``file#heading``; ``detail`` the words that stand there."""

    origin: str
    reference: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Surveyed(Outcome):
    """What a survey came to: the report, in Markdown, is the summary."""

    sources: tuple[Ground, ...] = ()

    @classmethod
    def of(cls, outcome: Outcome, closed: Closed, sources: tuple[Ground, ...], by: tuple[str, str | None]) -> Surveyed:
        """The outcome of a turn, with its end as it is to be shown, and the provider and model that it is by."""
        return cls(
            outcome.findings,
            closed,
            *by,
            outcome.examined,
            outcome.skipped,
            outcome.usage,
            outcome.dismissed,
            outcome.stages,
            sources,
        )


@dataclass(frozen=True, slots=True)
class Preview:
    """What the first request of a review would send: where, to whom, which lines, about how many tokens.

    Without an endpoint nothing is sent.
    """

    endpoint: str | None = None
    model: str | None = None
    files: tuple[Examined, ...] = ()
    tokens: int = 0
    cost_usd: float | None = None
