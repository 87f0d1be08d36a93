"""Ollama's own wire, ``/api/chat``."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from socreates_lsp.model.answer_text import joined
from socreates_lsp.model.around import Wire
from socreates_lsp.model.context_size import trained_tokens
from socreates_lsp.model.diagnosis import failure_of, no_such_model
from socreates_lsp.model.failures import InterruptedStreamError, ModelError, NoSuchModelError
from socreates_lsp.model.ndjson import LineReader
from socreates_lsp.model.ollama_server import OllamaServer, name_of, same_model
from socreates_lsp.model.ollama_wire import Answer, body_of
from socreates_lsp.model.types import Loading
from socreates_lsp.model.untyped import count

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Mapping

    from socreates_lsp.model.http import Stream
    from socreates_lsp.model.place import Place
    from socreates_lsp.model.types import ChatRequest, ModelEvent

DEFAULT_TOKENS = 16_384
"""The context that is asked for where no setting says otherwise: larger ones take memory that few machines have."""

_LEAST_LOADED = 8192
_WARM_S = 60.0


class OllamaModel(Wire):
    """A ``ChatModel`` over Ollama's wire."""

    def __init__(self, place: Place, environ: Mapping[str, str] | None = None) -> None:
        """``place.base_url`` as ``place.ollama_base`` gives it; ``environ`` names the proxies."""
        super().__init__(place, environ)
        self._server = OllamaServer(self._http)
        self._answered_s = float("-inf")

    async def context_tokens(self) -> int:
        """See ``ChatModel``. What is sent as ``num_ctx``, so that it is the context's size."""
        return await self._size.get(self._ask_size, self._place.context_tokens, DEFAULT_TOKENS)

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """See ``ChatModel``."""
        context = await self.context_tokens()
        if await self._is_cold():
            yield Loading(self.name)
        stream = await self._open(request, context)
        answer, lines = Answer(request, self._place), LineReader()
        chunks = stream.chunks(lambda: answer.complete)
        try:
            async for chunk in chunks:
                said = answer.said
                for event in joined(_events(answer, self._read(lines, chunk))):
                    yield event
                if answer.said > said:
                    stream.begun()
                if answer.full:
                    break
            for event in _events(answer, lines.end()):
                yield event
            self._answered_s = time.monotonic()
            for event in answer.end():
                yield event
        finally:
            await stream.close()
            await chunks.aclose()

    def _read(self, lines: LineReader, chunk: bytes) -> list[str]:
        try:
            return lines.feed(chunk)
        except ValueError as error:
            raise InterruptedStreamError(f"The answer of {self.endpoint} cannot be read: {error}.") from None

    async def _open(self, request: ChatRequest, context: int) -> Stream:
        stream = await self._http.open("/api/chat", body_of(request, self.name, context))
        if stream.status == 200:
            return stream
        failure = failure_of(await stream.reply(tools=bool(request.tools)), self._place, time.time())
        if isinstance(failure, NoSuchModelError):
            with suppress(ModelError):
                failure = no_such_model(self._place, [name_of(model) for model in await self._server.models()])
        raise failure

    async def _is_cold(self) -> bool:
        """Whether the model has to be loaded first, as far as Ollama tells; not asked right after an answer."""
        if time.monotonic() - self._answered_s < _WARM_S:
            return False
        try:
            return not any(same_model(name_of(model), self.name) for model in await self._server.loaded())
        except ModelError:
            return False

    async def _ask_size(self) -> int | None:
        trained = trained_tokens(await self._server.show(self.name))
        if self._place.context_tokens is not None:
            return trained
        loaded = [model for model in await self._server.loaded() if same_model(name_of(model), self.name)]
        size = count(loaded[0].get("context_length")) if loaded else 0
        # Another context than the one that it is loaded with would make Ollama load the model again.
        wanted = size if size >= _LEAST_LOADED else DEFAULT_TOKENS
        return min(filter(None, (trained, wanted)))


def _events(answer: Answer, lines: list[str]) -> Iterator[ModelEvent]:
    for line in lines:
        yield from answer.take(line, time.time())
