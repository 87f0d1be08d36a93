"""The functions of a text: by syntax tree where the examiner knows the language, else by their first lines. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.examiner.changes.code import indent, matching_bracket
from socreates_lsp.examiner.changes.signature import Parameter, parameters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.changes.code import Code
    from socreates_lsp.examiner.parsed import ParsedFile

_CONSTRUCTORS = frozenset({"__init__", "constructor", "initialize", "__construct", "init", "new", "__new__"})


@dataclass(frozen=True, slots=True)
class Function:
    """A named function. Lines from 0, both ends included; ``begin`` counts its decorators in.

    ``head`` is the last line of its signature, ``owner`` the class or function around it (empty outside of all).
    """

    name: str
    owner: str
    begin: int
    first: int
    head: int
    last: int
    parameters: tuple[Parameter, ...] | None
    signature: str
    decorators: tuple[str, ...] = ()

    @property
    def is_async(self) -> bool:
        """Whether calling it gives something to wait for."""
        return bool(re.search(r"\b(?:async|suspend)\b", self.signature))

    @property
    def is_constructor(self) -> bool:
        """Whether it is called by the name of its class."""
        return self.name in _CONSTRUCTORS or (self.name == self.owner and bool(self.owner))

    @property
    def called(self) -> str:
        """The name that its callers write."""
        return self.owner if self.is_constructor and self.owner else self.name

    def holds(self, line: int) -> bool:
        """Whether a line belongs to it."""
        return self.begin <= line <= self.last


def functions(code: Code, path: str) -> list[Function]:
    """The named functions of a text, in order; nested ones come after the one around them."""
    from socreates_lsp.examiner.syntax import SYNTAX

    if code.language in SYNTAX:
        from socreates_lsp.examiner.parsed import ParsedFile

        found = _by_tree(ParsedFile(path, code.language, code.text), code)
    else:
        found = _by_lines(code)
    return sorted(found, key=lambda function: (function.begin, -function.last))


def by_line(found: list[Function], lines: int) -> list[Function | None]:
    """The smallest function around each line."""
    around: list[Function | None] = [None] * lines
    for function in sorted(found, key=lambda one: one.begin - one.last):
        end = min(function.last + 1, lines)
        around[function.begin : end] = [function] * (end - function.begin)
    return around


# By syntax tree

_BINDINGS = frozenset({"variable_declarator", "pair", "public_field_definition", "field_definition"})
"""What gives an anonymous function of JavaScript its name."""


def _by_tree(file: ParsedFile, code: Code) -> Iterator[Function]:
    nodes = file.root.find_all(any=[{"kind": kind} for kind in sorted(file.syntax.functions)])
    for node in nodes:
        name = _tree_name(node)
        if name is None:
            continue
        first, last = file.line_of(node), file.range_of(node).end.line
        body = node.field("body")
        stop = body.range().start.index if body is not None else node.range().end.index
        start = node.range().start.index
        listed = _parameter_node(node)
        taken = None
        if listed is not None:
            span = listed.range()
            inner, raw = (
                code.content[span.start.index : span.end.index],
                code.text.content[span.start.index : span.end.index],
            )
            if inner.startswith("(") and inner.endswith(")"):
                inner, raw = inner[1:-1], raw[1:-1]
            taken = parameters(inner, raw, code.language)
        if taken is not None and _is_typed_elsewhere(node):
            taken = tuple(replace(parameter, required=False) for parameter in taken)
        begin, decorators = _decorators(code, first)
        yield Function(
            name.rpartition("::")[2],
            _tree_owner(file, node) or name.rpartition("::")[0],
            begin,
            first,
            file.position(start + max(len(code.content[start:stop].rstrip()) - 1, 0)).line,
            last,
            taken,
            " ".join(code.content[start:stop].split()),
            decorators,
        )


def _is_typed_elsewhere(node: SgNode) -> bool:
    """Whether a type beside the name, not the parameters, says which arguments may be left out."""
    parent = node.parent()
    return parent is not None and parent.kind() in _BINDINGS and parent.field("type") is not None


def _tree_name(node: SgNode) -> str | None:
    name = node.field("name")
    if name is not None:
        return name.text()
    parent = node.parent()
    if parent is not None and parent.kind() in {
        "variable_declarator",
        "pair",
        "public_field_definition",
        "field_definition",
    }:
        bound = parent.field("name") or parent.field("key") or parent.field("property")
        return bound.text() if bound is not None else None
    if parent is not None and parent.kind() == "assignment_expression":
        left = parent.field("left")
        return left.text().rpartition(".")[2] if left is not None else None
    declarator = _function_declarator(node)
    inner = declarator.field("declarator") if declarator is not None else None
    return inner.text() if inner is not None else None


def _function_declarator(node: SgNode) -> SgNode | None:
    declarator = node.field("declarator")
    while declarator is not None and declarator.kind() != "function_declarator":
        declarator = declarator.field("declarator")
    return declarator


def _parameter_node(node: SgNode) -> SgNode | None:
    listed = node.field("parameters") or node.field("parameter")
    if listed is None:
        declarator = _function_declarator(node)
        listed = declarator.field("parameters") if declarator is not None else None
    return listed


def _tree_owner(file: ParsedFile, node: SgNode) -> str:
    receiver = node.field("receiver")
    if receiver is not None:
        found = re.findall(r"\w+", receiver.text())
        return found[-1] if found else ""
    for up in node.ancestors():
        if up.kind() in file.syntax.classes:
            name = up.field("name") or up.field("type")
            return re.split(r"[<\s]", name.text())[0] if name is not None else ""
        if up.kind() in file.syntax.functions:
            outer = _tree_name(up)
            if outer is not None:
                return outer
    return ""


# By lines

_WORDS = r"(?:def|defp|defmacro|fun|func|function|fn|sub|proc|procedure|method)"
_MODIFIERS = (
    r"(?:public|private|protected|internal|static|override|virtual|abstract|final|sealed|async|unsafe|extern|partial|"
    r"open|suspend|inline|operator|mutating|local|export|pub|fileprivate|default|readonly|new|@\w+)"
)
_BY_WORD = re.compile(
    rf"^\s*(?:{_MODIFIERS}\s+)*{_WORDS}\s+(?:<[^>]*>\s*)?(?P<receiver>(?:[\w<>]+[.:])*)(?P<name>[\w?!]+)\s*(?:\(|$|\s|<|=|do\b)"
)
_BY_TYPE = re.compile(
    rf"^\s+(?:{_MODIFIERS}\s+)+(?:(?:[\w<>\[\],.?()]+,?\s)+)?(?P<receiver>)(?P<name>\w+)\s*(?:<[^>]*>)?\((?:[^;]*$|[^;]*\)\s*=>)"
)
_SHELL = re.compile(r"^\s*(?P<receiver>)(?P<name>[\w-]+)\s*\(\)\s*\{?")
_OWNERS = r"(?:class|struct|interface|object|module|defmodule|extension|enum|trait|protocol|record)"
_OWNER = re.compile(rf"^\s*(?:[\w@]+\s+)*?{_OWNERS}\s+(?P<name>[\w.]+)")


def _by_lines(code: Code) -> Iterator[Function]:
    owners: list[tuple[int, str]] = []
    for number, line in enumerate(code.lines):
        if not line.strip():
            continue
        depth = indent(line)
        while owners and owners[-1][0] >= depth and not re.match(r"\s*(?:[{})\]]|end\b)", line):
            owners.pop()
        owner = _OWNER.match(line)
        if owner is not None:
            owners.append((depth, owner["name"]))
            continue
        found = _BY_WORD.match(line) or _typed(code, line) or (_SHELL.match(line) if code.language == "bash" else None)
        if found is not None:
            receiver = re.split(r"[<.:]", found["receiver"])[0]
            around = owners[-1][1] if owners else ""
            yield _function(code, number, found, receiver if receiver not in {"", "self"} else around)


def _typed(code: Code, line: str) -> re.Match[str] | None:
    return _BY_TYPE.match(line) if code.language in {"csharp", "dart", "solidity", "objective-c"} else None


def _function(code: Code, number: int, found: re.Match[str], owner: str) -> Function:
    last = code.block_end(number)
    start = code.starts[number]
    head, taken = number, None
    opening = code.content.find("(", start + found.end("name"), start + len(code.lines[number]))
    stop = start + len(code.lines[number])
    if opening >= 0 and not code.content[start + found.end("name") : opening].strip():
        closing = matching_bracket(code.content, opening)
        if closing is not None:
            inner = slice(opening + 1, closing)
            taken = parameters(code.content[inner], code.text.content[inner], code.language)
            head = number + code.content.count("\n", start, closing)
            stop = max(stop, closing + 1)
    elif code.language == "ruby":
        rest = slice(start + found.end("name"), stop)
        taken = parameters(code.content[rest], code.text.content[rest], code.language)
    begin, decorators = _decorators(code, number)
    signature = " ".join(code.content[start:stop].split())
    return Function(found["name"], owner, begin, number, head, max(last, head), taken, signature, decorators)


def _decorators(code: Code, first: int) -> tuple[int, tuple[str, ...]]:
    """The first line of the decorators, annotations and attributes above a function, and their code."""
    found: list[str] = []
    begin = first
    number = first - 1
    while number >= 0 and re.match(r"\s*(?:@\w|\[\w.*\]\s*$|#\[|#\w*!?\[)", code.lines[number]):
        found.append(code.lines[number].strip())
        begin = number
        number -= 1
    return begin, tuple(reversed(found))
