"""A model that is asked again when what went wrong may pass, as long as nothing of an answer has come."""

from __future__ import annotations

import asyncio
import random
from contextlib import aclosing
from typing import TYPE_CHECKING

from socreates_lsp.model.around import Around
from socreates_lsp.model.failures import ModelError, RateLimitedError
from socreates_lsp.model.types import InLine, Loading, Waiting

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from socreates_lsp.model.types import ChatModel, ChatRequest, ModelEvent

BASE_S = 0.5
MOST_S = 20.0


class Retrying(Around):
    """A ``ChatModel`` around a ``ChatModel``.

    Waits ``BASE_S * 2 ** n`` seconds at most, at random from nothing on (so that many clients do not come back
    together), or as long as the server says. ``sleep`` and ``chance`` (0 to 1) stand in for the real ones in tests.
    """

    def __init__(
        self,
        model: ChatModel,
        retries: int,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """``retries``: how often a request is sent again."""
        super().__init__(model)
        self._retries = retries
        self._sleep, self._chance = sleep, chance

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """See ``ChatModel``. ``Loading`` is no part of an answer, and comes once."""
        tried, begun, loading = 0, False, False
        while True:
            try:
                async with aclosing(self._model.chat(request)) as events:
                    async for event in events:
                        if isinstance(event, Loading):
                            if loading:
                                continue
                            loading = True
                        elif not isinstance(event, InLine):
                            begun = True
                        yield event
                    return
            except ModelError as failure:
                if begun or not failure.passing or tried >= self._retries:
                    raise
                waiting = Waiting(str(failure), self._seconds(failure, tried))
            yield waiting
            await self._sleep(waiting.seconds)
            tried += 1

    def _seconds(self, failure: ModelError, tried: int) -> float:
        if isinstance(failure, RateLimitedError) and failure.wait_s is not None:
            return failure.wait_s
        return min(MOST_S, BASE_S * 2**tried) * self._chance()
