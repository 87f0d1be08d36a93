"""A model that says what a list tells it to, one entry a request, and remembers the requests."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from socreates_lsp.model.types import Called, Ended, Finish, TextDelta, TokenUsage, ToolCall

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from socreates_lsp.model.types import ChatRequest, ModelEvent

Reply = "str | list[tuple[str, dict[str, Any] | None]] | BaseException | list[Any] | Callable[[ChatRequest], Any]"


class FakeModel:
    """``replies``: a text, a list of calls as (name, arguments), a list of events, or an error to raise."""

    provider = "openai"
    name = "fake"
    endpoint = "http://127.0.0.1:1"

    def __init__(self, *replies: Any, context: int = 32_768, usage: Callable[[ChatRequest], int] | None = None) -> None:
        self.replies = list(replies)
        self.requests: list[ChatRequest] = []
        self.context = context
        self.closed = 0
        self._usage = usage

    async def context_tokens(self) -> int:
        return self.context

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        self.requests.append(request)
        reply = self.replies.pop(0)
        if callable(reply):
            reply = reply(request)
        usage = TokenUsage(self._usage(request), 0, 5) if self._usage is not None else None
        try:
            if isinstance(reply, BaseException):
                raise reply
            if isinstance(reply, str):
                for piece in (reply[:7], reply[7:]):
                    await asyncio.sleep(0)
                    yield TextDelta(piece)
                yield Ended(Finish.STOP, usage, self.name)
                return
            if reply and isinstance(reply[0], tuple):
                for number, (name, arguments) in enumerate(reply):
                    call = ToolCall(f"c{len(self.requests)}-{number}", name, arguments, str(arguments))
                    yield Called(call)
                yield Ended(Finish.CALLS, usage, self.name)
                return
            for event in reply:
                if event == "hang":
                    await asyncio.sleep(3600)
                else:
                    yield event
        finally:
            self.closed += 1

    async def close(self) -> None:
        return
