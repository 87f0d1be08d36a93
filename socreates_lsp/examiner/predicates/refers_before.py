"""``refers-before: {of: XS, as: REF}``: before the match, a reference, pointer or iterator into a vector was taken.

XS must be declared as a vector, string or deque; REF is bound to the name that refers into it. C++.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.examiner.declarations import declarations

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_MOVES = re.compile(r"\b(?:vector|string|deque)\b")


def holds(file: ParsedFile, match: Match, argument: dict[str, str]) -> bool:
    """Whether something refers into the container."""
    node = match.get(argument["of"])
    if node is None:
        return False
    types = [kind for one in declarations(file, node) if (kind := one.node.field("type")) is not None]
    if not types or not all(_MOVES.search(kind.text()) for kind in types):
        return False
    for sibling in match.node.prev_all():
        if sibling.kind() == "declaration":
            name = _refers(sibling, re.escape(node.text()))
            if name is not None:
                match.parts[argument["as"]] = name
                return True
    return False


def _refers(declaration: SgNode, container: str) -> SgNode | None:
    """The name that a declaration binds to a place in the container."""
    declarator = declaration.field("declarator")
    if declarator is None or declarator.kind() != "init_declarator":
        return None
    target, value = declarator.field("declarator"), declarator.field("value")
    if target is None or value is None:
        return None
    text = value.text()
    into = rf"{container}\s*(?:\[|\.(?:back|front|at)\()"
    found = (
        (target.kind() == "reference_declarator" and re.match(into, text))
        or (target.kind() in {"pointer_declarator", "identifier"} and re.match(rf"&\s*{into}", text))
        or re.match(rf"(?:std::\w+\(\s*)?{container}\s*\.(?:c?r?begin|c?r?end|find|data|c_str)\(", text)
    )
    return target.find(kind="identifier") if found else None
