"""Turns with one model: the conversation of a root is opened, the tools are made, a turn is run and kept."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.agent.conversation import Window
from socreates_lsp.agent.delegating import Delegate
from socreates_lsp.agent.events import Finished, Progressed, Spent
from socreates_lsp.agent.gate import Gate, Plan
from socreates_lsp.agent.more_tools import more_tools
from socreates_lsp.agent.noting import Notes
from socreates_lsp.agent.patience import Patient
from socreates_lsp.agent.planning import Planning
from socreates_lsp.agent.prompts import prompt
from socreates_lsp.agent.raise_question import RaiseQuestion
from socreates_lsp.agent.summarising import Summarising
from socreates_lsp.agent.turn import Limits, Turn, schemas_of
from socreates_lsp.memory.turns import ENDED_WELL
from socreates_lsp.model.types import Message, Role
from socreates_lsp.review.reviewer import Skipped, Stop
from socreates_lsp.tools.ask_user import AskUser
from socreates_lsp.tools.leave import Leave
from socreates_lsp.tools.toolbox import toolbox
from socreates_lsp.tools.view import View

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence
    from pathlib import Path

    from socreates_lsp.agent.conversation import Conversation
    from socreates_lsp.agent.conversations import Conversations
    from socreates_lsp.agent.findings import Grounder
    from socreates_lsp.agent.hearing import Heard
    from socreates_lsp.agent.points import Points
    from socreates_lsp.agent.targets import Task
    from socreates_lsp.agent.team import Specialist
    from socreates_lsp.model.types import ChatModel, ToolSchema
    from socreates_lsp.prompting import Prompter
    from socreates_lsp.review.reviewer import Event
    from socreates_lsp.settings import Settings
    from socreates_lsp.tools.tool import ReadLines, Tool
    from socreates_lsp.workspace.workspace import Workspace

_ROOM_FOR_MORE = 6000
"""Tokens of context from which on more than the four tools are offered."""


@dataclass(frozen=True, slots=True)
class Talk:
    """What one turn needs: the conversation of the root, the tools, what can be sent, and what calls pass."""

    conversation: Conversation
    tools: tuple[Tool, ...]
    window: Window
    gate: Gate

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

    async def open(
        self,
        root: str | None,
        points: Points | None,
        *,
        alone: bool = False,
        raises: bool = True,
        gate: Gate | None = None,
    ) -> Talk:
        """A talk about a root. ``points`` None: nothing will be raised. ``alone``: beside the conversation.

        ``raises`` False: there is no tool for raising points, and none that runs a command. ``gate``: that of the turn
        which this one is a part of; a new one for a turn of the user's. Raises ModelError.
        """
        conversation = await self._conversations.of(root, self._settings.session)
        context = await self.model.context_tokens()
        own = gate is None
        gate = gate or self._gate(conversation, planned=raises and not alone)
        tools = self._tools(conversation, points, context, gate, raises=raises, asks=raises and own and not alone)
        tools += await self._more_tools(root, tools, points, raises=raises and context >= _ROOM_FOR_MORE)
        window = await self._window(conversation, schemas_of(tools), alone=alone)
        return Talk(conversation, tools, window, gate)

    async def alone(self, root: str | None, instructions: Callable[[Path | None], str]) -> Talk:
        """A talk beside the conversation of a root, with instructions of its own and no tools. Raises ModelError."""
        conversation = await self._conversations.of(root, self._settings.session)
        head = Message(Role.SYSTEM, await asyncio.to_thread(instructions, conversation.config))
        window = await self._window(conversation, (), head, alone=True)
        return Talk(conversation, (), window, self._gate(conversation, planned=False))

    async def specialist(self, root: str, one: Specialist, gate: Gate) -> Talk:
        """A talk of a specialist's beside the conversation of a root: its mission, its tools, the gate of whoever
        delegates to it. Raises ModelError."""
        conversation = await self._conversations.of(root, self._settings.session)
        tools = tuple(tool for tool in self._four(conversation, gate, runs=True) if tool.name in one.tools)
        parts = [await asyncio.to_thread(prompt, f"team/{name}", conversation.config) for name in (one.name, "report")]
        summary = await conversation.summary(await self.model.context_tokens())
        head = Message(Role.SYSTEM, "\n\n".join([*parts, summary]))
        return Talk(conversation, tools, await self._window(conversation, schemas_of(tools), head, alone=True), gate)

    def display_path(self, uri: str) -> str:
        """The name of a document for people and models."""
        return self._workspace.display_path(uri)

    async def aside(self, talk: Talk) -> Talk:
        """A talk that sees what another one sees, has no tools, and does not enter the conversation."""
        window = await self._window(talk.conversation, ())
        return Talk(talk.conversation, (), window.aside(), talk.gate)

    async def _window(
        self,
        conversation: Conversation,
        tools: tuple[ToolSchema, ...],
        head: Message | None = None,
        *,
        alone: bool = False,
    ) -> Window:
        """What a turn sends, under the conversation's own head if no other is given. Raises ModelError."""
        context = await self.model.context_tokens()
        return Window(
            conversation,
            head or await conversation.head(context),
            tools,
            model=self.model.name,
            context_tokens=context,
            max_output_tokens=self._settings.model.max_output_tokens,
            history_tokens=self._settings.history.max_tokens,
            alone=alone,
        )

    def planning(self, talk: Talk, task: Task, points: Points) -> Planning:
        """The plan of a turn of the user's, where one has to be approved."""
        return Planning(self, self._prompter, talk, task, points)

    def _gate(self, conversation: Conversation, *, planned: bool) -> Gate:
        """The gate of a turn of the user's. ``planned``: where plan mode is on, nothing runs without a plan."""
        policy = self._settings.policy
        view = None if conversation.root is None else View(conversation.root, self._workspace, policy.read_deny)
        user = Patient(self._prompter)
        leave = Leave(policy, user, conversation.egress.command, conversation.granted)
        plan = Plan.AWAITED if planned and self._settings.plan_mode else Plan.NOT_NEEDED
        return Gate(view, leave, user, supervise=self._settings.supervise, plan=plan)

    def _tools(
        self, conversation: Conversation, points: Points | None, context: int, gate: Gate, *, raises: bool, asks: bool
    ) -> tuple[Tool, ...]:
        """The four tools of a root, and those for delegating, raising points and asking the user where the context has
        room."""
        more: tuple[Tool, ...] = ()
        four, root = self._four(conversation, gate, runs=raises), conversation.root
        grounder = _unasked if points is None else points.grounder

        async def say(text: str) -> str:
            return await asyncio.to_thread((await grounder()).say, text)

        if raises and context >= _ROOM_FOR_MORE:
            more = (RaiseQuestion(grounder),)
        if asks and context >= _ROOM_FOR_MORE and self._prompter.present():
            more = (*more, AskUser(gate.user, say))
        if asks and root is not None and context >= _ROOM_FOR_MORE:
            more = (*more, Delegate(self, root, gate, conversation.state, [tool.name for tool in four], say))
        return (*four, *more)

    def _four(self, conversation: Conversation, gate: Gate, *, runs: bool) -> tuple[Tool, ...]:
        """The tools of a root; ``runs``: with the one that runs commands, where that may be."""
        if conversation.root is None:
            return ()
        policy = self._settings.policy
        trusted = runs and self._trusted and (self._prompter.present() or bool(policy.auto_approve))
        return toolbox(conversation.root, self._workspace, policy, gate.leave, trusted=trusted)

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
        gate = self._gate(conversation, planned=False)
        tools = self._tools(conversation, None, _ROOM_FOR_MORE, gate, raises=True, asks=True)
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
        async with aclosing(self._summarised(talk, heard, limits)) as summarised:
            async for told in summarised:
                yield told
        heard.version_of = self._workspace.version
        notes = Notes(talk.conversation.state, kind, self._workspace.display_path)
        notes.began(task)
        for tool in talk.tools:
            if isinstance(tool, Delegate):
                tool.target = task
        yield [*map(Skipped, task.skipped), *map(heard.take, task.read)]
        conversation = talk.conversation
        number = conversation.transcript.begin(kind)
        outcome = "failed"

        def write(message: Message) -> None:
            conversation.transcript.write(number, message)

        def sending(lines: Sequence[ReadLines], tokens: int) -> None:
            files = [(self._workspace.display_path(one.uri), *_from_one(one)) for one in lines]
            conversation.egress.sent(self.model.endpoint, self.model.name, files, tokens)

        turn = Turn(self.model, talk.tools, talk.window, limits, talk.gate, write=write, sending=sending)
        try:
            async with aclosing(turn.run(task.message.content, task.read)) as events:
                async for event in events:
                    notes.heard(event)
                    yield heard.hear(event)
            outcome = self._outcome(heard)
        except asyncio.CancelledError:
            outcome = Stop.CANCELLED.value
            raise
        finally:
            before = conversation.transcript.turns[-1:]
            conversation.transcript.end(number, outcome)
            for said in conversation.transcript.turns[-1:]:
                if said not in before:
                    self._conversations.said(conversation.root, said)
            notes.ended(heard, outcome)
            self._conversations.day.add(heard.own_tokens, 0.0)
            conversation.remember(self._workspace.display_path(lines.uri) for lines in heard.read)

    async def _summarised(self, talk: Talk, heard: Heard, limits: Limits) -> AsyncGenerator[Sequence[Event], None]:
        """Make older turns shorter before a turn begins, if there are too many; it then begins with what is left."""
        window, conversation = talk.window, talk.conversation
        if window.alone:
            return
        summarising = Summarising(conversation, self.model, self._settings.history.summarise_after_messages)
        count = summarising.due(window.history_limit)
        if count:
            alone = await self.alone(conversation.root, lambda config: prompt("summary", config))
            egress, model = conversation.egress, self.model

            def sending(tokens: int) -> None:
                egress.sent(model.endpoint, model.name, (), tokens)

            async with aclosing(summarising.events(count, alone.window, limits, alone.gate, sending)) as events:
                async for event in events:
                    if isinstance(event, (Spent, Progressed)):
                        yield heard.hear(event)
        window.renew()

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
