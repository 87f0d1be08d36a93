"""``unexplained: X``: no comment stands in the captured node, in the five lines before it, nor above its function.

For what wants a reason that may stand a little away, as Rust's ``unsafe`` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_LINES = 5


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether nobody said why."""
    node = match.get(argument)
    if node is None:
        return False
    span = file.range_of(node)
    function = file.function_of(node)
    lines = set(range(span.start.line - _LINES, span.end.line + 1))
    if function is not None and file.range_of(node).start.line - file.line_of(function) <= 2 * _LINES:
        first = file.line_of(function)
        lines |= set(range(first - _LINES, first))
    return file.comment_lines.isdisjoint(lines)
