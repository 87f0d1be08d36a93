"""What a scripted server answers, and what it was asked. Values only."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer to a chat.

    ``calls``: a tool's name and its arguments, an object, or a text for arguments that are none.
    ``prompt_tokens`` None leaves the usage out. ``finish`` None is ``stop``, or ``tool_calls`` if there are calls.
    ``status`` other than 200 sends ``error`` (or ``raw``) instead. ``raw`` is sent as the body, as it is.
    ``delay_s`` passes before the first byte, ``latency_s`` before each further piece. ``piece``: characters a
    piece of text or arguments. ``split``: bytes a write on the network. ``hang``: nothing more comes after the
    last piece, and the connection stays open. ``cut``: the connection closes before the answer is complete.
    """

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    reasoning: str = ""
    prompt_tokens: int | None = 11
    completion_tokens: int = 5
    cached_tokens: int = 0
    finish: str | None = None
    status: int = 200
    error: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    raw: bytes | None = None
    delay_s: float = 0.0
    latency_s: float = 0.0
    piece: int = 16
    split: int | None = None
    hang: bool = False
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came. ``headers`` have small names; ``body`` is the JSON object, empty if there is none."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


def read_script(text: str) -> list[Reply]:
    """The replies of a script: JSON Lines, one reply a line with the fields of ``Reply``.

    ``calls`` is a list of ``{"name", "arguments"}``, ``raw`` is text. Raises ValueError that names the line.
    """
    return [_reply(line, number) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _reply(line: str, number: int) -> Reply:
    try:
        value: dict[str, Any] = json.loads(line)
        calls = cast("list[dict[str, Any]]", value.pop("calls", []))
        raw = value.pop("raw", None)
        return Reply(
            **value,
            calls=tuple((call["name"], call.get("arguments", {})) for call in calls),
            raw=None if raw is None else raw.encode(),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"line {number} of the script is no reply: {error}") from None
