"""``next-use: {of: X, is: [write]}``: what the statements behind the match do first with the captured name.

``read``: they read it. ``write``: they set it anew without reading it. ``none``: they never name it again up to the
end of the block. ``never``: nothing that runs later in the function names it, and it is the function's own.
``lap``: the loop around sets it anew in every pass, and nothing in the loop reads it.

Only the statements that follow in the same block are read, in order; a nested statement that names it counts as
reading. ``as: USE`` binds the use.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.declarations import declarations
from socreates_lsp.examiner.parsed import key
from socreates_lsp.examiner.statements import BLOCKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import Rule, SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether the next use is one of the wanted sorts."""
    node = match.get(argument["of"])
    if node is None:
        return False
    wanted = argument["is"]
    for statement in _following(file, match.node, node.text()):
        uses = _uses(file, statement, node.text())
        if uses:
            sort = "write" if _only_writes(file, statement, uses) else "read"
            if sort in wanted and "as" in argument:
                match.parts[argument["as"]] = uses[0]
            return sort in wanted
    if "never" in wanted and _is_last(file, match.node, node):
        return True
    return "none" in wanted or ("lap" in wanted and _is_set_each_lap(file, match.node, node))


def _is_set_each_lap(file: ParsedFile, place: SgNode, node: SgNode) -> bool:
    """Whether the statement stands right in the body of a loop that names nothing of it elsewhere."""
    around = [up for up in place.ancestors() if up.kind() not in BLOCKS][:1]
    if not around or around[0].kind() not in file.syntax.loops:
        return False
    left = around[0].find(any=[{"kind": kind} for kind in _LEAVES[file.language]]) if file.language in _LEAVES else None
    return left is None and len(_uses(file, around[0], node.text())) == 1


_LEAVES = {"go": ("break_statement", "return_statement", "goto_statement")}
"""What may keep the last pass from setting it. Only Go has such a question so far."""


def _is_last(file: ParsedFile, place: SgNode, node: SgNode) -> bool:
    """Whether the function declares the name itself, and neither the rest of it nor a loop around reads it again."""
    scope, start, end = file.function_of(place), place.range().start.index, place.range().end.index
    if scope is None or not _is_own(file, scope, node):
        return False
    found = _uses(file, scope, node.text())
    if any((function := file.function_of(use)) is None or key(function) != key(scope) for use in found):
        return False
    uses = [use.range().start.index for use in found]
    loops = [up.range().start.index for up in place.ancestors() if up.kind() in file.syntax.loops]
    earliest = min((loop for loop in loops if loop > scope.range().start.index), default=start)
    return not any(use >= end or earliest <= use < start for use in uses)


def _is_own(file: ParsedFile, scope: SgNode, node: SgNode) -> bool:
    result = scope.field("result")
    if result is not None and re.search(rf"\b{re.escape(node.text())}\b", result.text()):
        return False
    place = key(scope)
    if any(one.scope == place for one in declarations(file, node)):
        return True
    short = scope.find_all(kind="short_var_declaration", has={"field": "left", "has": {"regex": f"^{node.text()}$"}})
    around = (file.function_of(one) for one in short)
    return any(function is not None and key(function) == place for function in around)


def _following(file: ParsedFile, node: SgNode, name: str) -> Iterator[SgNode]:
    """The statements behind the one that a node is or stands in; none if that one sets the name itself."""
    statement = node
    for up in node.ancestors():
        kind = up.kind()
        if kind in BLOCKS or kind in {"case_statement", "expression_case", "communication_case"}:
            yield from (after for after in statement.next_all() if after.is_named())
            return
        if kind in file.syntax.functions:
            return
        if kind in file.syntax.assignments:
            target = up.field(file.syntax.assignments[kind][0])
            if target is not None and target.text() == name:
                return
        statement = up


def _uses(file: ParsedFile, node: SgNode, name: str) -> list[SgNode]:
    kinds: list[Rule] = [{"kind": kind} for kind in (*file.syntax.identifiers, *file.syntax.members)]
    return [use for use in node.find_all(any=kinds) if use.text() == name and use.kind() != "field_identifier"]


def _only_writes(file: ParsedFile, statement: SgNode, uses: list[SgNode]) -> bool:
    """Whether a plain statement sets the name and reads it nowhere."""
    inner = statement
    if statement.kind() == "expression_statement" and statement.named_children():
        inner = statement.named_children()[0]
    if inner.kind() not in file.syntax.assignments:
        return False
    targets = inner.field_children(file.syntax.assignments[inner.kind()][0])
    named = [child for target in targets for child in (target, *target.named_children())]
    operator = inner.field("operator")
    plain = operator is None or operator.text() in {"=", ":="}
    return plain and len(uses) == 1 and any(one.text() == uses[0].text() for one in named)
