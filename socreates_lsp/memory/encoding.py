"""Lines of a transcript: one JSON object each, in ASCII, of which no beginning is whole. Pure.

ASCII (every other character as ``\\uXXXX``) lets any text survive: lone surrogates, NUL, U+2028. What is not
known is passed over when read, so that an older server can read what a newer one wrote.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.model.types import Message, Role, ToolCall

if TYPE_CHECKING:
    from collections.abc import Mapping

_BOM = b"\xef\xbb\xbf"


class NotJsonError(ValueError):
    """A line is no JSON object: it was torn, or something else wrote it."""


class NotUnderstoodError(ValueError):
    """A line is a JSON object that says what no line of a transcript says."""


@dataclass(frozen=True, slots=True)
class MessageLine:
    """A message of a turn. ``kind`` is the turn's, ``at`` an ISO time, ``n`` counts the turn's messages from 0."""

    turn: str
    at: str
    n: int
    kind: str
    message: Message


@dataclass(frozen=True, slots=True)
class OutcomeLine:
    """How a turn ended, and when (``at``, an ISO time)."""

    turn: str
    at: str
    outcome: str


Line = MessageLine | OutcomeLine


def now() -> str:
    """The time in UTC, to the millisecond, as ISO 8601 writes it: ``2026-01-31T12:00:00.000Z``."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def time_of(at: object) -> datetime | None:
    """The moment that an ISO time names, UTC where it names no zone; None if it names none."""
    try:
        moment = datetime.fromisoformat(at) if isinstance(at, str) else None
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def encoded(line: Line) -> bytes:
    """The line with its line feed. ``line``, ``turn`` and ``at`` stand first: ``retention`` finds them there."""
    if isinstance(line, OutcomeLine):
        return as_line({"line": "outcome", "turn": line.turn, "at": line.at, "outcome": line.outcome})
    head = {"line": "message", "turn": line.turn, "at": line.at, "n": line.n, "kind": line.kind}
    return as_line({**head, **message_fields(line.message)})


def as_line(fields: Mapping[str, object]) -> bytes:
    """Any JSON object as one line of ASCII with its line feed."""
    return (_dumped(fields) + "\n").encode("ascii")


def message_fields(message: Message) -> dict[str, object]:
    """A message as JSON values; what is empty is left out, but for the content."""
    fields: dict[str, object] = {
        "role": message.role.value,
        "content": message.content,
        "reasoning": message.reasoning,
        "calls": [_call_fields(call) for call in message.calls],
        "callId": message.call_id,
        "tool": message.tool,
    }
    return {name: value for name, value in fields.items() if name == "content" or value not in ("", [], None)}


def decoded(line: bytes) -> Line | None:
    """What a line says; None for a blank line and for a kind of line that this version does not know.

    Raises NotJsonError and NotUnderstoodError.
    """
    fields = json_object(line)
    if fields is None:
        return None
    kind, turn, at = fields.get("line"), fields.get("turn"), fields.get("at")
    if kind not in ("message", "outcome"):  # any JSON value, not all of which fit into a set
        return None
    if not isinstance(turn, str) or not turn:
        raise NotUnderstoodError
    at = at if isinstance(at, str) else ""
    if kind == "outcome":
        return OutcomeLine(turn, at, _text(fields, "outcome"))
    n = fields.get("n")
    return MessageLine(turn, at, n if type(n) is int else 0, _text(fields, "kind", ""), message_of(fields))


def json_object(line: bytes) -> dict[str, Any] | None:
    """The JSON object on a line; None for a blank line. Raises NotJsonError."""
    line = line.removeprefix(_BOM).strip()
    if not line:
        return None
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, 5,000 digits, brackets 10,000 deep
        raise NotJsonError from error
    if not isinstance(value, dict):
        raise NotJsonError
    return cast("dict[str, Any]", value)


def message_of(fields: Mapping[str, Any]) -> Message:
    """The message of a JSON object, unknown members ignored. Raises NotUnderstoodError."""
    calls: object = fields.get("calls") or []
    role = next((role for role in Role if role.value == fields.get("role")), None)
    if not isinstance(calls, list) or role is None:
        raise NotUnderstoodError
    return Message(
        role,
        _text(fields, "content"),
        tuple(_call_of(call) for call in cast("list[object]", calls)),
        _text(fields, "reasoning", ""),
        _text_or_none(fields, "callId"),
        _text_or_none(fields, "tool"),
    )


def _call_fields(call: ToolCall) -> dict[str, object]:
    """``raw`` is always there; arguments that JSON cannot hold (NaN) are kept in it alone."""
    fields: dict[str, object] = {"id": call.id, "name": call.name, "raw": call.raw, "arguments": None}
    if call.arguments is not None:
        fields["arguments"] = dict(call.arguments)
        try:
            _dumped(fields)
        except (TypeError, ValueError, RecursionError):
            fields["arguments"] = None
    return fields


def _call_of(value: object) -> ToolCall:
    if not isinstance(value, dict):
        raise NotUnderstoodError
    fields = cast("dict[str, Any]", value)
    arguments = fields.get("arguments")
    return ToolCall(
        _text(fields, "id"),
        _text(fields, "name"),
        cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else None,
        _text(fields, "raw", ""),
    )


def _dumped(value: object) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def _text(fields: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = fields.get(name, default)
    if not isinstance(value, str):
        raise NotUnderstoodError
    return value


def _text_or_none(fields: Mapping[str, Any], name: str) -> str | None:
    return None if fields.get(name) is None else _text(fields, name)
