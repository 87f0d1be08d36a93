"""``escapes: {of: X}``: the captured name is handed on: returned, stored, put into a value, given to a call.

What is done with it otherwise (a method called on it, a member read, a comparison) does not count. ``calls: false``
leaves out the arguments of calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_HANDING = frozenset(
    {
        "return_statement", "return_expression", "composite_literal", "literal_value", "literal_element",
        "keyed_element", "initializer_list", "array_expression", "struct_expression", "field_initializer",
        "shorthand_field_initializer", "send_statement", "array_initializer", "tuple_expression", "yield_statement",
        "throw_statement", "co_return_statement", "lambda_capture_specifier", "macro_invocation", "token_tree",
    }
)  # fmt: skip
_WRAPPING = frozenset(
    {
        "expression_list", "parenthesized_expression", "cast_expression", "unary_expression", "pointer_expression",
        "reference_expression", "type_assertion_expression", "literal_element", "conditional_expression",
        "ternary_expression", "as_expression",
    }
)  # fmt: skip
_ARGUMENTS = frozenset({"argument_list", "arguments"})


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether somebody else gets it."""
    node = match.get(argument["of"])
    if node is None:
        return False
    own = match.node.range()
    return any(
        handed_on(file, use, calls=argument.get("calls", True))
        for use in file.definitions.uses(node)
        if not own.start.index <= use.range().start.index < own.end.index
    )


def handed_on(file: ParsedFile, use: SgNode, *, calls: bool) -> bool:
    """Whether this one use hands the name on."""
    child = use
    for up in use.ancestors():
        kind = up.kind()
        if kind in _ARGUMENTS:
            return calls
        if kind in _HANDING:
            return True
        if kind in file.syntax.assignments:
            value = up.field(file.syntax.assignments[kind][1])
            return (
                value is not None and value.range().start.index <= child.range().start.index < value.range().end.index
            )
        if kind not in _WRAPPING:
            # The last expression of a Rust block is its value.
            return kind == "block" and file.language == "rust"
        child = up
    return False
