"""``unreleased: X``: the captured local name holds a resource that some path leaves open. Python only.

A name that is given away (returned, yielded, stored, used by an inner function) is somebody else's to close, and so is
one that nothing here closes and that is an argument of a call that may keep it. A release is ``with``, a close in a
``finally``, or a close that nothing stands before that returns, raises or calls (reading apart).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.examiner.parsed import key

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_RELEASES = frozenset({"close", "shutdown", "quit", "terminate", "release", "cleanup", "detach"})
_READERS = re.compile(
    r"(?:^|\.)(?:json|pickle|marshal|tomllib|toml|yaml|plistlib)\.(?:load|loads|dump|safe_load|full_load)$"
    r"|(?:^|\.)csv\.(?:reader|writer|DictReader|DictWriter)$|(?:^|\.)(?:copyfileobj|parse|readline|print|len|list|iter"
    r"|enumerate|sorted|sum|next|read_csv|fstat|BeautifulSoup)$|^(?:print|len|list|iter|enumerate|sorted|next|map|str)$"
)

_HARMLESS = frozenset(
    {
        "attribute", "comparison_operator", "not_operator", "boolean_operator", "for_statement", "for_in_clause",
        "if_statement", "delete_statement", "subscript", "expression_statement", "argument_list", "keyword_argument",
    }
)  # fmt: skip


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether nobody closes it, or a return or raise comes first."""
    node = match.get(argument)
    function = file.function_of(node) if node is not None else None
    if node is None or function is None or len(file.definitions.of(node)) > 1:
        return False
    lent = False
    closed: list[SgNode] = []
    for use in file.definitions.uses(node):
        if _in_with(use) or _declared_outside(use) or _given_away(file, use, function):
            return False
        lent = lent or _lent(use)
        if (place := _release(use)) is not None and _is_called(place):
            closed.append(place)
    if any(place.inside(kind="finally_clause") for place in closed):
        return False
    usual = [place for place in closed if not place.inside(kind="except_clause")]
    return _interrupted(match.node, usual, function) if usual else not lent


def _interrupted(opened: SgNode, closed: list[SgNode], function: SgNode) -> bool:
    """Whether anything between opening and closing may leave the function."""
    start, end = opened.range().end.index, min(place.range().start.index for place in closed)
    leaving = function.find_all(any=[{"kind": "return_statement"}, {"kind": "raise_statement"}, {"kind": "call"}])
    return any(
        start < one.range().start.index < end and not one.inside(kind="except_clause") and not _plain_read(one)
        for one in leaving
    )


def _plain_read(call: SgNode) -> bool:
    callee = call.field("function") if call.kind() == "call" else None
    return callee is not None and re.search(r"\.(read|readline|readlines|fileno|seek)$", callee.text()) is not None


def _release(use: SgNode) -> SgNode | None:
    parent = use.parent()
    if parent is None or parent.kind() != "attribute":
        return None
    name = parent.field("attribute")
    return parent if name is not None and name.text() in _RELEASES else None


def _in_with(use: SgNode) -> bool:
    return use.inside(kind="with_item")


def _declared_outside(use: SgNode) -> bool:
    return use.inside(any=[{"kind": "global_statement"}, {"kind": "nonlocal_statement"}])


def _given_away(file: ParsedFile, use: SgNode, function: SgNode) -> bool:
    """Whether it is returned, yielded, stored, or used by an inner function: no longer this function's alone."""
    home = file.function_of(use)
    if home is None or key(home) != key(function):
        return True
    parent = use.parent()
    if _is_handed_closer(use):
        return True
    if parent is None or parent.kind() in _HARMLESS:
        return False
    if parent.kind() == "assignment":
        left = parent.field("left")
        return left is None or key(left) != key(use)
    return True


def _is_handed_closer(use: SgNode) -> bool:
    """Whether its bound ``close`` is handed on (to an exit stack, ``atexit``, a name), so that somebody calls it."""
    closer = _release(use)
    around = None if closer is None else closer.parent()
    if closer is None or around is None:
        return False
    return around.kind() != "expression_statement" and not _is_called(closer)


def _is_called(callee: SgNode) -> bool:
    call = callee.parent()
    function = call.field("function") if call is not None and call.kind() == "call" else None
    return function is not None and key(function) == key(callee)


def _lent(use: SgNode) -> bool:
    """Whether it is an argument of a call that may keep it."""
    parent = use.parent()
    call = parent.parent() if parent is not None and parent.kind() in {"argument_list", "keyword_argument"} else None
    if call is not None and call.kind() == "argument_list":
        call = call.parent()
    callee = call.field("function") if call is not None else None
    return callee is not None and _READERS.search(callee.text()) is None
