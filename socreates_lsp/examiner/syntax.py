"""The few facts of a grammar that the examiner needs, per language. Node kinds are tree-sitter's.

Source of the kinds: the ``node-types.json`` of each tree-sitter grammar that ast-grep 0.51 bundles.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Syntax:
    """``assignments`` maps a kind to the fields of its target and its value."""

    functions: frozenset[str]
    classes: frozenset[str]
    assignments: dict[str, tuple[str, str]]
    calls: dict[str, str]
    identifiers: frozenset[str]
    members: dict[str, tuple[str, str]]
    comments: frozenset[str] = frozenset({"comment"})
    compounds: frozenset[str] = frozenset()
    loops: frozenset[str] = frozenset()


_JAVASCRIPT = Syntax(
    functions=frozenset(
        {
            "function_declaration", "function_expression", "arrow_function", "method_definition",
            "generator_function_declaration", "generator_function",
        }
    ),
    classes=frozenset({"class_declaration", "class", "abstract_class_declaration"}),
    assignments={
        "variable_declarator": ("name", "value"),
        "assignment_expression": ("left", "right"),
        "augmented_assignment_expression": ("left", "right"),
    },
    calls={"call_expression": "function", "new_expression": "constructor"},
    identifiers=frozenset({"identifier", "shorthand_property_identifier"}),
    members={"member_expression": ("object", "property")},
    compounds=frozenset(
        {
            "if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement",
            "try_statement", "switch_case",
        }
    ),
    loops=frozenset({"for_statement", "for_in_statement", "while_statement", "do_statement"}),
)  # fmt: skip

_C = Syntax(
    functions=frozenset({"function_definition"}),
    classes=frozenset(),
    assignments={"init_declarator": ("declarator", "value"), "assignment_expression": ("left", "right")},
    calls={"call_expression": "function"},
    identifiers=frozenset({"identifier"}),
    members={"field_expression": ("argument", "field")},
    compounds=frozenset({"if_statement", "for_statement", "while_statement", "do_statement", "case_statement"}),
    loops=frozenset({"for_statement", "while_statement", "do_statement"}),
)

SYNTAX: dict[str, Syntax] = {
    "python": Syntax(
        functions=frozenset({"function_definition", "lambda"}),
        classes=frozenset({"class_definition"}),
        assignments={
            "assignment": ("left", "right"),
            "augmented_assignment": ("left", "right"),
            "named_expression": ("name", "value"),
        },
        calls={"call": "function"},
        identifiers=frozenset({"identifier"}),
        members={"attribute": ("object", "attribute")},
        compounds=frozenset(
            {
                "if_statement", "for_statement", "while_statement", "try_statement", "with_statement",
                "elif_clause", "case_clause",
            }
        ),
        loops=frozenset({"for_statement", "while_statement"}),
    ),
    "javascript": _JAVASCRIPT,
    "typescript": _JAVASCRIPT,
    "tsx": _JAVASCRIPT,
    "go": Syntax(
        functions=frozenset({"function_declaration", "method_declaration", "func_literal"}),
        classes=frozenset(),
        assignments={
            "short_var_declaration": ("left", "right"),
            "assignment_statement": ("left", "right"),
            "var_spec": ("name", "value"),
            "const_spec": ("name", "value"),
        },
        calls={"call_expression": "function"},
        identifiers=frozenset({"identifier"}),
        members={"selector_expression": ("operand", "field")},
        compounds=frozenset(
            {"if_statement", "for_statement", "expression_case", "type_case", "communication_case"}
        ),
        loops=frozenset({"for_statement"}),
    ),
    "rust": Syntax(
        functions=frozenset({"function_item", "closure_expression"}),
        classes=frozenset({"impl_item", "trait_item"}),
        assignments={
            "let_declaration": ("pattern", "value"),
            "let_condition": ("pattern", "value"),
            "assignment_expression": ("left", "right"),
            "compound_assignment_expr": ("left", "right"),
            "const_item": ("name", "value"),
            "static_item": ("name", "value"),
        },
        calls={"call_expression": "function", "macro_invocation": "macro"},
        identifiers=frozenset({"identifier"}),
        members={"field_expression": ("value", "field"), "scoped_identifier": ("path", "name")},
        comments=frozenset({"line_comment", "block_comment"}),
        compounds=frozenset(
            {"if_expression", "for_expression", "while_expression", "loop_expression", "match_arm"}
        ),
        loops=frozenset({"for_expression", "while_expression", "loop_expression"}),
    ),
    "java": Syntax(
        functions=frozenset({"method_declaration", "constructor_declaration", "lambda_expression"}),
        classes=frozenset(
            {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}
        ),
        assignments={
            "variable_declarator": ("name", "value"),
            "assignment_expression": ("left", "right"),
            "resource": ("name", "value"),
        },
        calls={"method_invocation": "name", "object_creation_expression": "type"},
        identifiers=frozenset({"identifier"}),
        members={"field_access": ("object", "field"), "method_invocation": ("object", "name")},
        comments=frozenset({"line_comment", "block_comment"}),
        compounds=frozenset(
            {
                "if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement",
                "try_statement", "try_with_resources_statement", "switch_block_statement_group", "switch_rule",
            }
        ),
        loops=frozenset({"for_statement", "enhanced_for_statement", "while_statement", "do_statement"}),
    ),
    "php": Syntax(
        functions=frozenset({"function_definition", "method_declaration", "anonymous_function", "arrow_function"}),
        classes=frozenset({"class_declaration", "trait_declaration", "interface_declaration"}),
        assignments={
            "assignment_expression": ("left", "right"),
            "augmented_assignment_expression": ("left", "right"),
        },
        calls={
            "function_call_expression": "function",
            "member_call_expression": "name",
            "scoped_call_expression": "name",
            "object_creation_expression": "type",
        },
        identifiers=frozenset({"variable_name"}),
        members={
            "member_access_expression": ("object", "name"),
            "member_call_expression": ("object", "name"),
            "scoped_call_expression": ("scope", "name"),
        },
        compounds=frozenset(
            {
                "if_statement", "for_statement", "foreach_statement", "while_statement", "do_statement",
                "try_statement", "case_statement", "else_if_clause",
            }
        ),
        loops=frozenset({"for_statement", "foreach_statement", "while_statement", "do_statement"}),
    ),
    "c": _C,
    "cpp": Syntax(
        functions=frozenset({"function_definition", "lambda_expression"}),
        classes=frozenset({"class_specifier", "struct_specifier"}),
        assignments=_C.assignments,
        calls={"call_expression": "function", "new_expression": "type"},
        identifiers=frozenset({"identifier", "field_identifier"}),
        members={"field_expression": ("argument", "field"), "qualified_identifier": ("scope", "name")},
        compounds=_C.compounds | {"for_range_loop", "try_statement"},
        loops=_C.loops | {"for_range_loop"},
    ),
}  # fmt: skip
"""The languages with rules, by the names of workspace/languages.py; ast-grep knows them by the same names."""
