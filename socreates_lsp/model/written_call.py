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
_ARGUMENTS = ("arguments", "args", "parameters")
_KEYS = {"name", "tool", "function", "type", "id", *_ARGUMENTS}
_FIRST_KEY = re.compile(r'\{\s*(?:"([^"\\\n]*)("?))?')
_SIGNS = re.compile(r'["\\{}\[\]]')
_NAMED = re.compile(r'"(?:name|tool|function)"\s*:\s*"([^"\\]+)"')
_GIVEN = re.compile(rf'"(?:{"|".join(_ARGUMENTS)})"\s*:')


class Written(NamedTuple):
    """A call as it was written: the tool's name, and the arguments as JSON, or what stands there instead."""

    name: str
    raw: str


class Scan:
    """Where the object at the beginning of a text ends, for a text that grows: nothing is looked at twice."""

    def __init__(self) -> None:
        """Begin before the first character."""
        self._at, self._depth, self._string = 0, 0, False
        self._end: int | None = None

    def end(self, text: str) -> int | None:
        """Behind the object; None if it does not end yet. ``text`` is that of the last time, and more."""
        at = self._at
        while self._end is None and (found := _SIGNS.search(text, at)) is not None:
            sign, at = found[0], found.end()
            if sign == "\\" and at == len(text):
                self._at = at - 1
                return None
            self._take(sign, at)
            at += sign == "\\"
        self._at = at if self._end is not None else max(at, len(text))
        return self._end

    def _take(self, sign: str, at: int) -> None:
        if sign == '"':
            self._string = not self._string
        elif not self._string and sign != "\\":
            self._depth += 1 if sign in "{[" else -1
            self._end = at if self._depth <= 0 else None


class Look(NamedTuple):
    """What of a text may become a call. ``start`` and ``end`` of its object are None as long as they have not come.

    ``closing`` has to follow the object.
    """

    start: int | None = None
    end: int | None = None
    closing: str = ""


def look(text: str, scan: Scan) -> Look | None:
    """How far the call at the beginning of a text has come; None as soon as it is certain that there is none.

    ``scan`` is the same for a text that grows.
    """
    bare = text.lstrip()
    if any(opening.startswith(bare) for opening, _ in _OPENINGS):
        return Look()
    closing = ""
    for opening, end in _OPENINGS:
        if bare.startswith(opening):
            bare, closing = bare[len(opening) :].lstrip(), end
            break
    if not bare:
        return Look()
    if not _may_be_object(bare):
        return None
    start, end = len(text) - len(bare), scan.end(bare)
    return Look(start, None if end is None else start + end, closing)


def written_call(text: str, offered: Collection[str]) -> Written | None:
    """The call that a whole text is; None if it is none, or not one of an offered tool."""
    text = _inside(text.strip())
    if not text.startswith("{") or len(text) > MOST_HELD:
        return None
    try:
        return _call_in(table(parsed(text)), offered, strict=True)
    except ValueError:
        return None


def call_in(text: str, offered: Collection[str]) -> Written | None:
    """The call that an object is, where calls are asked for as text: with more beside it, or malformed.

    What is no JSON, or does not end, is a call if it names an offered tool and arguments: the model is told.
    """
    try:
        return _call_in(table(parsed(text)), offered, strict=False)
    except ValueError:
        named = _NAMED.search(text)
        meant = named is not None and named[1] in offered and _GIVEN.search(text) is not None
        return Written(named[1], text) if named is not None and meant else None


def may_become_call(text: str, scan: Scan | None = None) -> bool:
    """Whether a text that is not whole yet may be a call once it is. Says no as early as is certain.

    ``scan`` saves looking again at what was there the last time.
    """
    if len(text) > MOST_HELD:
        return False
    seen = look(text, scan or Scan())
    if seen is None or seen.end is None:
        return seen is not None
    rest = text[seen.end :].strip()
    return not rest or (bool(seen.closing) and seen.closing.startswith(rest))


def _call_in(value: Mapping[str, object], offered: Collection[str], *, strict: bool) -> Written | None:
    """``strict``: nothing may stand beside the call."""
    function = table(value.get("function"))
    if function:
        alone = value.keys() <= {"function", "type", "id"}
        return _call(function, offered, strict=strict) if alone or not strict else None
    return _call(value, offered, strict=strict)


def _call(value: Mapping[str, object], offered: Collection[str], *, strict: bool) -> Written | None:
    name = words(value.get("name")) or words(value.get("tool")) or words(value.get("function"))
    given = [key for key in _ARGUMENTS if key in value]
    if name not in offered or len(given) != 1 or (strict and not value.keys() <= _KEYS):
        return None
    return Written(name, raw_of(value[given[0]]) or "null")


def _inside(text: str) -> str:
    for opening, closing in _OPENINGS:
        if text.startswith(opening) and text.endswith(closing) and len(text) >= len(opening) + len(closing):
            return text[len(opening) : len(text) - len(closing)].strip()
    return text


def _may_be_object(text: str) -> bool:
    """Whether this beginning of an object may go on as a call."""
    first = _FIRST_KEY.match(text)
    if first is None:
        return False
    key, closed = first[1], first[2]
    if not closed and first.end() < len(text):
        return False
    if key is None:
        return True
    return key in _KEYS if closed else any(known.startswith(key) for known in _KEYS)
