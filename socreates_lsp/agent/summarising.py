"""Older turns as a summary: one call without tools, in the place of all that it stands for.

It comes before a turn begins, as a part of it, so that whatever ends the turn ends this as well. The cheap passes of
``history`` come first: what they make fit is not summarised for its size. If the call fails, they do alone. The newest
turns stay as they are; a turn goes whole, so no result is parted from its call.
"""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.agent.events import Finished, Progressed
from socreates_lsp.agent.history import SUMMARISED, compacted, is_summary, shrunk, size_of_turns
from socreates_lsp.agent.turn import Turn
from socreates_lsp.errors import SocreatesError
from socreates_lsp.model.types import Message, Role
from socreates_lsp.review.reviewer import Stop

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from socreates_lsp.agent.conversation import Conversation, Window
    from socreates_lsp.agent.events import TurnEvent
    from socreates_lsp.agent.gate import Gate
    from socreates_lsp.agent.history import Turn as Messages
    from socreates_lsp.agent.turn import Limits
    from socreates_lsp.model.types import ChatModel

MARK = "[Summary of {} earlier messages]"
"""How a summary is marked as such: a turn of its own."""

_LONGEST = 4000
"""Characters of a summary."""

_SECONDS, _TOKENS_OUT = 120.0, 1500
_TAIL = 3
"""One part in so many, of the messages and of the bytes that are allowed, stays as it is."""

_LONGEST_SAID, _LONGEST_RESULT = 1500, 400
"""Characters of a message, and of a result, that the call is given."""

_LATER = 8
"""Messages after a failure before it is tried again, at least."""

_LEFT_OUT = "[… {} messages left out here]"


def older(turns: Sequence[Messages], most: int, limit: int) -> int:
    """How many of the turns, from the first, are to be summarised; 0 for none.

    So many are too many: more than ``most`` messages, or so much that of ``limit`` bytes whole turns would have to go.
    ``most`` 0: never.
    """
    if not most or (sum(map(len, turns)) <= most and len(compacted(turns, limit)) == len(turns)):
        return 0
    small = [tuple(map(shrunk, turn)) for turn in turns]
    kept = 1
    while kept < len(turns):
        tail = small[len(small) - kept - 1 :]
        if sum(map(len, tail)) > most // _TAIL or size_of_turns(tail) > limit // _TAIL:
            break
        kept += 1
    count = len(turns) - kept
    return 0 if count == 1 and is_summary(turns[0]) else max(count, 0)


def rendered(turns: Sequence[Messages], limit: int) -> str:
    """The messages of some turns as one text of at most ``limit`` characters; where there are more, the first one and
    the newest."""
    said = [_said(message) for turn in turns for message in turn if message.content != SUMMARISED]
    if sum(map(len, said)) + 2 * len(said) <= limit:
        return "\n\n".join(said)
    room = limit - len(said[0]) - len(_LEFT_OUT) - 10
    kept: list[str] = []
    for one in reversed(said[1:]):
        room -= len(one) + 2
        if room < 0:
            break
        kept.insert(0, one)
    return "\n\n".join([said[0], _LEFT_OUT.format(len(said) - 1 - len(kept)), *kept])[: max(limit, 0)]


def _said(message: Message) -> str:
    if message.role is Role.TOOL:
        return f"Result of {message.tool}: {message.content[:_LONGEST_RESULT]}"
    if message.role is Role.USER:
        return f"The developer: {message.content[:_LONGEST_SAID]}"
    calls = "".join(f"\nYou called {call.name} {call.raw[:200]}" for call in message.calls)
    return f"You: {message.content[:_LONGEST_SAID]}{calls}"


class Summarising:
    """Summarises the older turns of one conversation, where that is due."""

    def __init__(self, conversation: Conversation, model: ChatModel, most: int) -> None:
        """``most`` is ``history.summariseAfterMessages``."""
        self._conversation = conversation
        self._model = model
        self._most = most

    def due(self, limit: int) -> int:
        """How many turns are to be summarised now; after a failure not before there is clearly more of it."""
        conversation = self._conversation
        if conversation.summarising.locked():
            return 0
        messages = sum(map(len, conversation.turns))
        if conversation.unsummarised and messages < conversation.unsummarised + max(self._most // 4, _LATER):
            return 0
        return older(conversation.turns, self._most, limit)

    async def events(
        self, count: int, window: Window, limits: Limits, gate: Gate, sending: Callable[[int], None]
    ) -> AsyncGenerator[TurnEvent, None]:
        """Summarise so many turns. ``window`` holds the instructions, no tools and no history. Never raises for the
        model; ``sending`` hears the estimated tokens."""
        conversation = self._conversation
        async with conversation.summarising:
            began, turns = conversation.moment(), conversation.turns[:count]
            limits = replace(
                limits,
                steps=1,
                seconds=min(limits.seconds, _SECONDS),
                max_output_tokens=min(limits.max_output_tokens or _TOKENS_OUT, _TOKENS_OUT),
            )
            turn = Turn(
                self._model, (), window, limits, gate, write=lambda _: None, sending=lambda _, tokens: sending(tokens)
            )
            yield Progressed("summarising the conversation")
            text = ""
            try:
                async with aclosing(turn.run(rendered(turns, window.text_limit))) as events:
                    async for event in events:
                        if isinstance(event, Finished):
                            text = event.text.strip() if event.stop is Stop.ANSWERED else ""
                        else:
                            yield event
            except SocreatesError:
                text = ""
            if text:
                messages = sum(map(len, turns))
                said = f"{MARK.format(messages)}\n{text[:_LONGEST]}"
                conversation.summarise(began, count, (Message(Role.USER, SUMMARISED), Message(Role.ASSISTANT, said)))
            conversation.unsummarised = 0 if text else sum(map(len, conversation.turns))
