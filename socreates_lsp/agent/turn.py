"""One turn: the user's message, rounds of tools, the answer. It enters the history whole, when it ends well, or not.

A round is one request to the model. One round before the limit the model is told so; in the last one it has to
answer, and calls in it are ignored. Nothing is sent twice: every request is the last one and what came since.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from socreates_lsp.agent.calling import Underway, about, called, doing, within
from socreates_lsp.agent.events import Calling, Failed, Finished, Piece, Progressed, Read, Round, Spent, Warned
from socreates_lsp.agent.loop_watch import LONGEST_NOTE, LoopWatch, path_of, sentence_of
from socreates_lsp.agent.patience import ended, in_time
from socreates_lsp.errors import ReviewError
from socreates_lsp.model.failures import ContextOverflowError
from socreates_lsp.model.types import (
    Called,
    ChatRequest,
    Ended,
    Finish,
    InLine,
    Loading,
    Message,
    ReasoningDelta,
    Role,
    TextDelta,
    TokenUsage,
    ToolSchema,
    Waiting,
)
from socreates_lsp.review.reviewer import Stop

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from socreates_lsp.agent.conversation import Window
    from socreates_lsp.agent.events import TurnEvent
    from socreates_lsp.agent.gate import Gate
    from socreates_lsp.model.types import ChatModel, ModelEvent, ToolCall
    from socreates_lsp.tools.tool import ReadLines, Tool

_ONE_LEFT = "\n\n[One more round with tools is left; after it you have to answer.]"
_ANSWER_NOW = "\n\n[That was the last round with tools. Answer now, from what you have read.]"
_LEAST = 120
"""Characters of a result at least."""

_LEAST_CALL = 1000
"""Characters of the arguments of a call that are kept at least."""

_EMPTY = "Your answer was empty. Answer now, in words."


@dataclass(frozen=True, slots=True)
class Limits:
    """What a turn may take. ``seconds`` from its start; ``tokens`` of prompts and answers together.

    ``day``: whether the tokens are what is left of the day, and not those of a review.
    """

    steps: int
    seconds: float
    tokens: int
    day: bool = False
    max_output_tokens: int | None = None
    temperature: float | None = None


@dataclass(slots=True)
class _Answer:
    """What came of one request so far; the pieces are joined when they are asked for."""

    said: list[str] = field(default_factory=list[str])
    thought: list[str] = field(default_factory=list[str])
    calls: list[ToolCall] = field(default_factory=list["ToolCall"])
    ended: Ended | None = None
    in_line: bool = False

    @property
    def text(self) -> str:
        return "".join(self.said)

    def message(self) -> Message:
        return Message(Role.ASSISTANT, self.text, tuple(self.calls), "".join(self.thought))


class Turn:
    """One turn on its way."""

    def __init__(
        self,
        model: ChatModel,
        tools: Sequence[Tool],
        window: Window,
        limits: Limits,
        gate: Gate,
        *,
        write: Callable[[Message], None],
        sending: Callable[[Sequence[ReadLines], int], None],
    ) -> None:
        """``gate`` is what every call passes before it runs. ``write`` keeps each message as it comes; ``sending``
        hears what lines leave, and the estimated tokens."""
        self._model = model
        self._tools = {tool.name: tool for tool in tools}
        self._schemas = schemas_of(tools)
        self._window = window
        self._limits = limits
        self._gate = gate
        self._write = write
        self._sending = sending
        self._messages: list[Message] = []
        self._unsent: list[ReadLines] = []
        self._answer = _Answer()
        self._used = 0
        self._deadline = 0.0
        self._in_line = 0.0
        self._waited_before = 0.0
        self._watch = LoopWatch()
        self._circles = ""

    async def run(self, task: str, attached: Sequence[ReadLines] = ()) -> AsyncGenerator[TurnEvent, None]:
        """Go through the rounds; the last event is ``Finished``, and the turn then stands in the history.

        ``attached`` are the lines that the task holds. Raises ModelError or ReviewError, with the history as it
        was before.
        """
        self._deadline = time.monotonic() + self._limits.seconds
        self._waited_before = self._gate.user.waited()
        steps = self._limits.steps
        self._add(Message(Role.USER, task))
        self._unsent += attached
        number = 0
        try:
            for number in range(1, steps + 1):
                if self._out_of_tokens():
                    name = "dayTokens" if self._limits.day else "reviewTokens"
                    yield self._ended(Stop.LIMIT, number - 1, f"The review reached limits.{name}.")
                    return
                yield Round(number, steps)
                forced = number == steps
                async for event in self._ask(must_answer=forced):
                    yield event
                limit = max(self._window.limit_for(self._messages, len(self._answer.calls)), _LEAST_CALL)
                self._answer.calls = [within(call, limit) for call in self._answer.calls]
                self._add(self._answer.message() if not forced else replace(self._answer.message(), calls=()))
                if self._answer.calls and not forced:
                    async for event in self._run_tools(rounds_left=steps - number):
                        yield event
                    if self._circles:
                        yield self._ended(Stop.LOOPING, number, self._circles)
                        return
                elif self._answer.text.strip() or forced or self._messages[-2].content == _EMPTY:
                    break
                else:
                    self._add(Message(Role.USER, _EMPTY))
        except TimeoutError:
            yield self._ended(
                Stop.LIMIT, number, f"The review reached limits.reviewSeconds ({self._limits.seconds:g})."
            )
            return
        yield self._finish(number)

    def _finish(self, rounds: int) -> Finished:
        """How the turn ended, and what ended well goes into the history."""
        answer = self._answer
        if not answer.text.strip() and not answer.calls:
            raise ReviewError(f"{self._model.name} gave an empty answer: ask again, or choose another model.")
        if answer.ended is not None and answer.ended.finish is Finish.LENGTH:
            return self._ended(Stop.TRUNCATED, rounds, "The answer was cut at its greatest length.")
        if answer.ended is not None and answer.ended.finish is Finish.FILTERED:
            raise ReviewError(f"The server of {self._model.name} withheld the answer: put it in other words.")
        if answer.text.strip():
            self._window.commit(self._messages)
        if rounds == self._limits.steps and rounds > 1:
            return self._ended(Stop.STEP_LIMIT, rounds, f"The model had to answer after {rounds} rounds.")
        if answer.calls:
            return self._ended(Stop.STEP_LIMIT, rounds, "The model wanted to read more, and had no round left.")
        return self._ended(Stop.ANSWERED, rounds, "")

    def _ended(self, stop: Stop, rounds: int, reason: str) -> Finished:
        model = self._answer.ended.model if self._answer.ended is not None else ""
        return Finished(
            stop, self._answer.text, rounds, model or self._model.name, reason, self._in_line + self._for_user
        )

    # One request

    async def _ask(self, *, must_answer: bool) -> AsyncGenerator[TurnEvent, None]:
        """One round; a request that the server finds too long is made shorter, once."""
        try:
            async for event in self._send(must_answer=must_answer):
                yield event
        except ContextOverflowError:
            self._window.squeeze(self._messages)
            yield Progressed("making the request shorter")
            async for event in self._send(must_answer=must_answer):
                yield event

    async def _send(self, *, must_answer: bool) -> AsyncGenerator[TurnEvent, None]:
        messages = self._window.messages(self._messages)
        limits = self._limits
        request = ChatRequest(messages, self._schemas, must_answer, limits.max_output_tokens, limits.temperature)
        estimated = self._window.estimated(self._messages)
        self._sending(self._unsent, estimated)
        self._unsent.clear()
        self._answer = answer = _Answer()
        async with aclosing(self._model.chat(request)) as stream:
            while (event := await self._next(stream)) is not None:
                told = _take(answer, event)
                if told is not None:
                    yield told
        if answer.ended is None:
            raise ReviewError(f"{self._model.name} ended without a word: ask again.")
        usage = answer.ended.usage
        if usage is not None:
            self._window.learn(self._messages, usage.prompt)
        self._used += usage.prompt + usage.completion if usage is not None else estimated
        yield Spent(usage or TokenUsage(estimated))

    async def _next(self, stream: AsyncGenerator[ModelEvent, None]) -> ModelEvent | None:
        """The next event, before the time of the turn is over, which stands still in line. Raises TimeoutError."""
        if self._answer.in_line:
            began = time.monotonic()
            event = await anext(stream, None)
            self._in_line += time.monotonic() - began
            return event
        async with asyncio.timeout(max(self._left(), 0)):
            return await anext(stream, None)

    def _left(self) -> float:
        """Seconds of the turn; they stand still in line, and while the user is asked."""
        return self._deadline + self._in_line + self._for_user - time.monotonic()

    @property
    def _for_user(self) -> float:
        """Seconds in which the user was waited for."""
        return self._gate.user.waited() - self._waited_before

    def _out_of_tokens(self) -> bool:
        """Whether the next request would go over the limit."""
        return self._used + self._window.estimated(self._messages) > self._limits.tokens

    # Tools

    async def _run_tools(self, rounds_left: int) -> AsyncGenerator[TurnEvent, None]:
        """Run the calls of this round, all at once; their results go into the turn in the order of the calls."""
        calls = tuple(self._answer.calls)
        for call in calls:
            yield Calling(call.name, about(call))
        yield Progressed(doing(calls))
        limit = self._window.limit_for(self._messages, len(calls)) - len(_ANSWER_NOW) - LONGEST_NOTE
        limit = max(limit, _LEAST)
        news: asyncio.Queue[TurnEvent | None] = asyncio.Queue()
        left = Underway(news.put_nowait, self._left(), self._limits.tokens - self._used)
        work = asyncio.create_task(called(calls, self._tools, self._gate, limit, left))
        work.add_done_callback(lambda _: news.put_nowait(None))
        try:
            while (event := await in_time(news.get(), self._left)) is not None:
                self._used += event.usage.prompt + event.usage.completion if isinstance(event, Spent) else 0
                yield event
        finally:
            await ended(work)
        results = work.result()
        note = _ANSWER_NOW if rounds_left == 1 else _ONE_LEFT if rounds_left == 2 else ""
        verdict = self._watch.saw(calls, results)
        self._circles = "" if verdict.account is None else str(verdict.account)
        for call, result, again in zip(calls, results, verdict.notes, strict=True):
            told = again + (note if call is calls[-1] else "")
            self._add(Message(Role.TOOL, result.text + told, call_id=call.id, tool=call.name))
            if result.failed:
                yield Failed(call.name, path_of(call), sentence_of(result.text))
            for lines in result.read:
                self._unsent.append(lines)
                yield Read(lines)

    def _add(self, message: Message) -> None:
        self._messages.append(message)
        self._write(message)


def schemas_of(tools: Sequence[Tool]) -> tuple[ToolSchema, ...]:
    """The tools as the model is told of them, in their order."""
    return tuple(ToolSchema(tool.name, tool.description, tool.parameters) for tool in tools)


def _take(answer: _Answer, event: ModelEvent) -> TurnEvent | None:
    """Add an event to an answer; what is to be told of it."""
    match event:
        case TextDelta(text):
            answer.said.append(text)
            return Piece(text)
        case ReasoningDelta(text):
            answer.thought.append(text)
            return Progressed("thinking") if len(answer.thought) == 1 else None
        case Called(call):
            answer.calls.append(call)
            return None
        case Loading(model):
            return Progressed(f"loading {model} (cold)")
        case InLine(waits):
            answer.in_line = waits
            return Progressed("waiting for the model" if waits else "asking the model")
        case Waiting(reason, seconds):
            return Progressed(f"{reason} Trying again in {seconds:.0f} s.")
        case Ended(warning=warning):
            answer.ended = event
            return None if warning is None else Warned(warning)
