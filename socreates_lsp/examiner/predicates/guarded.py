"""``guarded: {of: X}``: a condition of the same function looks at the captured name, before the match or around it.

``after: true`` counts the conditions behind the match as well, ``like`` only those that an expression finds.
 A match inside a loop over the name is guarded, too:
there is something in it. Go, Rust, Java, C and C++.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.calls import mentions
from socreates_lsp.examiner.conditions import conditions, looks_at

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_ITERATED = ("right", "value")


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether somebody looked."""
    node = match.get(argument["of"])
    if node is None:
        return False
    name, span, like = node.text(), match.node.range(), argument.get("like", "")
    for condition in conditions(file, match.node):
        where = condition.range()
        inside = span.start.index <= where.start.index and where.end.index <= span.end.index
        early = where.start.index <= span.start.index or argument.get("after")
        if early and not inside and looks_at(file, condition, name) and re.search(like, condition.text()):
            return True
    return like == "" and any(mentions(text.replace("..", " "), [name]) for text in _iterated(file, match.node))


def _iterated(file: ParsedFile, node: SgNode) -> list[str]:
    """What the loops around a node go over, but for a loop in whose head it stands."""
    loops = [up for up in node.ancestors() if up.kind() in file.syntax.loops]
    clauses = [clause for loop in loops for clause in loop.children() if clause.kind() == "range_clause"]
    parts = [part for one in (*loops, *clauses) for part in map(one.field, _ITERATED) if part is not None]
    start = node.range().start.index
    return [part.text() for part in parts if not part.range().start.index <= start < part.range().end.index]
