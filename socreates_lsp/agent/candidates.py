"""What the first look found and the reader does not see: candidates, for the second look to refute or to choose from.

Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.review.alike import says_again

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import Found

_SAME_WORDS = 0.5
_SURE = 0.75
"""What is left of the confidence of a candidate that no second look has seen."""

UNVERIFIED = "Not verified: there was no second look at this one."

_LEAST, _LINES_A_POINT, _MOST = 4, 40, 12


def most_points(lines: int, cap: int) -> int:
    """How many points fit a target of so many lines: 4 on a few, 6 on 200; never over ``cap`` (0: no cap)."""
    fitting = min(max(1 + lines // _LINES_A_POINT, _LEAST), _MOST)
    return min(fitting, cap) if cap else fitting


@dataclass(frozen=True, slots=True)
class Candidates:
    """Points that stand on a line, in the model's own order, and the words of those that stand on none."""

    found: tuple[Found, ...]
    ungrounded: tuple[str, ...] = ()

    def __len__(self) -> int:
        """All of them."""
        return len(self.found) + len(self.ungrounded)

    @property
    def findings(self) -> Sequence[Finding]:
        """Those that stand on a line."""
        return [found.finding for found in self.found]

    def described(self, path: Callable[[str], str]) -> list[str]:
        """Each as the second look reads it. ``path`` names a document."""
        on_lines = [_described(finding, path(finding.uri)) for finding in self.findings]
        return [*on_lines, *(f"[question] (no line was found for it)\n{message}" for message in self.ungrounded)]

    def refuted(self, chosen: Sequence[Finding]) -> Candidates:
        """Those that no chosen finding asks about: refuted, or left out."""
        return Candidates(
            tuple(one for one in self.found if not any(_same(one.finding, other) for other in chosen)),
            tuple(
                words
                for words in self.ungrounded
                if not any(says_again(words, other.message, _SAME_WORDS) for other in chosen)
            ),
        )

    def best_unverified(self, most: int) -> list[Found]:
        """The best of them, marked as not verified: the surest place first, then the model's order."""
        ranked = sorted(self.found, key=lambda found: -found.finding.confidence)[:most]
        return [replace(found, finding=_unverified(found.finding)) for found in ranked]


def _described(finding: Finding, path: str) -> str:
    first, last = finding.range.start.line + 1, finding.range.end.line + 1
    where = f"{path}:{first}" if first == last else f"{path}:{first}-{last}"
    quote = "\n".join(f"> {line}" for line in finding.quote.splitlines()[:3])
    why = f"\nWhy: {finding.why}" if finding.why else ""
    return f"[{finding.kind}] {where} {finding.category}\n{quote}\n{finding.message}{why}"


def _same(candidate: Finding, chosen: Finding) -> bool:
    """Whether a chosen finding stands on the lines of a candidate, or asks it in nearly the same words."""
    here = candidate.uri == chosen.uri and candidate.range.overlaps_lines(chosen.range)
    related = any(one.uri == candidate.uri and one.range.overlaps_lines(candidate.range) for one in chosen.related)
    return here or related or says_again(candidate.message, chosen.message, _SAME_WORDS)


def _unverified(finding: Finding) -> Finding:
    why = f"{finding.why} {UNVERIFIED}".strip()
    return replace(finding, why=why, confidence=finding.confidence * _SURE)
