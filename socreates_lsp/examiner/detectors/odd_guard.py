"""Of three or more functions or cases of one shape, all but one begin with the same kind of guard.

The one without is found by its shape: what is left of the others without their guard is what it is.

Parts of a match: ``GUARD`` (the guard of a sibling), ``ODD`` (what lacks it).
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.examiner.match import Match
from socreates_lsp.examiner.risks import is_test
from socreates_lsp.examiner.statements import ARMS, EXITS, IFS
from socreates_lsp.examiner.tokens import shape, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_FEWEST = 3
_SHORTEST = 12
"""Tokens of what the siblings share; less is alike by chance."""
_LONGEST = 3000
_FUNCTIONS = frozenset(
    {
        "function_definition", "decorated_definition", "function_declaration", "method_definition",
        "method_declaration", "function_item",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Unit:
    """A function or case: its shape as it is, and its shape and the guard's for each guard taken out."""

    node: SgNode
    whole: tuple[str, ...]
    without: tuple[tuple[tuple[str, ...], tuple[str, ...], SgNode], ...]


def detect(file: ParsedFile) -> Iterator[Match]:
    """One match for each function or case without the guard of its siblings."""
    if is_test(file.path):
        return
    for block in file.blocks:
        nodes = [node for node, kind in block if kind in _FUNCTIONS or kind in ARMS]
        if len(nodes) >= _FEWEST:
            yield from _judge([unit for unit in (_unit(file, node) for node in nodes) if unit is not None])


def _judge(units: list[_Unit]) -> Iterator[Match]:
    bare: defaultdict[tuple[str, ...], list[_Unit]] = defaultdict(list)
    guarded: defaultdict[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[_Unit, SgNode]]] = defaultdict(list)
    for unit in units:
        bare[unit.whole].append(unit)
        for rest, guard, node in unit.without:
            guarded[rest, guard].append((unit, node))
    for (rest, _), siblings in guarded.items():
        odd = bare.get(rest, [])
        if len(odd) == 1 and len(siblings) >= _FEWEST - 1:
            related = tuple((node, "guarded here") for _, node in siblings[:4])
            yield Match(odd[0].node, {"GUARD": siblings[0][1], "ODD": odd[0].node}, related)


def _unit(file: ParsedFile, node: SgNode) -> _Unit | None:
    span = node.range()
    if span.end.index - span.start.index > _LONGEST:
        return None
    content, language = file.text.content, file.language
    start, end = span.start.index, span.end.index
    whole = shape(tokens(content[start:end], language))
    without = []
    for guard in _guards(node):
        place = guard.range()
        rest = shape(tokens(content[start : place.start.index] + content[place.end.index : end], language))
        if len(rest) >= _SHORTEST:
            without.append((rest, shape(tokens(guard.text(), language)), guard))
    return _Unit(node, whole, tuple(without))


def _guards(node: SgNode) -> Iterator[SgNode]:
    """The statements of the unit that only check: an ``if`` that leaves, a call of check, validate, require."""
    inner = node.field("definition") or node
    body = inner.field("body") or inner.field("consequence") or inner
    for child in body.named_children()[:6]:
        if child.kind() == "statement_list":
            yield from (one for one in child.named_children()[:6] if _is_guard(one))
        elif _is_guard(child):
            yield child


def _is_guard(statement: SgNode) -> bool:
    kind = statement.kind()
    if kind in IFS and statement.field("alternative") is None:
        body = statement.field("consequence") or statement.field("body")
        return body is not None and _LEAVES.match(body.text().lstrip("{: \n\t")) is not None
    return kind == "expression_statement" and _CHECK.match(statement.text()) is not None


_LEAVES = re.compile(r"return\b|raise\b|throw\b|panic\(|abort\(|continue\b|goto\b")
_CHECK = re.compile(r"(?i)(?:await\s+)?[\w.$>:-]*?_*(?:check|validate|verify|require|ensure|assert|authorize|guard)\w*\(")


