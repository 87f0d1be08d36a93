"""Turns with one model: the conversation of a root is opened, the tools are made, a turn is run and kept."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.agent.conversation import Window
from socreates_lsp.agent.events import Finished
from socreates_lsp.agent.more_tools import more_tools
from socreates_lsp.agent.raise_question import RaiseQuestion
from socreates_lsp.agent.turn import Limits, Turn, schemas_of
from socreates_lsp.memory.turns import ENDED_WELL
from socreates_lsp.model.types import Message, Role
from socreates_lsp.review.reviewer import Reading, Skipped, Stop
from socreates_lsp.tools.toolbox import toolbox

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence
    from pathlib import Path

    from socreates_lsp.agent.conversation import Conversation
    from socreates_lsp.agent.conversations import Conversations
    from socreates_lsp.agent.findings import Grounder
    from socreates_lsp.agent.hearing import Heard
    from socreates_lsp.agent.points import Points
    from socreates_lsp.agent.targets import Task
    from socreates_lsp.model.types import ChatModel
    from socreates_lsp.prompting import Prompter
    from socreates_lsp.review.reviewer import Event
    from socreates_lsp.settings import Settings
    from socreates_lsp.tools.tool import ReadLines, Tool
    from socreates_lsp.workspace.workspace import Workspace

_ROOM_FOR_MORE = 6000
"""Tokens of context from which on more than the four tools are offered."""


@dataclass(frozen=True, slots=True)
class Talk:
    """What one turn needs: the conversation of the root, the tools, and what can be sent."""

    conversation: Conversation
    tools: tuple[Tool, ...]
    window: Window

    @property
    def recent(self) -> Sequence[str]:
        """The documents read last."""
        return self.conversation.recent


class Talks:
    """Opens talks with one model under the settings of one moment, and runs turns in them."""

    def __init__(
        self,
        model: ChatModel,
        conversations: Conversations,
        workspace: Workspace,
        settings: Settings,
        prompter: Prompter,
        *,
        trusted: bool,
    ) -> None:
        """``trusted`` False: no command may run."""
        self.model = model
        self.answered_by: str | None = None
        """The model that answered last, where a fallback did."""
        self._conversations = conversations
        self._workspace = workspace
        self._settings = settings
        self._prompter = prompter
        self._trusted = trusted

    async def open(self, root: str | None, points: Points | None, *, alone: bool = False, raises: bool = True) -> Talk:
        """A talk about a root. ``points`` None: nothing will be raised. ``alone``: beside the conversation.

        ``raises`` False: there is no tool for raising points, and none that runs a command. Raises ModelError.
        """
        conversation = await self._conversations.of(root, self._settings.session)
        context = await self.model.context_tokens()
        tools = self._tools(conversation, points, context, raises=raises)
        tools += await self._more_tools(root, tools, points, raises=raises and context >= _ROOM_FOR_MORE)
        window = Window(
            conversation,
            await conversation.head(context),
            schemas_of(tools),
            model=self.model.name,
            context_tokens=context,
            max_output_tokens=self._settings.model.max_output_tokens,
            history_tokens=self._settings.history.max_tokens,
            alone=alone,
        )
        return Talk(conversation, tools, window)

    async def alone(self, root: str | None, instructions: Callable[[Path | None], str]) -> Talk:
        """A talk beside the conversation of a root, with instructions of its own and no tools. Raises ModelError."""
        conversation = await self._conversations.of(root, self._settings.session)
        head = await asyncio.to_thread(instructions, conversation.config)
        window = Window(
            conversation,
            Message(Role.SYSTEM, head),
            (),
            model=self.model.name,
            context_tokens=await self.model.context_tokens(),
            max_output_tokens=self._settings.model.max_output_tokens,
            history_tokens=self._settings.history.max_tokens,
            alone=True,
        )
        return Talk(conversation, (), window)

    def _tools(
        self, conversation: Conversation, points: Points | None, context: int, *, raises: bool
    ) -> tuple[Tool, ...]:
        """The four tools of a root, and the one for raising points where the context has room."""
        more: tuple[Tool, ...] = ()
        if raises and context >= _ROOM_FOR_MORE:
            more = (RaiseQuestion(_unasked if points is None else points.grounder),)
        if conversation.root is None:
            return more
        four = toolbox(
            conversation.root,
            self._workspace,
            self._settings.policy,
            self._prompter,
            trusted=raises and self._trusted and (self._prompter.present() or bool(self._settings.policy.auto_approve)),
            on_command=conversation.egress.command,
            granted=conversation.granted,
        )
        return (*four, *more)

    async def _more_tools(
        self, root: str | None, tools: Sequence[Tool], points: Points | None, *, raises: bool
    ) -> tuple[Tool, ...]:
        """What comes behind these tools: for remembering, and plugins."""
        return await more_tools(
            self._conversations,
            self._workspace,
            self._settings,
            root,
            (_quotes_nothing if points is None else points.quotes) if raises else None,
            [tool.name for tool in tools],
            trusted=raises and self._trusted,
        )

    async def offered(self, root: str | None) -> tuple[Tool, ...]:
        """The tools that a turn about a root is offered by a model with room for them; the model is not asked."""
        conversation = await self._conversations.of(root, self._settings.session)
        tools = self._tools(conversation, None, _ROOM_FOR_MORE, raises=True)
        return tools + await self._more_tools(root, tools, None, raises=True)

    async def limits(self) -> Limits:
        """What a turn may take that begins now."""
        spent, _ = await asyncio.to_thread(self._conversations.day.spent)
        limits, model = self._settings.limits, self._settings.model
        return Limits(
            steps=self._settings.review.max_steps,
            seconds=limits.review_seconds,
            tokens=min(limits.review_tokens, limits.day_tokens - spent),
            day=limits.day_tokens - spent < limits.review_tokens,
            max_output_tokens=model.max_output_tokens,
            temperature=model.temperature,
        )

    async def turn(
        self, talk: Talk, task: Task, kind: str, heard: Heard, limits: Limits
    ) -> AsyncGenerator[Sequence[Event], None]:
        """Run a turn, tell step by step what it does, and keep it: the transcript has every message, come what may.

        Raises ModelError or ReviewError.
        """
        if limits.tokens <= 0:
            heard.finished = Finished(Stop.LIMIT, "", 0, "", "Today's reviews have used up limits.dayTokens.")
            return
        heard.read += task.read
        yield [*map(Skipped, task.skipped), *(Reading(lines.uri, lines.range) for lines in task.read)]
        conversation = talk.conversation
        number = conversation.transcript.begin(kind)
        outcome = "failed"

        def write(message: Message) -> None:
            conversation.transcript.write(number, message)

        def sending(lines: Sequence[ReadLines], tokens: int) -> None:
            files = [(self._workspace.display_path(one.uri), *_from_one(one)) for one in lines]
            conversation.egress.sent(self.model.endpoint, self.model.name, files, tokens)

        turn = Turn(self.model, talk.tools, talk.window, limits, write=write, sending=sending)
        try:
            async with aclosing(turn.run(task.message.content, task.read)) as events:
                async for event in events:
                    yield heard.hear(event)
            outcome = self._outcome(heard)
        except asyncio.CancelledError:
            outcome = Stop.CANCELLED.value
            raise
        finally:
            conversation.transcript.end(number, outcome)
            self._conversations.day.add(heard.usage.input_tokens + heard.usage.output_tokens, 0.0)
            conversation.remember(self._workspace.display_path(lines.uri) for lines in heard.read)

    def _outcome(self, heard: Heard) -> str:
        """The outcome for the transcript: a turn without an answer did not end well."""
        finished = heard.ending
        self.answered_by = finished.model
        return finished.stop.value if finished.text.strip() or finished.stop not in ENDED_WELL else Stop.FAILED.value


def _quotes_nothing(_: str) -> bool:
    return False


async def _unasked() -> Grounder:
    raise AssertionError("a preview runs no tools")


def _from_one(lines: ReadLines) -> tuple[int, int]:
    """The first and the last line, from 1."""
    return lines.range.start.line + 1, lines.range.end.line + 1
