"""The OpenAI-compatible wire, ``/chat/completions``: OpenAI, DeepSeek, vLLM, llama.cpp and many others."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from socreates_lsp.model.answer_text import joined
from socreates_lsp.model.around import Wire
from socreates_lsp.model.context_size import FALLBACK_TOKENS, listed_tokens, props_tokens
from socreates_lsp.model.diagnosis import failure_of, no_such_model, said_in
from socreates_lsp.model.failures import InterruptedStreamError, ModelError, NoSuchModelError
from socreates_lsp.model.openai_answer import Answer, Body
from socreates_lsp.model.openai_request import adapted, body_of, first_quirks
from socreates_lsp.model.untyped import items, table, words

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Mapping
    from typing import Any

    from socreates_lsp.model.http import Stream
    from socreates_lsp.model.place import Place
    from socreates_lsp.model.types import ChatRequest, ModelEvent


class OpenAIModel(Wire):
    """A ``ChatModel`` over the OpenAI wire."""

    def __init__(self, place: Place, environ: Mapping[str, str] | None = None) -> None:
        """``place.base_url`` as ``place.openai_base`` gives it; ``environ`` names the proxies."""
        super().__init__(place, environ)
        self._quirks = first_quirks(place)

    async def context_tokens(self) -> int:
        """See ``ChatModel``. Asks ``/models``, and llama.cpp's ``/props``, once."""
        return await self._size.get(self._ask_size, self._place.context_tokens, FALLBACK_TOKENS)

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """See ``ChatModel``."""
        stream = await self._open(request)
        answer, body = Answer(request, self._place), Body()
        chunks = stream.chunks(lambda: answer.complete)
        try:
            async for chunk in chunks:
                said = answer.said
                for event in joined(_events(answer, self._read(body, chunk))):
                    yield event
                if answer.said > said:
                    stream.begun()
                if answer.full:
                    break
            for event in _events(answer, body.end()):
                yield event
            for event in answer.end():
                yield event
        finally:
            await stream.close()
            await chunks.aclose()

    async def models(self) -> list[Mapping[str, Any]]:
        """The models that the server lists, each with its ``id``. Raises ModelError."""
        listed = table(await self._http.ask("/models"))
        found = [table(model) for model in items(listed.get("data")) or items(listed.get("models"))]
        return [model for model in found if words(model.get("id"))]

    def _read(self, body: Body, chunk: bytes) -> list[str]:
        try:
            return body.feed(chunk)
        except ValueError as error:
            raise InterruptedStreamError(f"The answer of {self.endpoint} cannot be read: {error}.") from None

    async def _open(self, request: ChatRequest) -> Stream:
        """Send the request, and again for each quirk of the server that its refusals teach."""
        quirks = self._quirks
        while True:
            stream = await self._http.open("/chat/completions", body_of(request, self._place, quirks))
            if stream.status == 200:
                self._quirks = quirks
                return stream
            reply = await stream.reply(tools=bool(request.tools))
            failure = failure_of(reply, self._place, time.time())
            if type(failure) is NoSuchModelError:
                raise await self._with_names(failure)
            changed = adapted(quirks, reply.status, said_in(reply.body, self._place).hints, request)
            if changed is None:
                raise failure
            quirks = changed

    async def _with_names(self, failure: NoSuchModelError) -> NoSuchModelError:
        try:
            names = [words(model.get("id")) for model in await self.models()]
        except ModelError:
            return failure
        return no_such_model(self._place, names)

    async def _ask_size(self) -> int | None:
        models = await self.models()
        told = listed_tokens(models, self._place.model)
        if told is not None or not any("llama" in words(model.get("owned_by")).lower() for model in models):
            return told
        return props_tokens(await self._http.ask("/props", root=_above(self._place.base_url)))


def _events(answer: Answer, data: list[str]) -> Iterator[ModelEvent]:
    for piece in data:
        yield from answer.take(piece, time.time())


def _above(base_url: str) -> str:
    """The address without ``/v1`` at its end."""
    base, mark, query = base_url.partition("?")
    return base.removesuffix("/v1") + mark + query
