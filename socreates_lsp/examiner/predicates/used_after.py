"""``used-after: {of: P, as: USE}``: the statements that run after the match look into what P points to, or free it.

The statements of the same block are read in order, then those behind the ``if`` or block around it, up to the first
that leaves, sets the name anew, or takes its address. USE is bound to the use. C and C++.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.statements import EXITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import Rule, SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_ENDS = re.compile(
    r"^(?:std::)?\w*(?:exit|abort|fatal|die|errx?|panic|longjmp|usage|unreachable|terminate|throw|croak)\w*\s*[(;]"
    r"|^\w*(?:RETURN|THROW|GOTO|FAIL)\w*\s*[(;]|^[A-Z][A-Z0-9_]{2,}\s*\("
)
"""Calls that may not come back, and macros: who knows what they do."""
_DIRECTIVE = re.compile(r"^[ \t]*#", re.MULTILINE)
_BLOCKS = frozenset({"compound_statement", "case_statement", "translation_unit", "labeled_statement"})
_BRANCHES = frozenset({"if_statement", "else_clause", "compound_statement"})
_PLAIN = frozenset({"expression_statement", "declaration", "assignment_expression"})
_STOPS = frozenset({"case_statement", "labeled_statement", "else_clause"})


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether it is used so."""
    node = match.get(argument["of"])
    if node is None:
        return False
    name = node.text()
    for statement, nested in _following(match.node):
        if statement.kind() in EXITS | {"throw_statement"} and not _uses(file, statement, name):
            return False
        uses = _uses(file, statement, name)
        if uses:
            uses = _read_before_set(statement, uses, name)
            if not uses or (nested and statement.kind() not in _PLAIN):
                return False
            use = next(filter(_looks_inside, uses), None)
            if use is None or _frees_otherwise(match.node, use):
                return False
            between = file.text.content[match.node.range().end.index : use.range().start.index]
            match.parts[argument["as"]] = use
            return _DIRECTIVE.search(between) is None
        if statement.kind() in EXITS or _ENDS.match(statement.text()) or statement.kind().startswith("preproc"):
            return False
    return False


def _following(node: SgNode) -> Iterator[tuple[SgNode, bool]]:
    """The statements behind one, each with whether it stands outside of the block of the one."""
    nested = False
    statement = node
    for up in node.ancestors():
        kind = up.kind()
        if kind in _BLOCKS:
            for after in statement.next_all():
                if after.kind() in _STOPS or after.kind().startswith("preproc"):
                    return
                if after.is_named() and after.kind() != "comment":
                    yield after, nested
        if kind == "for_statement" and (update := up.field("update")) is not None:
            yield update, nested
        if kind not in _BRANCHES or (kind == "compound_statement" and not _is_arm(up)):
            return
        nested = nested or kind != "compound_statement"
        statement = up


def _is_arm(block: SgNode) -> bool:
    """Whether a block belongs to an ``if``: a bare one may be the body of a macro that loops."""
    parent = block.parent()
    return parent is not None and parent.kind() in {"if_statement", "else_clause", "for_statement"}


def _uses(file: ParsedFile, node: SgNode, name: str) -> list[SgNode]:
    kinds: list[Rule] = [{"kind": kind} for kind in (*file.syntax.identifiers, *file.syntax.members)]
    found = [use for use in node.find_all(any=kinds) if use.text() == name and use.kind() != "field_identifier"]
    return [use for use in found if not use.inside(kind="sizeof_expression")]


def _read_before_set(statement: SgNode, uses: list[SgNode], name: str) -> list[SgNode]:
    """The uses that read the old value: of ``n = n->next`` the second, where the name is set otherwise none."""
    inner = statement.named_children()[0] if statement.kind() == "expression_statement" else statement
    left, right = inner.field("left"), inner.field("right")
    if inner.kind() == "assignment_expression" and left is not None and right is not None and left.text() == name:
        start = right.range().start.index
        return [use for use in uses if use.range().start.index >= start]
    return [] if _is_set(statement, name) else uses


def _is_set(statement: SgNode, name: str) -> bool:
    """Whether the name is set anew in the statement, or its address is taken, or it is declared again."""
    escaped = re.escape(name)
    ways = rf"&\s*{escaped}|{escaped}\s*=(?!=)|>>\s*{escaped}|\*+\s*{escaped}\s*[,;=]"
    return re.search(rf"(?<![\w.>])(?:{ways})(?!\w)|[*&]\s*{escaped}\s*:|\({escaped} =", statement.text()) is not None


def _frees_otherwise(first: SgNode, use: SgNode) -> bool:
    """Whether another function frees what is left: ``x_free(p)`` may free only what p holds."""
    callee = re.match(r"[\w:]+", first.text())
    call = next((up for up in use.ancestors() if up.kind() == "call_expression"), None)
    function = None if call is None else call.field("function")
    return (
        function is not None
        and callee is not None
        and re.search(r"(?i)free|release|destroy|delete", function.text()) is not None
        and function.text() != callee[0]
    )


def _looks_inside(use: SgNode) -> bool:
    parent = use.parent()
    if parent is None:
        return False
    kind = parent.kind()
    if kind == "pointer_expression":
        return parent.text().startswith("*")
    if kind in {"subscript_expression", "field_expression"}:
        argument = parent.field("argument")
        return argument is not None and argument.range().start.index == use.range().start.index
    return kind in {"argument_list", "delete_expression"}
