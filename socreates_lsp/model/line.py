"""Who may ask an endpoint at the moment: a model on this machine answers one request at a time, others wait in line.

A server such as llama.cpp or Ollama would queue them too, but nobody could see it, the time to the first byte would be
counted, and a request that was cancelled meanwhile might be answered all the same.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from contextlib import aclosing
from typing import TYPE_CHECKING

from socreates_lsp.model.around import Around
from socreates_lsp.model.failures import ModelError
from socreates_lsp.model.types import InLine
from socreates_lsp.settings.endpoints import address_of, is_loopback

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from socreates_lsp.model.types import ChatModel, ChatRequest, ModelEvent

MOST_WAITING = 32
"""Requests that may wait for one endpoint; one more fails at once."""

AT_ONCE_HERE, AT_ONCE_ELSEWHERE = 1, 4
"""Requests at once to a model on this machine, which has its memory for one; and to one that serves many."""


class Line:
    """The line before one endpoint: first come, first served. Whoever takes a place has to leave it."""

    def __init__(self, places: int) -> None:
        """``places``: how many may ask at once; may change while some do."""
        self.places = places
        self._taken = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def is_full(self) -> bool:
        """Whether whoever comes now has to wait."""
        return self._taken >= self.places or bool(self._waiting)

    @property
    def is_too_long(self) -> bool:
        """Whether whoever comes now is sent away."""
        return self.is_full and len(self._waiting) >= MOST_WAITING

    async def take(self) -> None:
        """Wait for a place and take it. Who is cancelled meanwhile is no longer in the line."""
        if not self.is_full:
            self._taken += 1
            return
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(called)
        try:
            await called
        except asyncio.CancelledError:
            if called.cancelled():
                with contextlib.suppress(ValueError):
                    self._waiting.remove(called)
            else:  # called in the very moment of the cancel
                self.leave()
            raise

    def leave(self) -> None:
        """Give a place back; the next ones are called."""
        self._taken -= 1
        while self._waiting and self._taken < self.places:
            called = self._waiting.popleft()
            if not called.done():
                self._taken += 1
                called.set_result(None)


class Lines:
    """The lines of a session, by endpoint."""

    def __init__(self) -> None:
        """Nobody waits anywhere."""
        self._of: dict[tuple[str, str], Line] = {}

    def before(self, model: ChatModel, at_once: int | None) -> Queued:
        """The model behind the line of its endpoint. ``at_once``: requests at once, None for what is usual there."""
        # The address of a server of our own is known only once it runs.
        endpoint = "" if model.provider == "llamacpp" else model.endpoint
        here = not endpoint or is_loopback(_host(endpoint))
        places = at_once or (AT_ONCE_HERE if here else AT_ONCE_ELSEWHERE)
        line = self._of.setdefault((model.provider if not endpoint else "", endpoint), Line(places))
        line.places = places
        return Queued(model, line)


def _host(endpoint: str) -> str:
    address = address_of(endpoint)
    return address.host if address else ""


class Queued(Around):
    """A ``ChatModel`` around a ``ChatModel``: a request waits until the endpoint has a place for it."""

    def __init__(self, model: ChatModel, line: Line) -> None:
        """``line`` is shared by all models of an endpoint."""
        super().__init__(model)
        self._line = line

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """See ``ChatModel``. Tells with ``InLine`` that it waits, and that it does so no longer."""
        if self._line.is_too_long:
            raise ModelError(f"{MOST_WAITING} requests wait for {self.name} already: try again when some have ended.")
        waits = self._line.is_full
        if waits:
            yield InLine(waits=True)
        await self._line.take()
        try:
            if waits:
                yield InLine(waits=False)
            async with aclosing(self._model.chat(request)) as events:
                async for event in events:
                    yield event
        finally:
            self._line.leave()
