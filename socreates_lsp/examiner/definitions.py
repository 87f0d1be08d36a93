"""One step of local definition and use: what a name was set to in its function, and where it is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.examiner.parsed import ParsedFile, key

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode

_Scope = tuple[int, int, str] | None
"""The function or class that a name belongs to; None is the file."""

_OWN = ("self.", "this.", "$this->", "this->")
"""How the members of the object at hand begin, in all languages."""

_SEPARATORS = {"rust": "::", "php": "\\"}
_PATTERNS = frozenset({"object_pattern", "array_pattern", "list_literal"})
_TUPLES = frozenset({"pattern_list", "expression_list", "tuple_pattern", "tuple", "tuple_expression"})


@dataclass(frozen=True, slots=True)
class Definition:
    """``target`` (its text is the name) was set to ``value``. ``augmented`` for ``+=`` and its like.

    ``member`` is the part of the value that a destructuring takes (``get`` of ``const { get } = http``); then
    ``value`` is still the whole of it.
    """

    target: SgNode
    value: SgNode
    statement: SgNode
    augmented: bool
    member: str | None = None


class Definitions:
    """All assignments of a file, by name and scope."""

    def __init__(self, file: ParsedFile) -> None:
        """Read all assignments."""
        self._file = file
        self._by_scope: dict[tuple[_Scope, str], list[Definition]] = {}
        self._by_function: dict[tuple[int, int, str], set[str]] = {}
        self._resolved: dict[tuple[int, int, str], set[str]] = {}
        for kind, (target_field, value_field) in file.syntax.assignments.items():
            for node in file.root.find_all(kind=kind):
                targets, value = node.field_children(target_field), node.field(value_field)
                if value is None:
                    continue
                augmented = "augmented" in kind or "compound" in kind or _operator(node) not in {"=", ":=", ""}
                for target, one in _pairs(targets, value):
                    for name, member in _bound(target):
                        self._add(Definition(name, one, node, augmented, member))
        if file.language == "python":
            self._add_context_managers()

    def _add_context_managers(self) -> None:
        for node in self._file.root.find_all(kind="as_pattern"):
            alias = node.field("alias")
            if alias is not None and node.inside(kind="with_item"):
                self._add(Definition(alias, node.children()[0], node, augmented=False))

    def _add(self, definition: Definition) -> None:
        name = _name(definition.target)
        find = self._file.class_of if name.startswith(_OWN) else self._file.function_of
        scope = find(definition.statement)
        self._by_scope.setdefault((_scope(scope), name), []).append(definition)

    def of(self, node: SgNode) -> list[Definition]:
        """The definitions that a name (or ``self.x``, ``this.x``) may have where it stands.

        Those of the same function if there are any (before the node, or anywhere in it inside a loop), else
        those outside all functions; for a member of ``self`` or ``this`` those in the same class.
        """
        name = _name(node)
        if name.startswith(_OWN):
            return self._by_scope.get((_scope(self._file.class_of(node)), name), [])
        function = self._file.function_of(node)
        while function is not None:
            inside = self._by_scope.get((_scope(function), name), [])
            local = [definition for definition in inside if self._reaches(definition, node)]
            if local or name in self._parameters(function):
                return local
            function = self._file.function_of(function)
        return self._by_scope.get((None, name), [])

    def _parameters(self, function: SgNode) -> set[str]:
        """The names that a function is called with: they hide those outside."""
        place = key(function)
        if place not in self._by_function:
            kinds: list[Rule] = [{"kind": kind} for kind in self._file.syntax.identifiers]
            holder = function
            # C hangs the parameters under the declarator, and a pointer that is returned stands above that.
            while holder.field("parameters") is None and (inner := holder.field("declarator")) is not None:
                holder = inner
            several, single = holder.field("parameters"), holder.field("parameter")
            parameters = several.named_children() if several is not None else [single] if single is not None else []
            names = [bound.text() for one in parameters for bound in _declared_in(one).find_all(any=kinds)]
            self._by_function[place] = set(names)
        return self._by_function[place]

    def values(self, node: SgNode) -> list[SgNode]:
        """The node itself and, if it is a name, what it was set to."""
        return [node, *(definition.value for definition in self.of(node))]

    def uses(self, node: SgNode) -> list[SgNode]:
        """The other places in the same function (else the file) where the same name stands."""
        scope = self._file.function_of(node) or self._file.root
        name, own = node.text(), key(node)
        kinds: list[Rule] = [{"kind": kind} for kind in (*self._file.syntax.identifiers, *self._file.syntax.members)]
        return [use for use in scope.find_all(any=kinds) if use.text() == name and key(use) != own]

    def resolve(self, node: SgNode) -> set[str]:
        """The dotted names that an expression may stand for, through imports and one definition.

        ``get`` is ``requests.get`` after ``from requests import get``; ``s.get`` is ``requests.Session().get``
        after ``s = requests.Session()``. Arguments are left out of calls.
        """
        place = key(node)
        if place not in self._resolved:
            self._resolved[place] = self._resolve(node, step=True)
        return self._resolved[place]

    def _resolve(self, node: SgNode, *, step: bool) -> set[str]:
        syntax, kind = self._file.syntax, node.kind()
        if kind in syntax.calls and kind not in syntax.members:
            callee = node.field(syntax.calls[kind]) or (node.named_children() or [None])[0]
            return {f"{name}()" for name in self._resolve(callee, step=step)} if callee is not None else set()
        if kind in {"await", "await_expression", "parenthesized_expression"} and node.named_children():
            return self._resolve(node.named_children()[0], step=step)
        if kind in syntax.members:
            return self._resolve_member(node, step=step)
        text = node.text()
        names = {self._file.imports.names.get(text, text)}
        if step and kind in syntax.identifiers and text not in self._file.imports.names:
            for definition in self.of(node):
                names |= self._resolve_definition(definition)
        return names

    def _resolve_definition(self, definition: Definition) -> set[str]:
        names = self._resolve(definition.value, step=False)
        return names if definition.member is None else {f"{name}.{definition.member}" for name in names}

    def _resolve_member(self, node: SgNode, *, step: bool) -> set[str]:
        object_field, name_field = self._file.syntax.members[node.kind()]
        owner, name = node.field(object_field), node.field(name_field)
        if name is None:
            return {node.text()}
        call = "()" if node.kind() in self._file.syntax.calls else ""
        if owner is None:
            imported = self._file.imports.names.get(name.text(), name.text())
            return {imported + call}
        separator = _SEPARATORS.get(self._file.language, ".") if "scoped" in node.kind() else "."
        names = {f"{one}{separator}{name.text()}{call}" for one in self._resolve(owner, step=step)}
        if step and not call:
            for definition in self.of(node):
                names |= self._resolve_definition(definition)
        return names

    def _reaches(self, definition: Definition, node: SgNode) -> bool:
        if definition.statement.range().start.index < node.range().start.index:
            return not _inside(node, definition.statement) or definition.augmented
        loop = next((up for up in node.ancestors() if up.kind() in self._file.syntax.loops), None)
        return loop is not None and _inside(definition.statement, loop)


def _declared_in(parameter: SgNode) -> SgNode:
    """The part of a parameter that holds its name."""
    return parameter.field("name") or parameter.field("pattern") or parameter.field("declarator") or parameter


def _inside(node: SgNode, outer: SgNode) -> bool:
    inner_span, outer_span = node.range(), outer.range()
    return outer_span.start.index <= inner_span.start.index and inner_span.end.index <= outer_span.end.index


def _scope(node: SgNode | None) -> _Scope:
    return None if node is None else key(node)


def _name(node: SgNode) -> str:
    """The name that a target binds: ``x`` of ``mut x``, ``*x`` and ``x: T``; else the text as it is."""
    if node.kind() in {
        "mut_pattern", "pointer_declarator", "array_declarator", "reference_declarator", "as_pattern_target",
    }:  # fmt: skip
        inner = node.field("declarator") or (node.named_children()[-1] if node.named_children() else None)
        return _name(inner) if inner is not None else node.text()
    return node.text()


def _bound(target: SgNode) -> list[tuple[SgNode, str | None]]:
    """The names that a target binds, each with the member of the value that it takes (``?`` for an element)."""
    kind = target.kind()
    if kind not in _PATTERNS:
        return [(target, None)]
    found: list[tuple[SgNode, str | None]] = []
    for child in target.named_children():
        if child.kind() == "pair_pattern":
            name, value = child.field("key"), child.field("value")
            if name is not None and value is not None and value.kind() == "identifier":
                found.append((value, name.text()))
        elif kind == "object_pattern":
            name = child.named_children()[0] if child.named_children() else child
            found.append((name, name.text()))
        else:
            found.append((child, "?"))
    return found


def _operator(node: SgNode) -> str:
    operator = node.field("operator")
    return "" if operator is None else operator.text()


def _pairs(targets: list[SgNode], value: SgNode) -> list[tuple[SgNode, SgNode]]:
    """Match the targets of a multiple assignment with its values; a single value goes to all."""
    flat = [child for target in targets for child in _elements(target)]
    values = _elements(value)
    if len(values) != len(flat):
        values = [values[0] if len(values) == 1 else value] * len(flat)
    return list(zip(flat, values, strict=True))


def _elements(node: SgNode) -> list[SgNode]:
    return node.named_children() if node.kind() in _TUPLES and node.named_children() else [node]
