"""``loop-captured: X``: the captured lambda or inner function uses a name that a loop around it binds anew each round.

Python only. For an inner function X is its name. A parameter of the same name (``lambda i=i: ...``) binds it in time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_COMPREHENSIONS = frozenset({"list_comprehension", "dictionary_comprehension", "set_comprehension"})


def holds(file: ParsedFile, match: Match, argument: str) -> bool:  # noqa: ARG001  (one signature)
    """Whether the closure looks up a loop's variable when it is called."""
    node = match.get(argument)
    closure = node.parent() if node is not None and node.kind() == "identifier" else node
    body = closure.field("body") if closure is not None else None
    if closure is None or body is None:
        return False
    bound = _loop_names(closure)
    if not bound:
        return False
    parameters = closure.field("parameters")
    own = _names(parameters) if parameters is not None else set[str]()
    assigned = {one.text() for target in body.find_all(kind="assignment") for one in target.field_children("left")}
    return bool(_names(body) & bound - own - assigned)


def _loop_names(closure: SgNode) -> set[str]:
    names: set[str] = set()
    for up in closure.ancestors():
        if up.kind() in {"function_definition", "class_definition", "lambda"}:
            break
        if up.kind() == "for_statement":
            left = up.field("left")
            names |= _names(left) if left is not None else set()
        elif up.kind() in _COMPREHENSIONS:
            for clause in up.children():
                left = clause.field("left") if clause.kind() == "for_in_clause" else None
                names |= _names(left) if left is not None else set()
    return names


def _names(node: SgNode) -> set[str]:
    """The identifiers in a node that are no attribute's name and no keyword's."""
    identifiers = [node] if node.kind() == "identifier" else node.find_all(kind="identifier")
    return {one.text() for one in identifiers if not _labels(one)}


def _labels(identifier: SgNode) -> bool:
    """Whether it is the ``b`` of ``a.b`` or of ``f(b=...)``."""
    parent = identifier.parent()
    field = {"attribute": "object", "keyword_argument": "value"}.get(parent.kind()) if parent is not None else None
    if parent is None or field is None:
        return False
    named = parent.field(field)
    return named is None or named.range().start.index != identifier.range().start.index
