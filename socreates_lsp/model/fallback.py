"""The next model, when one fails before any part of its answer."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.model.failures import ContextOverflowError, ModelError
from socreates_lsp.model.types import Ended, InLine, Loading, Waiting

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from socreates_lsp.model.types import ChatModel, ChatRequest, ModelEvent


class Fallback:
    """A ``ChatModel`` that stands for several, in order.

    The others are made only when they are needed, since making one may ask the user for leave. The one that
    answered last is asked first from then on. A prompt that is too long is no reason to change: it can be cut.
    """

    def __init__(self, first: ChatModel, others: Sequence[Callable[[], Awaitable[ChatModel]]]) -> None:
        """``others`` raise ModelError where a model cannot be had."""
        self._models = [first]
        self._others = list(others)
        self._current = first

    @property
    def provider(self) -> str:
        """See ``ChatModel``: of the model that answers at the moment."""
        return self._current.provider

    @property
    def name(self) -> str:
        """See ``ChatModel``: of the model that answers at the moment."""
        return self._current.name

    @property
    def endpoint(self) -> str:
        """See ``ChatModel``: of the model that answers at the moment."""
        return self._current.endpoint

    async def context_tokens(self) -> int:
        """See ``ChatModel``: of the model that answers at the moment."""
        return await self._current.context_tokens()

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """See ``ChatModel``. Raises the first failure if no model answers."""
        first: ModelError | None = None
        asked: list[ChatModel] = []
        while (model := await self._next(asked)) is not None:
            asked.append(model)
            begun = False
            try:
                async with aclosing(model.chat(request)) as events:
                    async for event in events:
                        begun = begun or not isinstance(event, Loading | InLine | Waiting)
                        if begun:
                            self._current = model
                        yield _told(event, model.name, first)
            except ContextOverflowError:
                raise
            except ModelError as failure:
                if begun:
                    raise
                first = first or failure
            else:
                return
        assert first is not None
        raise first

    async def close(self) -> None:
        """See ``ChatModel``: all of them."""
        for model in self._models:
            await model.close()

    async def _next(self, asked: Sequence[ChatModel]) -> ChatModel | None:
        """The next model that was not asked yet; what cannot be had is left out for good."""
        if not asked:
            return self._current
        for model in self._models:
            if not any(model is one for one in asked):
                return model
        while self._others:
            make = self._others.pop(0)
            try:
                model = await make()
            except ModelError:
                continue
            self._models.append(model)
            return model
        return None


def _told(event: ModelEvent, name: str, failure: ModelError | None) -> ModelEvent:
    """The end of an answer, with the failure that made this model answer it."""
    if failure is None or not isinstance(event, Ended) or event.warning is not None:
        return event
    return replace(event, warning=f"{name} answered instead of another model: {failure}")
