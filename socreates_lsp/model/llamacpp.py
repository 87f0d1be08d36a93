"""The provider ``llamacpp``: a model from a file, in a server of our own. From there on it is the OpenAI wire."""

from __future__ import annotations

import asyncio
import importlib.util
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

from socreates_lsp.model.context_size import FALLBACK_TOKENS
from socreates_lsp.model.failures import ModelError, NoSuchModelError, NoToolsError
from socreates_lsp.model.gguf import head_of
from socreates_lsp.model.llamacpp_process import LlamaProcess, Spec
from socreates_lsp.model.types import Loading

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from socreates_lsp.model.types import ChatRequest, ModelEvent
    from socreates_lsp.settings.schema import ModelSettings

PACKAGE = "xllamacpp"

_MOST_TEMPLATE = 1024 * 1024

_open: WeakSet[LlamaCpp] = WeakSet()
"""Those whose server may run: a model takes gigabytes, so that one which is not in use makes room for another."""


class LlamaCpp:
    """A ``ChatModel`` whose server starts at the first request, and lives until ``close``."""

    def __init__(self, spec: Spec, environ: Mapping[str, str]) -> None:
        """Nothing is started yet. ``environ``: of it, the server gets what it needs."""
        self._spec, self._environ = spec, environ
        self._server: LlamaProcess | None = None
        self._starting: asyncio.Task[LlamaProcess] | None = None
        self._answering = 0

    @property
    def provider(self) -> str:
        """See ``ChatModel``."""
        return "llamacpp"

    @property
    def name(self) -> str:
        """See ``ChatModel``: the name of the file, unless the settings give another."""
        return self._spec.name

    @property
    def endpoint(self) -> str:
        """See ``ChatModel``. The port is not known before the server runs."""
        return self._server.place.endpoint if self._server is not None else "http://127.0.0.1"

    @property
    def pid(self) -> int | None:
        """The process of the server; None where none runs."""
        return self._server.pid if self._server is not None and self._server.alive else None

    @property
    def idle(self) -> bool:
        """Whether nobody waits for an answer."""
        return not self._answering

    async def context_tokens(self) -> int:
        """See ``ChatModel``. Before the server runs: what it will be told to have. Starts nothing."""
        return self._server.context if self._server is not None else self._spec.context

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """See ``ChatModel``. A server that ends before its answer begins is started once more."""
        self._answering += 1
        begun = loading = False
        try:
            for last in (False, True):
                if not (begun or loading or self.pid):
                    loading = True
                    yield Loading(self.name)
                server = await self._running()
                if request.tools and not server.tools:
                    raise NoToolsError(
                        f"The chat template of {self.name} has no place for tools: set model.tools to auto, "
                        "or model.chatTemplate to a template that has."
                    )
                try:
                    async with aclosing(server.model.chat(request)) as events:
                        async for event in events:
                            begun = True
                            yield event
                except ModelError as failure:
                    if not (failure.passing and await server.ended()):
                        raise
                    if begun or last:
                        raise server.crashed() from failure
                else:
                    return
        finally:
            self._answering -= 1

    async def close(self) -> None:
        """See ``ChatModel``: the server ends. A later request starts it again."""
        starting, self._starting = self._starting, None
        server, self._server = self._server, None
        if starting is not None:
            starting.cancel()
            await asyncio.wait([starting])
            if not starting.cancelled() and starting.exception() is None:
                server = starting.result()
        if server is not None:
            await server.stop()
        _open.discard(self)

    async def _running(self) -> LlamaProcess:
        """The server, started if there is none. Whoever stops waiting for it does not stop it. Raises ModelError."""
        if self._server is not None and self._server.alive:
            return self._server
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        starting = self._starting
        await asyncio.wait([starting])
        if starting.cancelled():
            raise ModelError(f"{self.name} was closed while it was loaded.")
        if self._starting is starting:
            self._starting = None
        failure = starting.exception()
        if failure is not None:
            raise failure
        return starting.result()

    async def _start(self) -> LlamaProcess:
        old, self._server = self._server, None
        if old is not None:
            await old.stop()
        for other in list(_open):
            if other is not self and other.idle:
                await other.close()
        _open.add(self)
        self._server = await LlamaProcess.start(self._spec, self._environ)
        return self._server


async def llamacpp(settings: ModelSettings, environ: Mapping[str, str]) -> LlamaCpp:
    """The model in the file ``settings.path``, not loaded yet. Raises ModelError where it cannot be."""
    return LlamaCpp(await asyncio.to_thread(_spec, settings), environ)


def _spec(settings: ModelSettings) -> Spec:
    if not settings.path:
        raise NoSuchModelError("The provider llamacpp needs a GGUF file: set model.path.")
    path = _absolute(settings.path)
    trained = head_of(path).trained_tokens
    return Spec(
        path=path,
        name=settings.name or path.stem,
        context=settings.context_tokens or min(trained or FALLBACK_TOKENS, FALLBACK_TOKENS),
        template=_template(settings.chat_template),
        folder=_folder(),
        load_s=settings.timeout_seconds,
    )


def _folder() -> str:
    """Where the package is installed. It is not imported here: it takes a while, and could end the process."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise ModelError(
            f"The provider llamacpp needs the package {PACKAGE}: install it with `pip install 'socreates-lsp[llama]'`."
        )
    return str(Path(found.origin).absolute().parent.parent)


def _template(setting: str | None) -> str | None:
    """The template itself: one has braces, a path has none."""
    if setting is None or "{" in setting:
        return setting
    path = _absolute(setting)
    try:
        with path.open("rb") as file:
            return file.read(_MOST_TEMPLATE).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise ModelError(f"The file in model.chatTemplate cannot be read as text: {path}.") from None


def _absolute(path: str) -> Path:
    try:
        return Path(path).expanduser().absolute()
    except RuntimeError:
        return Path(path).absolute()
