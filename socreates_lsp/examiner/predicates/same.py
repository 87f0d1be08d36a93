"""``same: [X, Y]``: the captured parts read alike, white space aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: list[str]) -> bool:  # noqa: ARG001  (one signature)
    """Whether all the parts are there and have one text."""
    nodes = [match.get(name) for name in argument]
    return len({"" if node is None else "".join(node.text().split()) for node in nodes} | {""}) == 2
