"""Calls of tools as wires bring them: in fragments, without ids, with arguments as text or as an object. Pure."""

from __future__ import annotations

import json
import secrets
import string
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.model.types import ToolCall
from socreates_lsp.model.untyped import parsed, table, whole_text, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from socreates_lsp.model.types import Message

_ID_SIGNS = string.ascii_letters + string.digits

_MOST_WHOLE = 8 * 1024
"""Arguments of more characters are not looked at again and again for whether they are whole."""


class Ids:
    """Gives each call an id that no other call of the conversation has."""

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        """``messages``: the conversation so far."""
        self._taken = {call.id for message in messages for call in message.calls}

    def take(self, proposed: str = "") -> str:
        """The proposed id if it is free, else a new one: nine letters and digits, as Mistral wants them."""
        chosen = proposed
        while not chosen or chosen in self._taken:
            chosen = "".join(secrets.choice(_ID_SIGNS) for _ in range(9))
        self._taken.add(chosen)
        return chosen


def arguments_of(raw: str) -> Mapping[str, Any] | None:
    """The arguments that a text spells: an object, or None. No text at all is a call without arguments.

    An object with a character that no file or command can hold (half of a surrogate pair) is none.
    """
    if not raw.strip():
        return {}
    try:
        value = parsed(raw)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def raw_of(arguments: object) -> str:
    """Arguments as text, whichever way the wire brought them."""
    if arguments is None or isinstance(arguments, str):
        return arguments or ""
    return json.dumps(arguments, ensure_ascii=False)


def call_of(name: str, raw: str, call_id: str, *, cut: bool = False) -> ToolCall:
    """The call. ``cut``: the answer ended before its time, so that missing arguments are not known to be none."""
    raw = whole_text(raw)
    return ToolCall(call_id, name, None if cut and not raw.strip() else arguments_of(raw), raw)


@dataclass(slots=True)
class _Open:
    id: str
    name: str
    pieces: list[str]
    size: int = 0


class Fragments:
    """The calls of one answer of the OpenAI wire, put together from ``delta.tool_calls``.

    The index says which call a fragment belongs to, unless it brings a new id (some servers say index 0 for
    every parallel call) or there is no index (then an id opens a call, and what has none continues the last).
    """

    def __init__(self) -> None:
        """Begin without calls."""
        self._calls: list[_Open] = []
        self._at: dict[int, _Open] = {}
        self._by_id: dict[str, _Open] = {}

    def add(self, fragment: Mapping[str, Any], raw: str) -> None:
        """Take one element of ``tool_calls``, of whose arguments ``raw`` is what there is room for."""
        given, name = words(fragment.get("id")), words(table(fragment.get("function")).get("name"))
        index = fragment.get("index")
        index = index if isinstance(index, int) and not isinstance(index, bool) else None
        call = self._place(index, given, name, raw)
        call.id = call.id or given
        call.name = call.name or name
        call.pieces.append(raw)
        call.size += len(raw)
        self._by_id.setdefault(call.id, call)
        if index is not None:
            self._at[index] = call

    def calls(self, ids: Ids, *, cut: bool) -> list[ToolCall]:
        """All calls, in the order in which they began. What never got a name is none."""
        named = [one for one in self._calls if one.name]
        return [call_of(one.name, "".join(one.pieces), ids.take(one.id), cut=cut) for one in named]

    def __bool__(self) -> bool:
        return any(one.name for one in self._calls)

    def _place(self, index: int | None, given: str, name: str, raw: str) -> _Open:
        current = self._at.get(index) if index is not None else (self._calls[-1] if self._calls else None)
        if current is not None and given and current.id and given != current.id:
            current = self._by_id.get(given) if index is None else None
        elif current is not None and not given and name and raw and current.name and _is_whole(current):
            # A whole call after a whole call, from a server that gives no ids.
            current = None
        if current is None:
            current = _Open("", "", [])
            self._calls.append(current)
        return current


def _is_whole(call: _Open) -> bool:
    raw = "".join(call.pieces) if call.size <= _MOST_WHOLE else ""
    return bool(raw.strip()) and arguments_of(raw) is not None
