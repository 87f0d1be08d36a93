"""The agent as a Reviewer: a model, four tools, one conversation for each root."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from socreates_lsp.agent.conversation import Window
from socreates_lsp.agent.events import Finished, Piece, Progressed, Read, Spent, Warned
from socreates_lsp.agent.findings import Answered, Grounder, files_of
from socreates_lsp.agent.sentences import summary_of_answer
from socreates_lsp.agent.targets import Targets
from socreates_lsp.agent.turn import Limits, Turn, schemas_of
from socreates_lsp.memory.turns import ENDED_WELL
from socreates_lsp.review.outcome import Examined, Preview
from socreates_lsp.review.reviewer import Closed, Doing, Found, Reading, Said, Skipped, Stop, Usage
from socreates_lsp.tools.toolbox import toolbox

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import AsyncGenerator, Sequence

    from socreates_lsp.agent.conversation import Conversation
    from socreates_lsp.agent.conversations import Conversations
    from socreates_lsp.agent.events import TurnEvent
    from socreates_lsp.agent.targets import Task
    from socreates_lsp.model.types import ChatModel, Message
    from socreates_lsp.prompting import Prompter
    from socreates_lsp.review.reviewer import Event, Question, ReviewRequest
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.settings import Settings
    from socreates_lsp.tools.tool import ReadLines, Tool
    from socreates_lsp.workspace.text import Range
    from socreates_lsp.workspace.workspace import Workspace

_HELD = 200
"""Characters of an answer that are held back before it is shown: what comes before calls of tools is shorter."""


@dataclass(slots=True)
class _Heard:
    """What a turn has told so far."""

    read: list[ReadLines] = field(default_factory=list["ReadLines"])
    usage: Usage = Usage()  # noqa: RUF009  (frozen)
    finished: Finished | None = None
    text: str = ""
    round_text: str = ""
    warned: bool = False


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
        conversation = await self._conversation(request.root)
        tools = self._tools(conversation)
        window = await self._window(conversation, tools)
        task = await asyncio.to_thread(self._targets.review, request, window.attachment_limit, conversation.recent)
        heard = _Heard()
        files = self._listing(request.root)
        async with aclosing(self._turn(conversation, tools, window, task, "review", heard)) as events:
            async for event in events:
                yield event
        answered = await self._answered(request.root, request.uri, heard, files, suppress=request.suppress)
        for event in self._closing(answered, heard, request.max_findings, request.min_confidence):
            yield event

    async def answer(self, question: Question) -> AsyncGenerator[Event, None]:
        """See ``Reviewer``. Raises TargetError, ReviewError or ModelError."""
        conversation = await self._conversation(question.root)
        tools = self._tools(conversation)
        window = await self._window(conversation, tools)
        task = await asyncio.to_thread(self._targets.question, question, window.attachment_limit, conversation.recent)
        heard = _Heard()
        files = self._listing(question.root)
        async with aclosing(self._turn(conversation, tools, window, task, "ask", heard, speak=True)) as events:
            async for event in events:
                yield event
        answered = await self._answered(question.root, question.uri, heard, files, suppress=True)
        for event in self._closing(answered, heard, 0, 0.0):
            yield event if not isinstance(event, Closed) else replace(event, summary=heard.text)

    async def preview(self, request: ReviewRequest) -> Preview:
        """See ``Reviewer``. The server may be asked about the model. Raises TargetError or ModelError."""
        conversation = await self._conversation(request.root)
        window = await self._window(conversation, self._tools(conversation))
        task = await asyncio.to_thread(self._targets.review, request, window.attachment_limit, conversation.recent)
        spans: dict[str, list[Range]] = {}
        for lines in task.read:
            spans.setdefault(lines.uri, []).append(lines.range)
        files = tuple(Examined(uri, tuple(ranges), 0) for uri, ranges in spans.items())
        return Preview(self._model.endpoint, self._model.name, files, window.estimated([task.message]))

    # A turn

    async def _conversation(self, root: str | None) -> Conversation:
        return await self._conversations.of(root, self._settings.session)

    def _tools(self, conversation: Conversation) -> Sequence[Tool]:
        if conversation.root is None:
            return ()
        return toolbox(
            conversation.root,
            self._workspace,
            self._settings.policy,
            self._prompter,
            trusted=self._trusted and (self._prompter.present() or bool(self._settings.policy.auto_approve)),
            on_command=conversation.egress.command,
            granted=conversation.granted,
        )

    async def _window(self, conversation: Conversation, tools: Sequence[Tool]) -> Window:
        context = await self._model.context_tokens()
        return Window(
            conversation,
            await conversation.head(context),
            schemas_of(tools),
            model=self._model.name,
            context_tokens=context,
            max_output_tokens=self._settings.model.max_output_tokens,
            history_tokens=self._settings.history.max_tokens,
        )

    async def _turn(
        self,
        conversation: Conversation,
        tools: Sequence[Tool],
        window: Window,
        task: Task,
        kind: str,
        heard: _Heard,
        *,
        speak: bool = False,
    ) -> AsyncGenerator[Event, None]:
        """Run a turn, tell what it does, and keep it: the transcript has every message, whatever happens."""
        limits = await self._limits()
        if limits.tokens <= 0:
            heard.finished = Finished(Stop.LIMIT, "", 0, "", "Today's reviews have used up limits.dayTokens.")
            return
        for reason in task.skipped:
            yield Skipped(reason)
        for lines in task.read:
            heard.read.append(lines)
            yield Reading(lines.uri, lines.range)
        number = conversation.transcript.begin(kind)
        outcome = "failed"

        def write(message: Message) -> None:
            conversation.transcript.write(number, message)

        def sending(lines: Sequence[ReadLines], tokens: int) -> None:
            files = [(self._workspace.display_path(one.uri), *_from_one(one)) for one in lines]
            conversation.egress.sent(self._model.endpoint, self._model.name, files, tokens)

        turn = Turn(self._model, tools, window, limits, write=write, sending=sending)
        try:
            async with aclosing(turn.run(task.message.content, task.read)) as events:
                async for event in events:
                    for told in self._hear(heard, event, speak=speak):
                        yield told
            assert heard.finished is not None
            outcome = heard.finished.stop.value
            if outcome in ENDED_WELL and not heard.finished.text.strip():
                outcome = Stop.FAILED.value
        except asyncio.CancelledError:
            outcome = Stop.CANCELLED.value
            raise
        finally:
            conversation.transcript.end(number, outcome)
            self._conversations.day.add(heard.usage.input_tokens + heard.usage.output_tokens, 0.0)
            conversation.remember(self._workspace.display_path(lines.uri) for lines in heard.read)

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

    def _hear(self, heard: _Heard, event: TurnEvent, *, speak: bool) -> Sequence[Event]:
        match event:
            case Progressed(message):
                return [Doing(message)]
            case Piece(text):
                return self._speak(heard, text) if speak else []
            case Read(lines):
                heard.read.append(lines)
                return [Reading(lines.uri, lines.range)]
            case Spent(usage):
                spent = Usage(usage.prompt, usage.cached, usage.completion)
                heard.round_text = ""
                heard.usage = Usage(
                    heard.usage.input_tokens + spent.input_tokens,
                    heard.usage.cached_tokens + spent.cached_tokens,
                    heard.usage.output_tokens + spent.output_tokens,
                )
                return [spent]
            case Warned(message):
                told = heard.warned
                heard.warned = True
                return [] if told else [Skipped(message)]
            case Finished():
                heard.finished = event
                self._answered_by = event.model
                if not speak or len(event.text) >= _HELD:
                    return []
                return self._speak(heard, event.text, held=False)

    @staticmethod
    def _speak(heard: _Heard, piece: str, *, held: bool = True) -> Sequence[Event]:
        """Say a piece of the answer, once enough of it is there to know that it is one."""
        began = held and len(heard.round_text) >= _HELD
        heard.round_text += piece
        if held and len(heard.round_text) < _HELD:
            return []
        said = piece if began else ("\n\n" if heard.text else "") + heard.round_text.lstrip()
        heard.text += said
        return [Said(said)]

    # Its end

    @staticmethod
    def _listing(root: str | None) -> asyncio.Future[list[str]]:
        """The files that the answer may cite, listed while the model thinks."""
        return asyncio.get_running_loop().run_in_executor(None, files_of, root)

    async def _answered(
        self, root: str | None, uri: str | None, heard: _Heard, files: asyncio.Future[list[str]], *, suppress: bool
    ) -> Answered:
        assert heard.finished is not None
        if not heard.finished.text.strip():
            return Answered()
        grounder = Grounder(self._workspace, root, await files, uri, suppress=suppress)
        answered = await asyncio.to_thread(grounder.answered, heard.finished.text, tuple(heard.read))
        self._grounding.update(answered.grounding)
        return answered

    def _closing(self, answered: Answered, heard: _Heard, most: int, least: float) -> Sequence[Event]:
        """The findings, in the model's own order, and the end."""
        finished = heard.finished
        assert finished is not None
        believed = [finding for finding in answered.findings if finding.confidence >= least]
        shown = believed[:most] if most else believed
        closed = Closed(
            finished.stop,
            summary_of_answer(answered, shown, finished, heard.read),
            rounds=finished.rounds,
            suppressed=answered.suppressed,
            capped=len(believed) - len(shown),
            ungrounded=len(answered.ungrounded),
        )
        return [*(Found(finding, self._workspace.version(finding.uri)) for finding in shown), closed]


def _from_one(lines: ReadLines) -> tuple[int, int]:
    """The first and the last line, from 1."""
    return lines.range.start.line + 1, lines.range.end.line + 1
