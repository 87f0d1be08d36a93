"""Where the names of a file are declared: parameters, variables, fields, functions and types, with what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from socreates_lsp.examiner.parsed import key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import Rule, SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_KINDS: dict[str, tuple[str, ...]] = {
    "go": (
        "parameter_declaration", "variadic_parameter_declaration", "var_spec", "const_spec", "function_declaration",
        "method_declaration", "type_spec", "field_declaration",
    ),
    "rust": (
        "parameter", "let_declaration", "function_item", "struct_item", "static_item", "const_item",
        "field_declaration",
    ),
    "java": (
        "local_variable_declaration", "field_declaration", "formal_parameter", "spread_parameter", "resource",
        "method_declaration", "class_declaration", "enhanced_for_statement", "catch_formal_parameter",
    ),
    "c": (
        "declaration", "parameter_declaration", "field_declaration", "function_definition",
    ),
}  # fmt: skip
_KINDS["cpp"] = (*_KINDS["c"], "for_range_loop", "optional_parameter_declaration")
_FIELDS = ("name", "declarator", "pattern")
_NAMES = frozenset({"identifier", "field_identifier", "type_identifier"})


@dataclass(frozen=True, slots=True)
class Declaration:
    """``node`` declares a name; ``declarator`` is the part of it that belongs to the name (C's ``*p`` or ``a[3]``).

    ``scope`` is the function around it; None for what is declared outside of all.
    """

    node: SgNode
    declarator: SgNode
    scope: tuple[int, int, str] | None

    @property
    def is_member(self) -> bool:
        """Whether it is a field or method."""
        if self.node.kind() in {"field_declaration", "method_declaration"}:
            return True
        around = self.node.parent()
        return around is not None and around.kind() in {"declaration_list", "field_declaration_list"}


_known: WeakKeyDictionary[ParsedFile, dict[str, list[tuple[SgNode, SgNode]]]] = WeakKeyDictionary()


def declarations(file: ParsedFile, node: SgNode) -> list[Declaration]:
    """The declarations that a name may mean where it stands: the nearest one before it, else those outside.

    Of ``a.b``, ``a->b`` and ``this.b`` the last word counts, and only fields and methods. Go, Rust, Java, C and
    C++ only.
    """
    index = _known.get(file)
    if index is None:
        index = _known[file] = _read(file)
    member = node.field(file.syntax.members[node.kind()][1]) if node.kind() in file.syntax.members else None
    # Where a declaration stands is asked of the few that are looked up, not of all.
    pairs = index.get((member or node).text(), ())
    found = [Declaration(one, declarator, _scope(file, one)) for one, declarator in pairs]
    if member is not None:
        members = [one for one in found if one.is_member]
        plain = node.text().startswith(("this.", "this->"))
        return (_of_nearest_class(file, node, members) if plain else []) or members
    function = file.function_of(node)
    start = node.range().end.index
    while function is not None:
        place = key(function)
        local = [one for one in found if one.scope == place and one.node.range().start.index < start]
        if local:
            return local[-1:]
        function = file.function_of(function)
    outside = [one for one in found if one.scope is None]
    return _of_nearest_class(file, node, outside) or outside


def _of_nearest_class(file: ParsedFile, node: SgNode, found: list[Declaration]) -> list[Declaration]:
    """The members of the innermost class around the node that has any of them."""
    home = file.class_of(node) if len(found) > 1 else None
    while home is not None:
        place = key(home)
        own = [one for one in found if (its := file.class_of(one.node)) is not None and key(its) == place]
        if own:
            return own
        home = file.class_of(home)
    return []


def _read(file: ParsedFile) -> dict[str, list[tuple[SgNode, SgNode]]]:
    """The declarations by name, each with the part of it that belongs to the name."""
    index: dict[str, list[tuple[SgNode, SgNode]]] = {}
    kinds: list[Rule] = [{"kind": kind} for kind in _KINDS.get(file.language, ())]
    for node in file.root.find_all(any=kinds) if kinds else []:
        for declarator in _declarators(node):
            for name in _names(declarator):
                index.setdefault(name, []).append((node, declarator))
    return index


def _scope(file: ParsedFile, node: SgNode) -> tuple[int, int, str] | None:
    function = file.function_of(node)
    return None if function is None else key(function)


def _declarators(node: SgNode) -> Iterator[SgNode]:
    for field in _FIELDS:
        for part in node.field_children(field):
            if part.kind() in {"init_declarator", "variable_declarator"}:
                yield from (inner for inner in (part.field("declarator") or part.field("name"),) if inner is not None)
            elif part.is_named():
                yield part


def _names(declarator: SgNode) -> list[str]:
    """The name in C's nested declarators; every name of a pattern."""
    inner = declarator
    while inner.kind() not in _NAMES:
        following = inner.field("declarator") or (inner.named_children()[0] if _wraps(inner) else None)
        if following is None:
            return [one.text() for one in inner.find_all(kind="identifier")] if "pattern" in inner.kind() else []
        inner = following
    return [inner.text()]


def _wraps(node: SgNode) -> bool:
    kinds = {"parenthesized_declarator", "mut_pattern", "ref_pattern", "reference_declarator", "attributed_declarator"}
    return node.kind() in kinds and bool(node.named_children())
