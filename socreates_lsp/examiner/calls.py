"""Calls as (receiver, name, arguments), read the same way from every grammar."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ast_grep_py import Rule, SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_OWNERS = ("object", "operand", "argument", "value", "scope", "path")
_WRAPPERS = frozenset(
    {"await", "await_expression", "expression_list", "parenthesized_expression", "try_expression", "as_expression"}
)
_NAMES = ("attribute", "property", "field", "name")


@dataclass(frozen=True, slots=True)
class Call:
    """``receiver`` is the text before the last dot, arrow or colons, without white space ("" if there is none).

    ``owner`` is the node of the receiver.
    """

    node: SgNode
    receiver: str
    name: str
    arguments: tuple[SgNode, ...]
    owner: SgNode | None = None


def calls(file: ParsedFile, inside: SgNode, named: str | None = None) -> Iterator[Call]:
    """All calls in a node, those of inner functions too, in the order of the text.

    ``named`` is a regular expression (Rust's kind) that must be found in the text of what is called.
    """
    for node in inside.find_all(any=[_kind(kind, field, named) for kind, field in file.syntax.calls.items()]):
        call = read_call(file, node)
        if call is not None:
            yield call


def _kind(kind: str, field: str, named: str | None) -> Rule:
    return {"kind": kind} if named is None else {"kind": kind, "has": {"field": field, "regex": named}}


def read_call(file: ParsedFile, node: SgNode) -> Call | None:
    """Read one call; None if it calls no name (a call of a call, an index)."""
    field = file.syntax.calls.get(node.kind())
    callee = None if field is None else node.field(field)
    if callee is None:
        return None
    arguments = node.field("arguments")
    given = [] if arguments is None else arguments.named_children()
    plain = tuple(one for one in given if not one.kind().endswith("comment"))
    owner, name = _parts(node if node.field("object") is not None or node.field("scope") is not None else callee)
    return None if name is None else Call(node, squeeze(owner), re.split(r"::|\\", name.text())[-1], plain, owner)


def _parts(node: SgNode) -> tuple[SgNode | None, SgNode | None]:
    owner = next((part for part in map(node.field, _OWNERS) if part is not None), None)
    name = next((part for part in map(node.field, _NAMES) if part is not None), None)
    if name is not None:
        return owner, name
    return None, node if not node.named_children() or node.kind() in {"qualified_name", "template_function"} else None


def squeeze(node: SgNode | None) -> str:
    """The text of a node without white space; "" for none."""
    return "" if node is None else "".join(node.text().split())


def targets(file: ParsedFile, call: SgNode) -> list[str]:
    """The names that the outcome of a call is bound to; ``ok`` and ``err`` for Go's ``ok, err := f()``."""
    child = call
    for up in call.ancestors():
        if up.kind() in file.syntax.assignments:
            field = up.field(file.syntax.assignments[up.kind()][0])
            inside = field is None or field.range().start.index <= child.range().start.index < field.range().end.index
            return [] if field is None or inside else re.findall(r"[^\W\d]\w*", field.text())
        if up.kind() not in _WRAPPERS:
            return []
        child = up
    return []


def mentions(text: str, names: Iterable[str]) -> bool:
    """Whether one of the names stands in the text as a whole."""
    return any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) for name in names if name)


def shown(node: SgNode) -> str:
    """How a question shows a statement or condition: no semicolon, no outer parentheses."""
    text = node.text().strip().rstrip(";")
    return text[1:-1] if text.startswith("(") and text.endswith(")") and ")" not in text[1:-1] else text
