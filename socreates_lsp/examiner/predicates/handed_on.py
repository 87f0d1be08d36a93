"""``handed-on: {of: E, in: BODY}``: the caught exception is given to something in its handler, or thrown again.

To a call, to a new exception, to a field or a variable. A method called on it (``e.getMessage()``) is not that.
``logged: false`` leaves out what only writes it down.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_LOGS = re.compile(r"(?i)^(?:log\w*|print\w*|warn\w*|error|info|debug|trace|[diwev]|severe|fine\w*)$")
_CAUSE = re.compile(r"^(?:getCause|getTargetException|fillInStackTrace|getSuppressed|getStackTrace)$")


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:  # noqa: ARG001  (one signature)
    """Whether somebody gets the exception itself."""
    node, body = match.get(argument["of"]), match.get(argument["in"])
    if node is None or body is None:
        return False
    uses = [use for use in body.find_all(kind="identifier") if use.text() == node.text()]
    return any(_given(use, logged=argument.get("logged", True)) for use in uses)


def _given(use: SgNode, *, logged: bool) -> bool:
    parent = use.parent()
    while parent is not None and parent.kind() in {"cast_expression", "parenthesized_expression"}:
        parent = parent.parent()
    if parent is None:
        return False
    if parent.kind() == "argument_list":
        call = parent.parent()
        name = None if call is None else call.field("name")
        return logged or name is None or not _LOGS.match(name.text())
    if parent.kind() == "method_invocation":
        name = parent.field("name")
        return name is not None and _CAUSE.match(name.text()) is not None
    return parent.kind() in {"throw_statement", "assignment_expression", "variable_declarator", "return_statement"}
