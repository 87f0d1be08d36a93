"""The agent as a Reviewer: a model, tools that only read, one conversation for each root."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.agent.conversation import Window
from socreates_lsp.agent.events import Finished
from socreates_lsp.agent.hearing import Heard
from socreates_lsp.agent.points import Points, Shown
from socreates_lsp.agent.raise_question import RaiseQuestion
from socreates_lsp.agent.sentences import summary_of_answer
from socreates_lsp.agent.speaking import Voice
from socreates_lsp.agent.targets import Targets
from socreates_lsp.agent.turn import Limits, Turn, schemas_of
from socreates_lsp.memory.turns import ENDED_WELL
from socreates_lsp.review.outcome import Examined, Preview
from socreates_lsp.review.reviewer import Closed, Reading, Said, Skipped, Stop
from socreates_lsp.tools.toolbox import toolbox

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import AsyncGenerator, Sequence

    from socreates_lsp.agent.conversation import Conversation
    from socreates_lsp.agent.conversations import Conversations
    from socreates_lsp.agent.findings import Grounder
    from socreates_lsp.agent.targets import Task
    from socreates_lsp.model.types import ChatModel, Message
    from socreates_lsp.prompting import Prompter
    from socreates_lsp.review.reviewer import Event, Found, Question, ReviewRequest
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.settings import Settings
    from socreates_lsp.tools.tool import ReadLines, Tool
    from socreates_lsp.workspace.text import Range
    from socreates_lsp.workspace.workspace import Workspace

_ROOM_FOR_MORE = 6000
"""Tokens of context from which on more than the four tools are offered."""


@dataclass(frozen=True, slots=True)
class _Talk:
    """What one turn needs: the conversation of the root, the tools, and what can be sent."""

    conversation: Conversation
    tools: tuple[Tool, ...]
    window: Window

    @property
    def recent(self) -> Sequence[str]:
        return self.conversation.recent


class Agent:
    """Reviews with one model, under the settings of one moment."""

    def __init__(
        self,
        model: ChatModel,
        conversations: Conversations,
        workspace: Workspace,
        store: FindingStore,
        settings: Settings,
        prompter: Prompter,
        *,
        grounding: Counter[str],
        trusted: bool,
    ) -> None:
        """``grounding`` counts how findings were grounded; ``trusted`` False: no command may run."""
        self._model = model
        self._conversations = conversations
        self._workspace = workspace
        self._settings = settings
        self._prompter = prompter
        self._trusted = trusted
        self._targets = Targets(workspace, store, settings)
        self._answered_by: str | None = None
        self._grounding = grounding

    @property
    def provider(self) -> str:
        """See ``Reviewer``."""
        return self._model.provider

    @property
    def model(self) -> str | None:
        """See ``Reviewer``; the one that answered last, where a fallback did."""
        return self._answered_by or self._model.name

    async def review(self, request: ReviewRequest) -> AsyncGenerator[Event, None]:
        """See ``Reviewer``. Raises TargetError, ReviewError or ModelError."""
        points = self._points(request.root, request.uri, suppress=request.suppress)
        shown = Shown(request.most_sent, request.min_confidence)
        try:
            talk = await self._talk(request.root, points)
            task = await asyncio.to_thread(self._targets.review, request, talk.window.attachment_limit, talk.recent)
            heard = Heard(speaks=False)
            async with aclosing(self._turn(talk, task, "review", heard)) as steps:
                async for told in steps:
                    for event in (*told, *await self._new(points, heard, shown)):
                        yield event
            for event in await self._closing(points, heard, shown):
                yield event
        finally:
            points.close()

    async def answer(self, question: Question) -> AsyncGenerator[Event, None]:
        """See ``Reviewer``. Raises TargetError, ReviewError or ModelError."""
        points = self._points(question.root, question.uri, suppress=True)
        shown = Shown(0, 0.0)
        try:
            talk = await self._talk(question.root, points)
            task = await asyncio.to_thread(self._targets.question, question, talk.window.attachment_limit, talk.recent)
            heard = Heard(speaks=True)
            voice = Voice(points)
            async with aclosing(self._turn(talk, task, "ask", heard)) as steps:
                async for told in steps:
                    for event in told:
                        if not isinstance(event, Said):
                            yield event
                        elif said := await voice.say(event.text, (lines.uri for lines in heard.read)):
                            yield said
            if said := await voice.end(heard.finished.reason if heard.finished is not None else ""):
                yield said
            for event in await self._closing(points, heard, shown):
                if isinstance(event, Closed):
                    withheld = event.withheld + voice.withheld
                    event = replace(event, summary=voice.said, withheld=withheld)  # noqa: PLW2901
                yield event
        finally:
            points.close()

    async def preview(self, request: ReviewRequest) -> Preview:
        """See ``Reviewer``. The server may be asked about the model. Raises TargetError or ModelError."""
        talk = await self._talk(request.root, None)
        task = await asyncio.to_thread(self._targets.review, request, talk.window.attachment_limit, talk.recent)
        spans: dict[str, list[Range]] = {}
        for lines in task.read:
            spans.setdefault(lines.uri, []).append(lines.range)
        files = tuple(Examined(uri, tuple(ranges), 0) for uri, ranges in spans.items())
        return Preview(self._model.endpoint, self._model.name, files, talk.window.estimated([task.message]))

    # A turn

    async def _talk(self, root: str | None, points: Points | None) -> _Talk:
        conversation = await self._conversations.of(root, self._settings.session)
        context = await self._model.context_tokens()
        tools = self._tools(conversation, points, context)
        window = Window(
            conversation,
            await conversation.head(context),
            schemas_of(tools),
            model=self._model.name,
            context_tokens=context,
            max_output_tokens=self._settings.model.max_output_tokens,
            history_tokens=self._settings.history.max_tokens,
        )
        return _Talk(conversation, tools, window)

    def _points(self, root: str | None, current: str | None, *, suppress: bool) -> Points:
        return Points(self._workspace, root, current, suppress=suppress, may_be_read=self._targets.may_be_read)

    def _tools(self, conversation: Conversation, points: Points | None, context: int) -> tuple[Tool, ...]:
        """The four tools of a root, and the one for raising points where the context has room."""
        more: tuple[Tool, ...] = ()
        if context >= _ROOM_FOR_MORE:
            more = (RaiseQuestion(_unasked if points is None else points.grounder),)
        if conversation.root is None:
            return more
        four = toolbox(
            conversation.root,
            self._workspace,
            self._settings.policy,
            self._prompter,
            trusted=self._trusted and (self._prompter.present() or bool(self._settings.policy.auto_approve)),
            on_command=conversation.egress.command,
            granted=conversation.granted,
        )
        return (*four, *more)

    async def _turn(self, talk: _Talk, task: Task, kind: str, heard: Heard) -> AsyncGenerator[Sequence[Event], None]:
        """Run a turn, tell step by step what it does, and keep it: the transcript has every message, come what may."""
        limits = await self._limits()
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
            conversation.egress.sent(self._model.endpoint, self._model.name, files, tokens)

        turn = Turn(self._model, talk.tools, talk.window, limits, write=write, sending=sending)
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
        finished = heard.finished
        assert finished is not None, "the last event of a turn"
        self._answered_by = finished.model
        return finished.stop.value if finished.text.strip() or finished.stop not in ENDED_WELL else Stop.FAILED.value

    async def _limits(self) -> Limits:
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

    # Its points

    @staticmethod
    async def _new(points: Points, heard: Heard, shown: Shown) -> list[Found]:
        """The points that have come since, through the tool or in the answer as far as it is written."""
        if heard.has_more():
            await points.heard(heard.answer, (lines.uri for lines in heard.read))
        return list(shown.new(points.answered))

    async def _closing(self, points: Points, heard: Heard, shown: Shown) -> list[Event]:
        """The points that are left, in the model's own order, and the end."""
        finished = heard.finished
        assert finished is not None, "the last event of a turn"
        answered = await points.finished(finished.text, (lines.uri for lines in heard.read))
        self._grounding.update(answered.grounding)
        left = list(shown.new(answered))
        findings = [found.finding for found in answered.found if found.finding.id in shown.ids]
        closed = Closed(
            finished.stop,
            summary_of_answer(answered, findings, finished, heard.read),
            rounds=finished.rounds,
            suppressed=len(answered.suppressed),
            capped=shown.capped,
            ungrounded=len(answered.ungrounded),
            withheld=answered.withheld,
        )
        return [*left, closed]


async def _unasked() -> Grounder:
    raise AssertionError("a preview runs no tools")


def _from_one(lines: ReadLines) -> tuple[int, int]:
    """The first and the last line, from 1."""
    return lines.range.start.line + 1, lines.range.end.line + 1
