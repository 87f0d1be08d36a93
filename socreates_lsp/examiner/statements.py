"""Statements in the order in which they run, read the same way from every grammar.

Tree-sitter's grammars name their kinds alike: an ``if_statement`` is one in Python, Go, PHP and C. So the kinds
of all languages stand in one table each, and what differs is where the parts hang.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ast_grep_py import Rule, SgNode

_CURLY = ("statement_block", "class_body", "switch_body", "program")
_C = ("compound_statement", "translation_unit", "case_statement")
BLOCKS_OF: dict[str, tuple[str, ...]] = {
    "python": ("block", "module"),
    "javascript": _CURLY,
    "typescript": _CURLY,
    "tsx": _CURLY,
    "go": (
        "source_file", "statement_list", "expression_switch_statement", "type_switch_statement", "select_statement",
    ),
    "rust": ("block", "source_file", "match_block", "declaration_list"),
    "java": (
        "block", "program", "switch_block", "class_body", "constructor_body", "interface_body",
        "enum_body_declarations", "switch_block_statement_group",
    ),
    "php": (
        "compound_statement", "program", "switch_block", "declaration_list", "match_block", "colon_block",
        "case_statement", "default_statement",
    ),
    "c": _C,
    "cpp": (*_C, "field_declaration_list", "declaration_list"),
}  # fmt: skip
"""Kinds whose named children are siblings in order (statements, cases, methods), per language."""
ARMS = frozenset(
    {
        "case_clause", "switch_case", "switch_default", "expression_case", "default_case", "type_case",
        "communication_case", "match_arm", "switch_block_statement_group", "switch_rule", "case_statement",
        "default_statement",
    }
)  # fmt: skip
"""The cases of a switch or match."""
BLOCKS = frozenset(kind for kinds in BLOCKS_OF.values() for kind in kinds) - ARMS
IFS = frozenset({"if_statement", "if_expression", "elif_clause", "else_if_clause"})
LOOPS = frozenset(
    {
        "for_statement", "while_statement", "do_statement", "for_in_statement", "enhanced_for_statement",
        "foreach_statement", "for_range_loop", "for_expression", "while_expression", "loop_expression",
    }
)  # fmt: skip
EXITS = frozenset(
    {
        "return_statement", "raise_statement", "throw_statement", "break_statement", "continue_statement",
        "goto_statement", "return_expression", "break_expression", "continue_expression", "throw_expression",
        "exit_statement", "co_return_statement",
    }
)  # fmt: skip
"""Statements after which the next one does not run."""
_SWITCHES = frozenset(
    {
        "match_statement", "switch_statement", "switch_expression", "expression_switch_statement",
        "type_switch_statement", "select_statement", "match_expression",
    }
)  # fmt: skip
_TRIES = frozenset({"try_statement", "try_with_resources_statement"})
_HANDLERS = frozenset({"except_clause", "except_group_clause", "catch_clause"})
_SCOPES = frozenset(
    {"with_statement", "synchronized_statement", "labeled_statement", "unsafe_block", "else_clause", "finally_clause"}
)
_LABELS = frozenset(
    {
        "statement_identifier", "label_name", "switch_label", "case_pattern", "match_pattern", "expression_list",
        "if_clause",
    }
)  # fmt: skip
_DEEPEST = 60
"""Levels of nesting that are read; what lies deeper counts as one plain statement (Python's stack is finite)."""


class Role(Enum):
    """What a statement does to the order in which the others run."""

    PLAIN = auto()
    BRANCH = auto()
    SWITCH = auto()
    LOOP = auto()
    TRY = auto()
    SCOPE = auto()
    EXIT = auto()
    DEFER = auto()


@dataclass(frozen=True, slots=True)
class Handler:
    """A ``catch`` or ``except``: ``node`` is the whole clause."""

    node: SgNode
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One statement. ``heads`` run first (conditions, resources, the iterated value), then the parts.

    ``arms`` are the ways of a branch or switch (``complete`` when one of them is always taken), or the one body
    of a loop, scope or try; ``after`` is what runs at the end of a try in any case.
    """

    node: SgNode
    role: Role
    heads: tuple[SgNode, ...] = ()
    arms: tuple[tuple[Step, ...], ...] = ()
    complete: bool = False
    handlers: tuple[Handler, ...] = ()
    after: tuple[Step, ...] = ()


def steps(nodes: Iterable[SgNode]) -> tuple[Step, ...]:
    """The statements in order. Plain blocks are opened; comments are left out."""
    return _steps(nodes, 0)


def body_steps(function: SgNode) -> tuple[Step, ...]:
    """The statements of a function; a lambda's single expression counts as one."""
    body = function.field("body")
    return () if body is None else steps([body])


def siblings(root: SgNode, language: str) -> list[list[tuple[SgNode, str]]]:
    """The children of every block, each with its kind; comments are left out."""
    kinds: list[Rule] = [{"kind": kind} for kind in BLOCKS_OF[language]]
    blocks = ([(child, child.kind()) for child in block.named_children()] for block in root.find_all(any=kinds))
    return [[child for child in block if not child[1].endswith("comment")] for block in blocks]


def chain(node: SgNode) -> list[tuple[SgNode, SgNode]]:
    """The first condition and the body of each arm of an ``if`` with its ``else if``s, however they are nested.

    Nothing if the node is no ``if`` (nor a statement that consists of one, as in Rust).
    """
    arms: list[tuple[SgNode, SgNode]] = []
    waiting = deque([node])
    while waiting:
        part = waiting.popleft()
        inner = part.named_children() if part.kind() in {"else_clause", "expression_statement"} else [part]
        if len(inner) == 1 and inner[0].kind() in IFS:
            heads, body, others = _if_parts(inner[0])
            if heads and body is not None:
                arms.append((heads[0], body))
            waiting.extendleft(reversed(others))
    return arms


def _steps(nodes: Iterable[SgNode], depth: int) -> tuple[Step, ...]:
    return tuple(step for node in nodes for step in _read(node, depth))


def _read(node: SgNode, depth: int) -> Iterator[Step]:
    kind = node.kind()
    if kind.endswith("comment"):
        return
    if depth > _DEEPEST:
        yield Step(node, Role.PLAIN)
    elif kind in EXITS:
        yield Step(node, Role.EXIT)
    elif kind in _READERS:
        yield _READERS[kind](node, depth + 1)
        if kind in LOOPS and (otherwise := node.field("alternative")) is not None:
            yield from _read(otherwise, depth + 1)
    elif kind in BLOCKS:
        for child in node.named_children():
            yield from _read(child, depth + 1)
    elif kind == "expression_statement" and (inner := _compound_inside(node)) is not None:
        yield from _read(inner, depth)
    else:
        yield Step(node, Role.DEFER if kind == "defer_statement" else Role.PLAIN)


def _compound_inside(statement: SgNode) -> SgNode | None:
    """Rust's ``if`` and PHP's ``throw`` are expressions; as a statement they are what they look like."""
    children = statement.named_children()
    kind = children[0].kind() if children else ""
    return children[0] if kind in EXITS or kind in _READERS or kind == "block" else None


def _branch(node: SgNode, depth: int) -> Step:
    """A chain of ``else if`` is one flat branch, however the grammar nests it."""
    heads, body, alternatives = _if_parts(node)
    others = deque(alternatives)
    arms = [_steps([body], depth) if body is not None else ()]
    complete = False
    while others:
        part = others.popleft()
        inner = part.named_children() if part.kind() == "else_clause" else [part]
        if len(inner) == 1 and inner[0].kind() in IFS:
            conditions, body, more = _if_parts(inner[0])
            own = tuple(Step(one, Role.PLAIN) for one in conditions)
            arms.append((*own, *(_steps([body], depth) if body is not None else ())))
            others.extendleft(reversed(more))
        else:
            arms.append(_steps(inner, depth))
            complete = True
    return Step(node, Role.BRANCH, heads, tuple(arms), complete)


def _if_parts(node: SgNode) -> tuple[tuple[SgNode, ...], SgNode | None, list[SgNode]]:
    body = node.field("consequence") or node.field("body")
    others = node.field_children("alternative")
    return _but(node, [body, *others]), body, others


def _but(node: SgNode, parts: Iterable[SgNode | None]) -> tuple[SgNode, ...]:
    skip = {_start(part) for part in parts if part is not None}
    return tuple(
        child for child in node.named_children() if _start(child) not in skip and not child.kind().endswith("comment")
    )


def _loop(node: SgNode, depth: int) -> Step:
    children = node.named_children()
    body = node.field("body") or (children[-1] if children else None)
    heads = _but(node, [body, node.field("alternative")])
    return Step(node, Role.LOOP, heads, (_steps([body], depth) if body is not None else (),))


def _try(node: SgNode, depth: int) -> Step:
    heads: list[SgNode] = []
    body: list[SgNode] = []
    handlers: list[Handler] = []
    after: list[SgNode] = []
    for child in node.named_children():
        kind = child.kind()
        if kind in _HANDLERS:
            inner = [part for part in child.named_children() if part.kind() in BLOCKS]
            handlers.append(Handler(child, _steps(inner, depth)))
        elif kind == "finally_clause":
            after += child.named_children()
        elif kind in BLOCKS or kind == "else_clause":
            body.append(child)
        else:
            heads.append(child)
    return Step(
        node, Role.TRY, tuple(heads), (_steps(body, depth),), handlers=tuple(handlers), after=_steps(after, depth)
    )


def _scope(node: SgNode, depth: int) -> Step:
    children = node.named_children()
    body = node.field("body") or (children[-1] if children else None)
    if body is None:
        return Step(node, Role.PLAIN)
    if node.kind() in {"else_clause", "finally_clause"}:
        return Step(node, Role.SCOPE, (), (_steps(children, depth),))
    heads = tuple(child for child in _but(node, [body]) if child.kind() not in _LABELS)
    return Step(node, Role.SCOPE, heads, (_steps([body], depth),))


def _switch(node: SgNode, depth: int) -> Step:
    heads: list[SgNode] = []
    arms: list[SgNode] = []
    for child in node.named_children():
        if child.kind() in ARMS:
            arms.append(child)
        elif child.kind() in BLOCKS:
            arms += [inner for inner in child.named_children() if inner.kind() in ARMS]
        else:
            heads.append(child)
    complete = node.kind() in {"match_expression", "select_statement"} or any(map(_is_default, arms))
    return Step(node, Role.SWITCH, tuple(heads), tuple(_arm(arm, depth) for arm in arms), complete)


def _is_default(arm: SgNode) -> bool:
    return arm.kind() in {"default_case", "default_statement", "switch_default"} or arm.text().startswith(
        ("default", "case _:")
    )


def _arm(arm: SgNode, depth: int) -> tuple[Step, ...]:
    """The statements of a case; its pattern or label is no statement."""
    label = None if arm.kind() == "match_arm" else arm.field("value") or arm.field("communication")
    return _steps((child for child in _but(arm, [label]) if child.kind() not in _LABELS), depth)


def _start(node: SgNode) -> int:
    return node.range().start.index


_READERS: dict[str, Callable[[SgNode, int], Step]] = {
    **dict.fromkeys(IFS, _branch),
    **dict.fromkeys(LOOPS, _loop),
    **dict.fromkeys(_TRIES, _try),
    **dict.fromkeys(_SWITCHES, _switch),
    **dict.fromkeys(_SCOPES, _scope),
}
