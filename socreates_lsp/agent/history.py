"""What of earlier turns the model gets again, and how a request is made to fit. Pure.

A turn is dropped whole or not at all, so a result never stands without its call. Compaction is rare and takes a large
step each time: a server that keeps the prefix of the last request then has to read little anew.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.agent.estimate import size_of
from socreates_lsp.model.types import Message, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    Turn = tuple[Message, ...]
    """A user's message and all that followed, up to the answer."""

SUMMARISED = "[What was said before this is left out. What follows is its summary, which you wrote.]"
"""The message of the user in a turn that is a summary of others; the answer is the summary."""

KEPT = 400
"""Characters that are kept of an old result."""

_CUT = "\n[… {} more characters were here; call the tool again if you need them.]"
_ATTACHED = "\n[… the lines that were attached here are left out; read the file if you need them.]"
_TASK = 1200
"""Characters that are kept of an old message of the user, which begins with the task."""

_ROOM = 0.25
"""The share of the limit that a compacted history may take: the rest is room until the next one."""


def compacted(turns: Sequence[Turn], limit: int) -> tuple[Turn, ...]:
    """The turns in at most ``limit`` bytes; untouched as long as they fit.

    In two passes: old results are cut to their first characters; where that does not make enough room, the oldest
    turns go, and the summary of those before them last.
    """
    if size_of_turns(turns) <= limit:
        return tuple(turns)
    kept = [tuple(map(shrunk, turn)) for turn in turns]
    first = 1 if kept and is_summary(kept[0]) else 0
    while len(kept) > first and size_of_turns(kept) > limit * _ROOM:
        del kept[first]
    return tuple(kept) if size_of_turns(kept) <= limit else ()


def is_summary(turn: Turn) -> bool:
    """Whether a turn is a summary of others."""
    return turn[0].content == SUMMARISED


def size_of_turns(turns: Sequence[Turn]) -> int:
    """The size of some turns in bytes of UTF-8."""
    return sum(size_of(turn) for turn in turns)


def shrunk(message: Message) -> Message:
    """A message of an old turn: a result, or what was attached to a task, is cut."""
    if message.role is Role.TOOL:
        return shrunk_result(message)
    if message.role is Role.USER and len(message.content) > _TASK + len(_ATTACHED):
        return replace(message, content=message.content[:_TASK] + _ATTACHED)
    return replace(message, reasoning="") if message.reasoning else message


def shrunk_result(message: Message) -> Message:
    """A result cut to its first characters, once."""
    left = len(message.content) - KEPT
    if message.role is not Role.TOOL or left <= 2 * len(_CUT):
        return message
    return replace(message, content=message.content[:KEPT] + _CUT.format(left))


def shrunk_turn(turn: Sequence[Message]) -> tuple[Message, ...]:
    """The running turn with all results older than its last round cut."""
    last = max((n for n, message in enumerate(turn) if message.role is Role.ASSISTANT), default=0)
    return tuple(shrunk_result(message) if n < last else message for n, message in enumerate(turn))
