"""``used: {of: X, inside: {...}}``: the captured name stands elsewhere in its function inside such a node.

Without ``inside`` any other use will do. ``after: true`` counts only uses behind the match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether the name is used so."""
    node = match.get(argument["of"])
    if node is None:
        return False
    end = match.node.range().end.index if argument.get("after") else -1
    rule = argument.get("inside")
    return any(
        use.range().start.index >= end and (rule is None or use.inside(**rule)) for use in file.definitions.uses(node)
    )
