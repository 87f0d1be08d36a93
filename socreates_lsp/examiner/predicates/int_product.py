"""``int-product: X``: a product of ints only, whose known factors alone come near the largest int. Java.

Every factor is an int literal or a name declared as int, short or byte; the literals make at least 100,000, or,
without a name, more than an int can hold.
"""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

from socreates_lsp.examiner.declarations import declarations

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_LARGEST = 2**31 - 1
_NEAR = 100_000
_INT = re.compile(r"^(?:int|short|byte|Integer)$")


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether it is likely to overflow."""
    node = match.get(argument)
    factors = None if node is None else _factors(node)
    if not factors:
        return False
    known: list[int] = []
    names = 0
    for factor in factors:
        text = factor.text().replace("_", "")
        if text.isdigit():
            known.append(int(text))
        elif factor.kind() == "identifier" and _is_int(file, factor):
            names += 1
        else:
            return False
    return prod(known) >= _NEAR if names else prod(known) > _LARGEST


def _factors(node: SgNode) -> list[SgNode] | None:
    """The factors of a pure product; None if it is anything else."""
    if node.kind() == "parenthesized_expression" and node.named_children():
        return _factors(node.named_children()[0])
    if node.kind() != "binary_expression":
        return [node]
    operator, left, right = node.field("operator"), node.field("left"), node.field("right")
    if operator is None or operator.text() != "*" or left is None or right is None:
        return None
    first, second = _factors(left), _factors(right)
    return None if first is None or second is None else first + second


def _is_int(file: ParsedFile, name: SgNode) -> bool:
    types = [kind for one in declarations(file, name) if (kind := one.node.field("type")) is not None]
    return bool(types) and all(_INT.match(kind.text()) for kind in types)
