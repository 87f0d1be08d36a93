"""``checked: X``: the captured name or call was looked at in a condition before the match, or in one that governs it.

Python only: the conditions of ``if``, ``elif``, ``while``, ``assert``, ``match``, of a conditional expression and
of a comprehension, and every comparison, ``and``, ``or`` and ``not``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.examiner.parsed import key

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_EXPRESSIONS = frozenset({"comparison_operator", "boolean_operator", "not_operator", "conditional_expression"})
_GOVERNING = frozenset(
    {
        "if_statement", "elif_clause", "while_statement", "assert_statement", "match_statement", "if_clause",
        "conditional_expression", "boolean_operator",
    }
)  # fmt: skip


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether a condition looks at the name."""
    node = match.get(argument)
    if node is None:
        return False
    start = match.node.range().start.index
    for use in _uses(file, node):
        condition = _condition(use)
        if condition is None:
            continue
        span = condition.range()
        if use.range().start.index < start or span.start.index <= start < span.end.index:
            return True
    return False


def _uses(file: ParsedFile, node: SgNode) -> list[SgNode]:
    """The other places of a name; of a call the other calls that read the same."""
    if node.kind() != "call":
        return file.definitions.uses(node)
    scope, text, own = file.function_of(node) or file.root, node.text(), key(node)
    return [call for call in scope.find_all(kind="call") if call.text() == text and key(call) != own]


def _condition(use: SgNode) -> SgNode | None:
    """The outermost expression or statement whose condition holds the use; None if it is in none."""
    found: SgNode | None = None
    for up in use.ancestors():
        kind = up.kind()
        if kind in {"block", "module", "lambda"}:
            break
        if kind in _EXPRESSIONS or kind in _GOVERNING:
            found = up
        if kind == "if_clause":
            return up.parent()
    return found
