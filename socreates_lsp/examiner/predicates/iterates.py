"""``iterates: {of: X, over: REGEX}``: the name is the variable of a loop around it, over something like this.

Go, Rust, Java and C++.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_VARIABLES = ("left", "pattern", "name", "declarator")
_ITERATED = ("right", "value")


def holds(file: ParsedFile, match: Match, argument: dict[str, str]) -> bool:
    """Whether the name goes over such a thing."""
    node = match.get(argument["of"])
    if node is None:
        return False
    name = re.compile(rf"\b{re.escape(node.text())}\b")
    for loop in match.node.ancestors():
        if loop.kind() not in file.syntax.loops:
            continue
        clause = next((child for child in loop.children() if child.kind() == "range_clause"), loop)
        variable = next((part for part in map(clause.field, _VARIABLES) if part is not None), None)
        iterated = next((part for part in map(clause.field, _ITERATED) if part is not None), None)
        if variable is not None and iterated is not None and name.search(variable.text()):
            return re.search(argument["over"], iterated.text()) is not None
    return False
