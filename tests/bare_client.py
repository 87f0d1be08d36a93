"""A bare JSON-RPC client: what goes over the wire and nothing else. No library of LSP is involved."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from tests import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

Json = dict[str, Any]
NEVER = object()
"""An answer that never comes."""


class Failure:
    """An answer that is an error."""

    def __init__(self, code: int = -32603, message: str = "no") -> None:
        self.error = {"code": code, "message": message}


class BareClient:
    """Speaks to one server over two streams. ``answers`` says what the server's own requests are answered."""

    def __init__(self, reader: asyncio.StreamReader, write: Callable[[bytes], None]) -> None:
        self._reader = reader
        self._write = write
        self._ids = itertools.count(1)
        self._pending: dict[int | str, asyncio.Future[Json]] = {}
        self.messages: list[Json] = []
        self.answers: dict[str, Any] = {
            "workspace/configuration": [None],
            "client/registerCapability": None,
            "window/workDoneProgress/create": None,
            "window/showMessageRequest": None,
            "workspace/diagnostic/refresh": None,
        }
        self._arrived = asyncio.Event()
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while True:
            length = None
            while (line := await self._reader.readline()).strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not line or length is None:
                self._end()
                return
            self._take(json.loads(await self._reader.readexactly(length)))

    def _end(self) -> None:
        for future in self._pending.values():
            if not future.done():
                future.set_exception(ConnectionError("the server closed its output"))
        self._arrived.set()

    def _take(self, message: Json) -> None:
        self.messages.append(message)
        record.SENT.append(message)
        if "method" not in message:
            future = self._pending.pop(message["id"], None)
            if future is not None and not future.done():
                future.set_result(message)
        elif "id" in message:
            answer = self.answers.get(message["method"], Failure(-32601, "unknown"))
            if callable(answer):
                answer = answer(message.get("params"))
            self.answer(message["id"], answer)
        self._arrived.set()
        self._arrived = asyncio.Event()

    def answer(self, msg_id: int | str, answer: Any) -> None:
        if isinstance(answer, Failure):
            self.send({"jsonrpc": "2.0", "id": msg_id, "error": answer.error})
        elif answer is not NEVER:
            self.send({"jsonrpc": "2.0", "id": msg_id, "result": answer})

    def send(self, message: Any) -> None:
        self.send_raw(json.dumps(message).encode())

    def send_raw(self, body: bytes) -> None:
        self._write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})

    def begin(self, method: str, params: Any = None) -> tuple[int, asyncio.Future[Json]]:
        """Send a request; the id and a future of the whole answer, which fails if none comes in two minutes."""
        msg_id = next(self._ids)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Json] = loop.create_future()
        self._pending[msg_id] = future
        missing = TimeoutError(f"no answer to {method}")
        loop.call_later(120, lambda: None if future.done() else future.set_exception(missing))
        self.send({"jsonrpc": "2.0", "id": msg_id, "method": method, **({} if params is None else {"params": params})})
        return msg_id, future

    async def answer_to(self, method: str, params: Any = None, seconds: float = 60) -> Json:
        """The whole answer to a request, an error too."""
        return await asyncio.wait_for(self.begin(method, params)[1], seconds)

    async def request(self, method: str, params: Any = None, seconds: float = 60) -> Any:
        """The result of a request."""
        answer = await self.answer_to(method, params, seconds)
        assert "result" in answer, answer
        return answer["result"]

    def seen(self, method: str) -> list[Any]:
        """The params of every message of a method so far."""
        return [message.get("params") for message in self.messages if message.get("method") == method]

    async def wait_for(self, found: Callable[[], Any], seconds: float = 10) -> Any:
        """Wait until something is true of what came; its value."""

        async def wait() -> Any:
            while not (value := found()):
                await self._arrived.wait()
            return value

        return await asyncio.wait_for(wait(), seconds)

    async def diagnostics(self, uri: str, version: int | None = None, seconds: float = 10) -> list[Json]:
        """The newest published diagnostics of a document, of this version if one is given."""

        def newest() -> Any:
            published = [one for one in self.seen("textDocument/publishDiagnostics") if one["uri"] == uri]
            wanted = [one for one in published if version is None or one.get("version") == version]
            return [wanted[-1]] if wanted else None

        return (await self.wait_for(newest, seconds))[0]["diagnostics"]

    async def initialize(self, **params: Any) -> Json:
        """``initialize`` and ``initialized``; the result."""
        given = {"processId": os.getpid(), "rootUri": None, "capabilities": {}, **params}
        result = await self.request("initialize", given)
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, language: str = "python", version: int = 1) -> None:
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})


COMMAND = (sys.executable, "-P", "-m", "socreates_lsp")
"""The server as it is installed; ``-P`` keeps the tests' own folder out of its imports."""


@asynccontextmanager
async def serving(
    *args: str, command: Sequence[str] = COMMAND, cwd: Path | None = None, env: dict[str, str] | None = None
) -> AsyncIterator[BareClient]:
    """A server over stdio with a client; the process is ``client.process`` and is killed at the end."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command, *args, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env={**os.environ, **(env or {})}
    )
    assert process.stdin is not None
    assert process.stdout is not None
    client = BareClient(process.stdout, process.stdin.write)
    client.process = process  # type: ignore[attr-defined]
    try:
        yield client
    finally:
        client._task.cancel()
        if process.returncode is None:
            process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), 5)
            except TimeoutError:
                process.kill()
        # A pipe that a test stopped reading keeps the transport open, which then complains after the loop's end;
        # until it is closed, nobody hears that the process has ended.
        process._transport.close()  # type: ignore[attr-defined]
        await asyncio.wait_for(process.wait(), 60)
        await asyncio.sleep(0)
