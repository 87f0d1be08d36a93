"""``used-around: {of: X, inside: {...}}``: as ``used``, but anywhere in the outermost function around the match.

So that a closure's name is found where the function that made the closure uses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether the name is used so."""
    node = match.get(argument["of"])
    if node is None:
        return False
    scope: SgNode = file.root
    for up in match.node.ancestors():
        if up.kind() in file.syntax.functions:
            scope = up
    kinds: list[Rule] = [{"kind": kind} for kind in (*file.syntax.identifiers, *file.syntax.members)]
    uses = (use for use in scope.find_all(any=kinds) if use.text() == node.text())
    return any(use.inside(**argument["inside"]) for use in uses)
