"""The places of a function where something is decided, so that a rule can ask whether a name was looked at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from socreates_lsp.examiner.calls import mentions
from socreates_lsp.examiner.parsed import key

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_IF_C = (
    "if_statement", "while_statement", "do_statement", "for_statement", "conditional_expression", "switch_statement",
)  # fmt: skip
_HEADED: dict[str, tuple[str, ...]] = {
    "go": ("if_statement", "for_clause"),
    "rust": ("if_expression", "while_expression"),
    "java": (
        "if_statement", "while_statement", "do_statement", "for_statement", "ternary_expression", "switch_expression",
    ),
    "c": _IF_C,
    "cpp": _IF_C,
}  # fmt: skip
"""Kinds whose field ``condition`` is one."""
_VALUED: dict[str, tuple[str, ...]] = {
    "go": ("expression_switch_statement",),
    "rust": ("match_expression", "let_condition"),
}
"""Kinds whose field ``value`` is one."""
_CALLED = {"java": ("method_invocation", "name"), "rust": ("macro_invocation", "macro")}
_ASSERTS = "(?i)(assert|check|require|expect|verify|ensure|likely|valid|is_?(null|empty|ok|err)|fail|warn_on|bug_on)"
_LOGICAL = re.compile(r"==|!=|<=|>=|&&|\|\||<|>")

_known: WeakKeyDictionary[ParsedFile, dict[tuple[int, int, str], list[SgNode]]] = WeakKeyDictionary()


def conditions(file: ParsedFile, node: SgNode) -> list[SgNode]:
    """The conditions in the function around a node (else in the file), in the order of the text.

    They are the heads of ``if``, loops, ``switch`` and ``match``, comparisons and logical expressions wherever
    they stand, negations, and what is given to a function or macro that is called like an assertion.
    """
    scope = file.function_of(node) or file.root
    by_scope = _known.setdefault(file, {})
    place = key(scope)
    if place not in by_scope:
        by_scope[place] = _read(file, scope)
    return by_scope[place]


def looks_at(file: ParsedFile, condition: SgNode, name: str) -> bool:
    """Whether a condition mentions a name (``x`` or ``a.b``), as a whole."""
    return mentions(condition.text(), [name]) or (
        file.language in {"c", "cpp"} and mentions(condition.text().replace("->", "."), [name.replace("->", ".")])
    )


def _read(file: ParsedFile, scope: SgNode) -> list[SgNode]:
    headed, valued = _HEADED.get(file.language, ()), _VALUED.get(file.language, ())
    called, field = _CALLED.get(file.language, ("call_expression", "function"))
    kinds: list[Rule] = [{"kind": kind} for kind in (*headed, *valued, "binary_expression", "unary_expression")]
    kinds.append({"kind": called, "has": {"field": field, "regex": _ASSERTS}})
    if file.language == "java":
        kinds.append({"kind": "assert_statement"})
    found: list[SgNode] = []
    for node in scope.find_all(any=kinds):
        kind = node.kind()
        if kind in headed:
            head = node.field("condition")
        elif kind in valued:
            head = node.field("value")
        elif kind in {"binary_expression", "unary_expression"}:
            operator = node.field("operator")
            text = operator.text() if operator is not None else node.text()[0]
            head = node if text == "!" or _LOGICAL.fullmatch(text) else None
        else:
            head = node
        if head is not None:
            found.append(head)
    return found
