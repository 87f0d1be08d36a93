"""The conversation of one root: what stands at the head of every request, and the turns that ended well."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.agent.estimate import Estimator, size_of, size_of_message, size_of_tools
from socreates_lsp.agent.history import compacted, shrunk_result, shrunk_turn, size_of_turns
from socreates_lsp.agent.prompts import prompt
from socreates_lsp.agent.task_state import TaskState
from socreates_lsp.agent.workspace_summary import summary_of_workspace
from socreates_lsp.errors import ReviewError
from socreates_lsp.model.types import Message, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from socreates_lsp.agent.history import Turn
    from socreates_lsp.agent.looked import Key, Looked
    from socreates_lsp.memory.egress import Egress
    from socreates_lsp.memory.transcript import Transcript
    from socreates_lsp.model.types import ToolSchema

_SUMMARY_SHARE = 16
"""One part in so many of the context is what the summary of the workspace may take."""

_SUMMARY_MOST = 4000
"""Characters of the summary at most."""

_RESERVE_SHARE, _RESERVE_MOST = 4, 4096
"""What is kept free for the answer, where the settings do not say: a part of the context, at most so many tokens."""

_HISTORY_SHARE = 2 / 3
"""The part of what is left beside the head that the history may take."""

_LONGEST_TEXT, _TEXT_SHARE = 60_000, 0.8
"""What a message that is all there is to a request may take: characters, and the part of the room."""

_RECENT = 8
"""Documents read lately that a task names."""


@dataclass(frozen=True, slots=True)
class Began:
    """Where the conversation stood when something began: its turns, how often they were rewritten and begun anew."""

    turns: int
    rewritten: int
    begun: int


class Conversation:
    """One for each root. ``turns`` are as they were last sent; the transcript has them whole.

    ``granted`` are the commands that the user allowed for the session, ``recent`` the documents read last, ``looked``
    what reviews of each target have read and left out, ``begun`` counts how often it began anew, ``rewritten`` how
    often turns before the last one were made shorter. ``unsummarised``: how many messages there were when a summary
    failed; ``summarising``: held while one is made.
    """

    def __init__(self, root: str | None, transcript: Transcript, egress: Egress, config: Path | None) -> None:
        """``config`` is the user's config folder, where own prompts may stand."""
        self.root = root
        self.transcript = transcript
        self.egress = egress
        self.turns: tuple[Turn, ...] = transcript.turns
        self.recent: list[str] = []
        self.granted: set[str] = set()
        self.looked: dict[Key, Looked] = {}
        self.begun = 0
        self.rewritten = 0
        self.unsummarised = 0
        self.summarising = asyncio.Lock()
        self.config = config
        self._estimators: dict[str, Estimator] = {}
        self.state = TaskState()
        """What is known of the task at hand; another one after each new beginning."""
        self._head: Message | None = None
        self._summary: str | None = None

    def estimator(self, model: str) -> Estimator:
        """What is known of the tokens of a model."""
        return self._estimators.setdefault(model, Estimator())

    async def head(self, context_tokens: int) -> Message:
        """The first message of every request, frozen when it is first asked for."""
        if self._head is None:
            instructions = prompt("instructions", self.config)
            summary = await self.summary(context_tokens)
            if self._head is None:
                self._head = Message(Role.SYSTEM, f"{instructions}\n\n{summary}")
        return self._head

    async def summary(self, context_tokens: int) -> str:
        """What is told of the workspace, frozen likewise."""
        if self._summary is None:
            most = min(_SUMMARY_MOST, context_tokens * 3 // _SUMMARY_SHARE)
            summary = "No folder is open."
            if self.root is not None:
                summary = await asyncio.to_thread(summary_of_workspace, self.root, most)
            self._summary = self._summary or summary
        return self._summary

    def commit(self, began: Began, history: Sequence[Turn], turn: Turn) -> None:
        """A turn ended well: it goes behind the history it was asked with and whatever ended meanwhile.

        ``history`` is what it made of the turns before it; where others made something else of them meanwhile, that
        holds.
        """
        if began.rewritten != self.rewritten:
            self.turns = (*self.turns, turn)
            return
        before = self.turns[: began.turns]
        if len(history) != len(before) or any(one is not other for one, other in zip(history, before, strict=True)):
            self.rewritten += 1
        self.turns = (*history, *self.turns[began.turns :], turn)

    def summarise(self, began: Began, count: int, summary: Turn) -> bool:
        """Put a summary in the place of the first turns. False if these are others by now."""
        if began != Began(began.turns, self.rewritten, self.begun):
            return False
        self.rewritten += 1
        kept = self.turns[count:]
        self.turns = (summary, *kept)
        self.transcript.summarised(summary, len(kept))
        return True

    def moment(self) -> Began:
        """What there is now."""
        return Began(len(self.turns), self.rewritten, self.begun)

    def remember(self, paths: Iterable[str]) -> None:
        """These documents were read; the last ones are named in the next task."""
        for path in dict.fromkeys(paths):
            if path in self.recent:
                self.recent.remove(path)
            self.recent.append(path)
        del self.recent[:-_RECENT]

    def forget(self) -> None:
        """Start anew; turns that run do not enter the new conversation."""
        self.begun += 1
        self.unsummarised = 0
        self.turns = ()
        self.recent.clear()
        self.looked.clear()
        self.state = TaskState()
        self._head = self._summary = None


class Window:
    """What one turn sends to one model: everything fits into the context, or is made to."""

    def __init__(
        self,
        conversation: Conversation,
        head: Message,
        tools: tuple[ToolSchema, ...],
        *,
        model: str,
        context_tokens: int,
        max_output_tokens: int | None,
        history_tokens: int,
        alone: bool = False,
    ) -> None:
        """``history_tokens`` is ``history.maxTokens`` of the settings.

        ``alone``: the turn stands beside the conversation, sees none of its turns and does not enter it.
        """
        reserve = max_output_tokens or min(_RESERVE_MOST, context_tokens // _RESERVE_SHARE)
        self._estimator = conversation.estimator(model)
        self._context = context_tokens
        self._input = max(context_tokens - reserve, context_tokens // 8)
        self._head = head
        self._fixed = size_of([head]) + size_of_tools(tools)
        self._began = conversation.moment()
        self._conversation = conversation
        self.alone = alone
        self._enters = not alone
        self._history_tokens = history_tokens
        self._measured: dict[int, tuple[Message, int]] = {}
        self._history: tuple[Turn, ...] = ()
        self._history_size = 0
        self.renew()

    def aside(self) -> Window:
        """The turn sees the conversation, and does not enter it."""
        self._enters = False
        return self

    def renew(self) -> None:
        """Begin now: with the turns as they are at this moment."""
        self._began = self._conversation.moment()
        self.history = compacted(() if self.alone else self._conversation.turns, self.history_limit)

    @property
    def history_limit(self) -> int:
        """Bytes of earlier turns at most."""
        room = int(max(self._room(), 0) * _HISTORY_SHARE)
        return min(self._estimator.bytes(self._history_tokens), room)

    @property
    def text_limit(self) -> int:
        """Characters of a single message that is all there is to a request."""
        return max(min(_LONGEST_TEXT, int(self._room() * _TEXT_SHARE)), 0)

    @property
    def history(self) -> tuple[Turn, ...]:
        """The turns before this one, as they are sent."""
        return self._history

    @history.setter
    def history(self, turns: tuple[Turn, ...]) -> None:
        self._history, self._history_size = turns, size_of_turns(turns)

    def _room(self) -> int:
        """Bytes that history and turn may take together."""
        return self._estimator.bytes(self._input) - self._fixed

    @property
    def result_limit(self) -> int:
        """Characters of one result at most: 16,000, or an eighth of the context."""
        return min(16_000, self._estimator.bytes(self._context) // 8)

    @property
    def attachment_limit(self) -> int:
        """Characters of the lines that a task may bring along."""
        return max(min(24_000, int(self._room() * min(self._new_share, 1 / 3))), 0)

    @property
    def _new_share(self) -> float:
        """The part of the room that one request may add: in a small context less, so that most of a prompt repeats."""
        return min(1 / 2, self._context / 65_536 + 1 / 8)

    def limit_for(self, turn: Sequence[Message], calls: int) -> int:
        """Characters of each of so many results of one round: fewer than ``result_limit`` where many come at once."""
        left = self._room() - self._size_of(shrunk_turn(turn))
        together = min(left * 9 // 10, int(self._room() * self._new_share))
        return max(min(self.result_limit, together // max(calls, 1)), 200)

    def messages(self, turn: list[Message]) -> tuple[Message, ...]:
        """The messages of the next request. Shortens ``turn``, then the history, where they do not fit.

        Raises ReviewError where they cannot be made to.
        """
        if self._excess(turn) > 0:
            turn[:] = shrunk_turn(turn)
        if self._excess(turn) > 0:
            self.history = compacted(self.history, max(self._room() - self._size_of(turn), 0))
        if self._excess(turn) > 0:
            turn[:] = map(shrunk_result, turn)
        if self._excess(turn) > 0:
            raise ReviewError(
                f"The request does not fit into the model's context of {self._context:,} tokens: "
                "ask about fewer lines, or set model.contextTokens if the model can take more."
            )
        return (self._head, *(message for past in self.history for message in past), *turn)

    def squeeze(self, turn: list[Message]) -> None:
        """The server says that a request was too long: believe it, and make everything shorter by a third."""
        size = self._size(turn)
        self._estimator.learn(size, self._estimator.tokens(size) * 3 // 2)
        turn[:] = shrunk_turn(turn)
        self.history = compacted(self.history, self._history_size // 3)

    def _excess(self, turn: Sequence[Message]) -> int:
        return self._size(turn) - self._estimator.bytes(self._input)

    def estimated(self, turn: Sequence[Message]) -> int:
        """Tokens of the next request."""
        return self._estimator.tokens(self._size(turn))

    def learn(self, turn: Sequence[Message], tokens: int) -> None:
        """The server counted so many tokens in the last request."""
        self._estimator.learn(self._size(turn), tokens)

    def _size(self, turn: Sequence[Message]) -> int:
        """Bytes of a request."""
        return self._fixed + self._size_of(turn) + self._history_size

    def _size_of(self, turn: Sequence[Message]) -> int:
        """Bytes of messages of the turn, each measured once."""
        size = 0
        for message in turn:
            known = self._measured.get(id(message))
            if known is None:
                # The message is kept as well, so that no other one gets its id.
                known = self._measured[id(message)] = (message, size_of_message(message))
            size += known[1]
        return size

    def commit(self, turn: Sequence[Message]) -> None:
        """The turn ended well; it is nowhere if the conversation has begun anew meanwhile."""
        if self._enters and self._began.begun == self._conversation.begun:
            self._conversation.commit(self._began, self.history, tuple(turn))
