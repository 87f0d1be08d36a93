"""What a function gives back, as far as the form of its ``return`` statements tells. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.examiner.changes.code import split_at_commas

if TYPE_CHECKING:
    from collections.abc import Callable

    from socreates_lsp.examiner.changes.code import Code
    from socreates_lsp.examiner.changes.functions import Function

_RETURN = re.compile(r"^\s*(?:[})\]]*\s*)?(?:if\b.*[:)]\s*|else:?\s*)?return\b(?P<value>[^;]*)")
NOTHING = "nothing"
_NOTHINGS = frozenset({"None", "null", "nil", "undefined", ""})
_TUPLES = frozenset({"python", "go", "ruby", "lua", "rust", "swift"})


@dataclass(frozen=True, slots=True)
class Return:
    """What one ``return`` gives: its code, and the form of it."""

    value: str
    form: str


def returns(code: Code, function: Function, owned: Callable[[int], bool]) -> tuple[Return, ...]:
    """The returns of a function; ``owned`` says whether a line is its own and not of a function within it."""
    found: list[Return] = []
    for line in range(function.head, function.last + 1):
        start = 0 if line > function.head else _signature_end(code, line)
        match = _RETURN.match(code.lines[line][start:])
        if match is not None and owned(line):
            value = _whole_value(code, line, match["value"])
            found.append(Return(value, _shape(value, code.language)))
    return tuple(found)


def shapes(found: tuple[Return, ...]) -> frozenset[str]:
    """The forms of what is returned: ``nothing``, ``2 values``, ``an object``, ``a list``, ``a value``."""
    return frozenset(one.form for one in found)


def _signature_end(code: Code, line: int) -> int:
    text = code.lines[line]
    return max(text.find("{") + 1, text.find(":") + 1 if code.language == "python" else 0)


def _whole_value(code: Code, line: int, value: str) -> str:
    """A value that goes on over several lines, as long as its brackets are open."""
    while _is_open(value) and line + 1 < len(code.lines) and len(value) < 2000:
        line += 1
        value += " " + code.lines[line].strip()
    return value.strip().rstrip("}").strip() if not _balanced(value) else value.strip()


def _is_open(value: str) -> bool:
    return sum(map(value.count, "([{")) > sum(map(value.count, ")]}"))


def _balanced(value: str) -> bool:
    return sum(map(value.count, "([{")) == sum(map(value.count, ")]}"))


def _shape(value: str, language: str | None) -> str:
    if value in _NOTHINGS:
        return NOTHING
    bare = value[1:-1] if language in {"python", "swift", "rust"} and _is_one_bracket(value, "(") else value
    if language in _TUPLES:
        parts = len(split_at_commas(bare, angles=False))
        if parts > 1 and not re.match(r"(?:lambda|function|func)\b", bare):
            return f"{parts} values"
    if _is_one_bracket(value, "{"):
        return "an object"
    if _is_one_bracket(value, "["):
        return "a list"
    if value in {"True", "False", "true", "false"}:
        return "yes or no"
    return "a value"


def _is_one_bracket(value: str, opening: str) -> bool:
    """Whether the whole value stands in one pair of these brackets."""
    if not value.startswith(opening):
        return False
    depth = 0
    for index, character in enumerate(value):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return index == len(value) - 1
    return False
