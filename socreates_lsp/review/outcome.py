"""What a review came to: the result that the server answers and the command line prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.reviewer import Closed, Usage

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
class Preview:
    """What the first request of a review would send: where, to whom, which lines, about how many tokens.

    Without an endpoint nothing is sent.
    """

    endpoint: str | None = None
    model: str | None = None
    files: tuple[Examined, ...] = ()
    tokens: int = 0
    cost_usd: float | None = None
