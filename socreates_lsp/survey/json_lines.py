"""JSON with the line of every value. Never raises anything but BrokenError, whatever the text. Pure."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from socreates_lsp.survey.where import BrokenError

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r'\s*(?:("(?:[^"\\\x00-\x1f]|\\.)*+")|([{}\[\]:,])|([^\s{}\[\]:,"]+))')
_DEEPEST = 60
_MOST = 100_000
"""Tokens of a file."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its line, from 1: of a member of an object that of its key. Numbers and constants are text as they
    stand, marked by ``plain``."""

    value: dict[str, Node] | list[Node] | str
    line: int
    plain: bool = False

    @property
    def members(self) -> dict[str, Node]:
        """What an object holds; nothing for any other value."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def items(self) -> list[Node]:
        """What an array holds; nothing for any other value."""
        return self.value if isinstance(self.value, list) else []

    @property
    def text(self) -> str | None:
        """A string; None for any other value."""
        return self.value if isinstance(self.value, str) and not self.plain else None

    @property
    def is_true(self) -> bool:
        """Whether it is ``true``."""
        return self.plain and self.value == "true"

    def get(self, *names: str) -> Node:
        """The value below these names; an empty one where there is none."""
        here = self
        for name in names:
            here = here.members.get(name, _NOTHING)
        return here


_NOTHING = Node("", 0, plain=True)


def read_json(content: str) -> Node:
    """The value in a text. Raises BrokenError."""
    return _Reader(content).document()


class _Reader:
    def __init__(self, content: str) -> None:
        self._content = content
        self._ends = list(accumulate(len(line) + 1 for line in re.split("\n|\r(?!\n)", content)))
        self._words = self._split()
        self._line = 1

    def document(self) -> Node:
        value = self._value(next(self._words, ""), 0)
        if next(self._words, ""):
            raise BrokenError("there is more after its end", self._line)
        return value

    def _split(self) -> Iterator[str]:
        position, count = 0, 0
        end = len(self._content.rstrip())
        while position < end:
            match = _TOKEN.match(self._content, position)
            count += 1
            if match is None or count > _MOST:
                start = len(self._content) - len(self._content[position:].lstrip())
                reason = "it is no JSON" if match is None else "it is too long to be read"
                raise BrokenError(reason, bisect_right(self._ends, start) + 1)
            self._line = bisect_right(self._ends, match.start(match.lastindex or 0)) + 1
            position = match.end()
            yield match[match.lastindex or 0]

    def _value(self, word: str, depth: int) -> Node:
        line = self._line
        if depth > _DEEPEST:
            raise BrokenError("it is nested too deeply", line)
        if word == "{":
            return Node(self._object(depth), line)
        if word == "[":
            return Node(self._array(depth), line)
        if word.startswith('"'):
            return Node(_string(word, line), line)
        if not word or not re.fullmatch(r"true|false|null|-?\d[\d.eE+-]*", word):
            raise BrokenError("it is no JSON", line)
        return Node(word, line, plain=True)

    def _object(self, depth: int) -> dict[str, Node]:
        found: dict[str, Node] = {}
        word = next(self._words, "")
        while word != "}":
            line = self._line
            if not word.startswith('"') or next(self._words, "") != ":":
                raise BrokenError("it is no JSON", line)
            value = self._value(next(self._words, ""), depth + 1)
            found[_string(word, line)] = Node(value.value, line, value.plain)
            word = self._next_item("}")
        return found

    def _array(self, depth: int) -> list[Node]:
        found: list[Node] = []
        word = next(self._words, "")
        while word != "]":
            found.append(self._value(word, depth + 1))
            word = self._next_item("]")
        return found

    def _next_item(self, end: str) -> str:
        """What begins the next item; the end where there is none. A comma too many is let pass."""
        word = next(self._words, "")
        if word == end:
            return word
        if word != ",":
            raise BrokenError("it is no JSON", self._line)
        return next(self._words, "")


def _string(word: str, line: int) -> str:
    try:
        return str(json.loads(word))
    except ValueError:
        raise BrokenError("it is no JSON", line) from None
