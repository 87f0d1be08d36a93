"""``used: {of: X, inside: {...}}``: the captured name stands elsewhere in its function inside such a node.

``as: {...}`` asks instead that the use itself matches a rule (with ``inside`` in it for its parent alone).
Without either any other use will do. ``after: true`` counts only uses behind the match.
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
    around, own = argument.get("inside"), argument.get("as")
    return any(
        use.range().start.index >= end
        and (around is None or use.inside(**around))
        and (own is None or use.matches(**own))
        for use in file.definitions.uses(node)
    )
