"""A call that a model writes as text instead of making it: one JSON object, perhaps in a fence or a tag. Pure.

Nothing is repaired: a text is a call, or it is text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from socreates_lsp.model.calls import raw_of
from socreates_lsp.model.untyped import parsed, table, words

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

MOST_HELD = 8 * 1024
"""Longer texts are no calls, in characters."""

_OPENINGS = (("```json", "```"), ("```tool_call", "```"), ("```", "```"), ("<tool_call>", "</tool_call>"))
_ARGUMENTS = ("arguments", "parameters")
_KEYS = {"name", "tool", "function", "type", "id", *_ARGUMENTS}
_FIRST_KEY = re.compile(r'\{\s*(?:"([^"\\]*)("?))?')


class Written(NamedTuple):
    """A call as it was written: the tool's name, and the arguments as JSON."""

    name: str
    raw: str


def written_call(text: str, offered: Collection[str]) -> Written | None:
    """The call that a whole text is; None if it is none, or not one of an offered tool."""
    text = _inside(text.strip())
    if not text.startswith("{") or len(text) > MOST_HELD:
        return None
    try:
        value = table(parsed(text))
    except ValueError:
        return None
    function = table(value.get("function"))
    if function:
        return _call(function, offered) if value.keys() <= {"function", "type", "id"} else None
    return _call(value, offered)


def may_become_call(text: str) -> bool:
    """Whether a text that is not whole yet may be a call once it is. Says no as early as is certain."""
    text = text.lstrip()
    if len(text) > MOST_HELD:
        return False
    if any(opening.startswith(text) for opening, _ in _OPENINGS):
        return True
    end = ""
    for opening, closing in _OPENINGS:
        if text.startswith(opening):
            text, end = text[len(opening) :].lstrip(), closing
            break
    return not text or (text[0] == "{" and _may_be_object(text, end))


def _call(value: Mapping[str, object], offered: Collection[str]) -> Written | None:
    name = words(value.get("name")) or words(value.get("tool")) or words(value.get("function"))
    given = [key for key in _ARGUMENTS if key in value]
    if name not in offered or len(given) != 1 or not value.keys() <= _KEYS:
        return None
    return Written(name, raw_of(value[given[0]]) or "null")


def _inside(text: str) -> str:
    for opening, closing in _OPENINGS:
        if text.startswith(opening) and text.endswith(closing) and len(text) >= len(opening) + len(closing):
            return text[len(opening) : len(text) - len(closing)].strip()
    return text


def _may_be_object(text: str, end: str) -> bool:
    """Whether this beginning of an object may go on as a call, with ``end`` after it."""
    first = _FIRST_KEY.match(text)
    if first is None:
        return False
    key, closed = first[1], first[2]
    if not closed and first.end() < len(text):
        return False
    if key is None:
        return True
    if key not in _KEYS if closed else not any(known.startswith(key) for known in _KEYS):
        return False
    after = _after_object(text)
    if after is None:
        return True
    rest = text[after:].strip()
    return not rest or (bool(end) and end.startswith(rest))


def _after_object(text: str) -> int | None:
    """Where the object at the beginning of a text ends; None if it does not yet."""
    depth, string, escaped = 0, False, False
    for at, char in enumerate(text):
        if escaped:
            escaped = False
        elif string:
            escaped, string = char == "\\", char != '"'
        elif char == '"':
            string = True
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
    return None
