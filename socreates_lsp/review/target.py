"""What a review covers, as the store of findings sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.workspace.text import Range


@dataclass(frozen=True, slots=True)
class Target:
    """The part of the workspace that a review covers.

    ``uris`` None means every document under ``root``; ``ranges`` narrows single documents to these lines.
    """

    root: str | None
    uris: frozenset[str] | None = None
    ranges: Mapping[str, Sequence[Range]] | None = None

    def covers(self, finding: Finding, root: str | None) -> bool:
        """Whether a finding, which belongs to ``root``, lies inside."""
        if self.uris is None:
            return root == self.root
        if finding.uri not in self.uris:
            return False
        spans = None if self.ranges is None else self.ranges.get(finding.uri)
        return spans is None or any(span.overlaps_lines(finding.range) for span in spans)
