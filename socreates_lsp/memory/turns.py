"""Turns of a conversation: what a transcript's lines add up to, and what of it a later request may resend. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from socreates_lsp.memory.encoding import MessageLine
from socreates_lsp.model.types import Message, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.memory.encoding import Line

ENDED_WELL = frozenset({"answered", "step-limit"})
"""The outcomes of turns that a later request resends: there is an answer, given freely or when rounds ran out."""

TEAM = frozenset({"explorer", "researcher", "tester", "reviewer", "skeptic"})
"""The kinds of turns that another one delegated to."""

APART = frozenset({"verify", "reply", "plan", "session"}) | TEAM
"""The kinds of turns that no later request resends: they are kept, and stand beside the conversation."""

SUMMARY = "summary:"
"""The kind of a turn that stands for all before it but the last ones, whose number follows."""

INTERRUPTED = "interrupted"
INTERRUPTED_RESULT = "[interrupted: the turn ended before this call had a result]"


@dataclass(slots=True)
class Turn:
    """A turn as it grows. ``headless``: the lines of its first messages are not there."""

    id: str
    kind: str
    messages: list[Message] = field(default_factory=list[Message])
    headless: bool = False


@dataclass(slots=True)
class Replay:
    """What lines add up to. ``answered`` in the order in which the turns ended, ``open`` those without outcome."""

    answered: list[tuple[Message, ...]] = field(default_factory=list[tuple[Message, ...]])
    open: dict[str, Turn] = field(default_factory=dict[str, Turn])
    broken: int = 0
    """How many turns ended well, but have lost too much to be resent."""


def replay(lines: Iterable[Line]) -> Replay:
    """Add lines up, in their order. What comes after the outcome of its turn does not count."""
    result, ended = Replay(), set[str]()
    for line in lines:
        if line.turn in ended:
            continue
        turn = result.open.get(line.turn)
        if isinstance(line, MessageLine):
            if turn is None:
                turn = result.open[line.turn] = Turn(line.turn, line.kind, headless=line.n != 0)
            turn.messages.append(line.message)
            continue
        ended.add(line.turn)
        result.open.pop(line.turn, None)
        if turn is not None and enters(turn.kind, line.outcome):
            whole = None if turn.headless else resendable(turn.messages)
            if whole is None:
                result.broken += 1
            else:
                result.answered[:] = joined(result.answered, turn.kind, whole)
    return result


def joined(answered: Sequence[tuple[Message, ...]], kind: str, turn: tuple[Message, ...]) -> list[tuple[Message, ...]]:
    """The turns with one more of a kind, which stands for most of them if it is a summary."""
    kept = kind.removeprefix(SUMMARY)
    if kept == kind or not kept.isdecimal():
        return [*answered, turn]
    return [turn, *answered[max(len(answered) - int(kept), 0) :]]


def enters(kind: str, outcome: str) -> bool:
    """Whether a turn of this kind that ended so is one that later requests resend."""
    return outcome in ENDED_WELL and kind not in APART


def without_result(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Results that say "interrupted", for every call that has none."""
    results = {message.call_id for message in messages if message.role is Role.TOOL}
    return tuple(
        Message(Role.TOOL, INTERRUPTED_RESULT, call_id=call.id, tool=call.name)
        for message in messages
        for call in message.calls
        if call.id not in results
    )


def resendable(messages: Sequence[Message]) -> tuple[Message, ...] | None:
    """The messages so that every call is followed by its result and every result follows its call.

    A call that lost its result gets one that says so, a result that lost its call goes. None if what is left is
    no turn: it starts with the user's message and has an answer.
    """
    kept: list[Message] = []
    waiting: dict[str, Message] = {}
    for message in messages:
        if message.role is Role.TOOL:
            if waiting.pop(message.call_id or "", None) is not None:
                kept.append(message)
            continue
        kept += waiting.values()
        waiting = {
            call.id: Message(Role.TOOL, INTERRUPTED_RESULT, call_id=call.id, tool=call.name) for call in message.calls
        }
        kept.append(message)
    kept += waiting.values()
    starts = bool(kept) and kept[0].role is Role.USER
    return tuple(kept) if starts and any(message.role is Role.ASSISTANT for message in kept) else None
