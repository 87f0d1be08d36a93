"""Ollama's ``/api/chat``: a request as it wants it, and its answer, one JSON object a line, as events. Pure.

The wire has no ids: a result follows its call, in the order of the calls, with the tool's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.model import failures
from socreates_lsp.model.answer_text import AnswerText
from socreates_lsp.model.calls import Ids, call_of, raw_of
from socreates_lsp.model.cut_prompt import cut_warning
from socreates_lsp.model.diagnosis import failure_in_answer, unfinished
from socreates_lsp.model.types import Called, Ended, Finish, Role, TokenUsage
from socreates_lsp.model.untyped import count, items, parsed, table, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.model.place import Place
    from socreates_lsp.model.types import ChatRequest, Message, ModelEvent

KEEP_ALIVE = "15m"
"""How long Ollama keeps the model loaded: reading the answer takes longer than its own five minutes."""


def body_of(request: ChatRequest, model: str, context_tokens: int) -> dict[str, object]:
    """The body of ``/api/chat``. Without ``num_ctx`` Ollama would cut the prompt at its own small default."""
    options: dict[str, object] = {"num_ctx": context_tokens}
    if request.max_output_tokens is not None:
        options["num_predict"] = request.max_output_tokens
    if request.temperature is not None:
        options["temperature"] = request.temperature
    body: dict[str, object] = {"model": model, "stream": True, "keep_alive": KEEP_ALIVE, "options": options}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
            }
            for tool in request.tools
        ]
    body["messages"] = [_message(message) for message in request.messages]
    return body


class Answer:
    """One answer: feed it lines, it gives events, and an end or a failure."""

    def __init__(self, request: ChatRequest, place: Place) -> None:
        """Begin before the first line."""
        self._request, self._place = request, place
        self._ids = Ids(request.messages)
        self._text = AnswerText({tool.name for tool in request.tools}, self._ids)
        self._called = False
        self._last: Mapping[str, Any] | None = None
        self._model = place.model
        self._fed = self._begun = False

    @property
    def complete(self) -> bool:
        """Whether the last line has come."""
        return self._last is not None or self.full

    @property
    def full(self) -> bool:
        """Whether the answer is as long as any may be: nothing more is taken."""
        return self._text.full

    @property
    def said(self) -> int:
        """How many characters the model has said so far."""
        return self._text.said

    def take(self, line: str, now_s: float) -> Iterator[ModelEvent]:
        """The events of one line. ``now_s``: seconds since 1970. Raises ModelError."""
        if self.complete:
            return
        self._fed = True
        try:
            value = table(parsed(line))
        except ValueError:
            self._unreadable(line)
            return
        if value.get("error"):
            raise failure_in_answer(value, self._place, tools=bool(self._request.tools), now_s=now_s)
        self._begun = self._begun or "message" in value or "done" in value
        message = table(value.get("message"))
        yield from self._text.reasoning(words(message.get("thinking")))
        if content := words(message.get("content")):
            yield from self._text.feed(content)
        for call in map(table, items(message.get("tool_calls"))):
            function = table(call.get("function"))
            name, raw = words(function.get("name")), self._text.room(raw_of(function.get("arguments")), besides=1)
            if name:
                self._called = True
                yield Called(call_of(name, raw, self._ids.take(words(call.get("id"))), cut=self.full))
        self._model = words(value.get("model")) or self._model
        if value.get("done") is True:
            self._last = value

    def end(self) -> Iterator[ModelEvent]:
        """What was held back, and the end. Raises ModelError if the last line has not come."""
        if not self.complete:
            raise unfinished(self._place, fed=self._fed, begun=self._begun)
        last = self._last or {}
        for event in self._text.end(calls=self._called):
            self._called = self._called or isinstance(event, Called)
            yield event
        finish = Finish.CALLS if self._called else Finish.STOP
        finish = Finish.LENGTH if self.full or words(last.get("done_reason")) == "length" else finish
        usage = usage_of(last)
        yield Ended(finish, usage, self._model, cut_warning(self._request, usage, self._place.model))

    def _unreadable(self, line: str) -> None:
        if line.startswith("<"):
            raise failures.RefusedRequestError(
                f"{self._place.endpoint} answers with a web page, not as Ollama does: is model.baseUrl right?"
            )
        raise failures.InterruptedStreamError(f"The answer of {self._place.endpoint} broke off, or cannot be read.")


def usage_of(last: Mapping[str, Any]) -> TokenUsage | None:
    """The tokens, as the last line counts them. Ollama does not tell what was cached."""
    if "prompt_eval_count" not in last and "eval_count" not in last:
        return None
    return TokenUsage(prompt=count(last.get("prompt_eval_count")), completion=count(last.get("eval_count")))


def _message(message: Message) -> dict[str, object]:
    said: dict[str, object] = {"role": message.role.value, "content": message.content}
    if message.role is Role.TOOL:
        said["tool_name"] = message.tool or ""
    if message.calls:
        if message.reasoning:
            # Ollama's documentation sends the whole message back while tools are called, its thoughts included.
            said["thinking"] = message.reasoning
        said["tool_calls"] = [
            {"function": {"name": call.name, "arguments": dict(call.arguments or {})}} for call in message.calls
        ]
    return said
