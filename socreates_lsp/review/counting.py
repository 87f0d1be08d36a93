"""Numbers of things in words. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.review.finding import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.review.finding import Finding


def counted(number: int, noun: str) -> str:
    """``1 line``, ``2 lines``, ``1,000 lines``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def tally_of(findings: Sequence[Finding]) -> str:
    """``2 questions and 1 warning``; empty without findings."""
    questions = sum(finding.kind is Kind.QUESTION for finding in findings)
    warnings = len(findings) - questions
    parts = [counted(n, noun) for n, noun in ((questions, "question"), (warnings, "warning")) if n]
    return " and ".join(parts)
