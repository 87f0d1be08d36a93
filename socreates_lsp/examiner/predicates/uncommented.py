"""``uncommented: X``: no comment on the lines of the captured node, nor on the line before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether nobody explained this on the spot."""
    node = match.get(argument)
    if node is None:
        return False
    span = file.range_of(node)
    return file.comment_lines.isdisjoint(range(span.start.line - 1, span.end.line + 1))
