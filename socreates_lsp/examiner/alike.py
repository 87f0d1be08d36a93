"""Statements of one shape within a block, and the places where they differ.

A group costs time in proportion to its text: members are brought together by hash, first by the outline of their
first line, then by what is left without names, then by their tokens.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from socreates_lsp.examiner.statements import ARMS, IFS, LOOPS, chain
from socreates_lsp.examiner.tokens import Token, shape, skeleton, tokens
from socreates_lsp.examiner.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_T = TypeVar("_T")
_FEWEST = 3
"""Two of a kind show no rule that a third could break."""
_MOST_COLUMNS = 40
_LONGEST = 2000
"""Characters of one sibling that are compared; longer ones are not copies of each other."""
_NOT_COMPARED = ("import", "use_", "package", "preproc", "namespace_use")
COMPOUND = ARMS | IFS | LOOPS | {"arm", "try_statement", "with_statement"}
"""Kinds of statements that hold others; an arm of an ``else if`` chain is an ``arm``."""
_PLAIN = re.compile(r"[\w\s]+")


@dataclass(frozen=True, slots=True)
class Sibling:
    """A statement, or one arm of an ``else if`` chain: a part of ``node``, offsets in code points."""

    node: SgNode
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Row:
    """A sibling with its tokens; their offsets count from the start of the sibling."""

    sibling: Sibling
    tokens: list[Token]


@dataclass(frozen=True, slots=True)
class Column:
    """What the siblings say at one place, and the token it stands in."""

    values: tuple[str, ...]
    token: int


def groups(file: ParsedFile) -> Iterator[list[Row]]:
    """Three or more statements, cases, functions or arms of one block and one shape, in the order of the text."""
    content, language = file.text.content, file.language
    comment = "#" if language == "python" else "//"

    def outline(one: Sibling) -> tuple[str, str]:
        first_line = content[one.start : one.end].partition("\n")[0]
        return one.kind, _PLAIN.sub("", first_line.partition(comment)[0])

    def whole(one: Sibling) -> str:
        return skeleton(content[one.start : one.end], language)

    for family in _families(file):
        for rough in _alike(family, outline):
            for alike in _alike(rough, whole):
                rows = [Row(one, tokens(content[one.start : one.end], language)) for one in alike]
                yield from _alike(rows, lambda row: shape(row.tokens))


def _families(file: ParsedFile) -> Iterator[list[Sibling]]:
    """The statements of each block, and the arms of each chain."""
    for children in file.blocks:
        if len(children) >= _FEWEST:
            compared = (_sibling(node, kind) for node, kind in children if not kind.startswith(_NOT_COMPARED))
            yield [one for one in compared if one.end - one.start <= _LONGEST]
        for node, kind in children:
            if kind in IFS or (file.language == "rust" and kind == "expression_statement"):
                arms = chain(node) if kind not in IFS or node.field("alternative") is not None else []
                if len(arms) >= _FEWEST:
                    yield [_arm(node, head, body) for head, body in arms]


def _sibling(node: SgNode, kind: str) -> Sibling:
    span = node.range()
    if kind == "expression_statement":
        inner = node.named_children()
        kind = inner[0].kind() if inner and inner[0].kind() in COMPOUND else kind
    return Sibling(node, kind, span.start.index, span.end.index)


def _arm(node: SgNode, head: SgNode, body: SgNode) -> Sibling:
    return Sibling(node, "arm", head.range().start.index, body.range().end.index)


def _alike(items: Iterable[_T], trait: Callable[[_T], Hashable]) -> list[list[_T]]:
    groups: defaultdict[Hashable, list[_T]] = defaultdict(list)
    for item in items:
        groups[trait(item)].append(item)
    return [group for group in groups.values() if len(group) >= _FEWEST]


def columns(rows: list[Row]) -> Iterator[Column]:
    """The places where not all siblings say the same, word by word where names have equally many words."""
    seen = 0
    for index, token in enumerate(rows[0].tokens):
        if not token.named or all(row.tokens[index].text == token.text for row in rows):
            continue
        seen += 1
        if seen > _MOST_COLUMNS:
            return
        said = [words(row.tokens[index].text) for row in rows]
        if len(set(map(len, said))) > 1:
            said = [[one] for one in _middles(said)]
        varying = [values for values in zip(*said, strict=True) if len(set(values)) > 1]
        if len(varying) > 1:
            yield Column(tuple(map(" ".join, said)), index)
        for values in varying:
            yield Column(values, index)


def _middles(names: list[list[str]]) -> list[str]:
    """What is left of each name without the first and last words that all have in common."""
    shortest = min(map(len, names))
    front = next((n for n in range(shortest) if len({tuple(name[: n + 1]) for name in names}) > 1), shortest)
    rest = shortest - front
    back = next((n for n in range(rest) if len({tuple(name[len(name) - n - 1 :]) for name in names}) > 1), rest)
    return [" ".join(name[front : len(name) - back]) for name in names]


def leaf(row: Row, token: Token) -> SgNode:
    """The smallest node around a token."""
    at = row.sibling.start + token.start
    node = row.sibling.node
    while True:
        inner = next((one for one in node.children() if one.range().start.index <= at < one.range().end.index), None)
        if inner is None or inner.range().end.index < at + len(token.text):
            return node
        node = inner
