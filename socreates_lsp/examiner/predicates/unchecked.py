"""``unchecked: {of: X, use: [{...}], as: USE}``: the captured name is used so before any condition looks at it.

``use`` are rules for the place where the name stands (with ``inside`` for what is around it). Only uses behind the
match count; USE is bound to the first of them. Go, Rust, Java, C and C++.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.conditions import conditions

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether it is used unseen."""
    node = match.get(argument["of"])
    if node is None:
        return False
    spans = [condition.range() for condition in conditions(file, match.node)]
    own = match.node.range()
    in_c = file.language in {"c", "cpp"}
    if any(span.start.index <= own.start.index and own.end.index <= span.end.index for span in spans):
        return False
    for use in file.definitions.uses(node):
        start = use.range().start.index
        if start < own.end.index or (in_c and use.inside(kind="sizeof_expression")):
            continue
        if any(use.matches(**rule) for rule in argument["use"]):
            if "as" in argument:
                match.parts[argument["as"]] = use
            return True
        if any(span.start.index <= start < span.end.index for span in spans):
            return False
    return False
