"""Servers to test: in this process over bytes in memory, which is fast, or as processes over stdio.

``OVER_STDIO=1`` runs all tests over stdio, each with a process of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from socreates_lsp.server.server import Server
from socreates_lsp.server.transport import Frames
from tests.bare_client import BareClient, serving
from tests.server.scripted import ScriptedApp

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from socreates_lsp.app import App
    from socreates_lsp.examiner.reviewer import Examiner

SCRIPTED = (sys.executable, "-P", str(Path(__file__).with_name("scripted.py")))
"""The command of the scripted server."""

OVER_STDIO = bool(os.environ.get("OVER_STDIO"))


class Memory:
    """A connection without a process: what the client writes is read, what the server writes is fed to it."""

    def __init__(self) -> None:
        self.reader = asyncio.StreamReader(limit=1 << 30)
        self._frames = Frames()
        self.started = asyncio.Event()
        self._on_body: Callable[[bytes], None] | None = None
        self._on_end: Callable[[], None] | None = None

    def start(self, on_body: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._on_body, self._on_end = on_body, on_end
        self.started.set()

    def send(self, data: bytes) -> None:
        """What the client writes."""
        assert self._on_body is not None
        for body in self._frames.feed(data):
            asyncio.get_running_loop().call_soon(self._on_body, body)

    def hang_up(self) -> None:
        """The client is gone."""
        assert self._on_end is not None
        self._on_end()

    def write(self, data: bytes) -> None:
        self.reader.feed_data(data)

    def close(self) -> None:
        self.reader.feed_eof()

    async def flush(self, seconds: float) -> None:
        self.reader.feed_eof()


class Threads:
    """In place of the worker processes: the same jobs in threads, which start at once. Nothing can end them."""

    async def run(self, job: Callable[[], Any]) -> Any:
        return await asyncio.to_thread(job)

    async def close(self) -> None:
        return


class ThreadedApp(ScriptedApp):
    """The services with an examiner that works in threads."""

    pool = Threads()

    @property
    def examiner(self) -> Examiner:
        if self._examiner is None:
            super().examiner._pool = self.pool  # type: ignore[assignment]
        return super().examiner


@asynccontextmanager
async def inside(app: type[App] = ThreadedApp) -> AsyncIterator[BareClient]:
    """A server in this process; ``client.served`` is the task that ends with its exit code."""
    memory = Memory()

    async def opened() -> Memory:
        return memory

    with patch("socreates_lsp.server.methods.initialize.App", app):
        served = asyncio.create_task(Server().serve(opened()))
        await memory.started.wait()
        client = BareClient(memory.reader, memory.send)
        client.served = served  # type: ignore[attr-defined]
        try:
            yield client
        finally:
            memory.hang_up()
            await asyncio.wait_for(served, 10)
            client._task.cancel()


@asynccontextmanager
async def scripted(**params: Any) -> AsyncIterator[BareClient]:
    """A scripted server that is initialized with these params; ``client.initialized`` is what it answered."""
    async with serving(command=SCRIPTED) if OVER_STDIO else inside() as client:
        client.initialized = await client.initialize(**params)  # type: ignore[attr-defined]
        yield client
        check_manners(client)


def check_manners(client: BareClient) -> None:
    """What holds for all that a server ever sends: one answer each, progress that begins and ends, no traceback."""
    answered: list[Any] = [one["id"] for one in client.messages if "method" not in one and one["id"] is not None]
    assert len(answered) == len(set(answered)), "a request was answered twice"
    begun: set[Any] = set()
    for message in client.messages:
        assert message["jsonrpc"] == "2.0"
        assert "Traceback" not in json.dumps(message)
        if message.get("method") == "textDocument/publishDiagnostics":
            assert message["params"].get("version", 0) is not None
            assert all(one["severity"] in {2, 3, 4} for one in message["params"]["diagnostics"])
        if message.get("method") != "$/progress" or "kind" not in message["params"]["value"]:
            continue
        token, kind = message["params"]["token"], message["params"]["value"]["kind"]
        assert (token in begun) == (kind != "begin"), f"{kind} of {token!r} came out of turn"
        begun.symmetric_difference_update({token} if kind != "report" else ())
    client.unended = begun  # type: ignore[attr-defined]


def ask(*steps: dict[str, Any]) -> str:
    """The user's own question that makes the scripted reviewer take these steps."""
    return json.dumps(steps)


def find(uri: str, line: int, **rest: Any) -> dict[str, Any]:
    """The step that finds something on a line."""
    return {"find": {"uri": uri, "line": line, **rest}}


def read(uri: str, first: int, last: int, **rest: Any) -> dict[str, Any]:
    """The step that reads lines."""
    return {"read": {"uri": uri, "lines": [first, last], **rest}}


class Gate:
    """A place where the scripted reviewer waits until it is opened."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def step(self) -> dict[str, Any]:
        """Wait without holding anything."""
        return {"wait": str(self._path)}

    @property
    def blocking_step(self) -> dict[str, Any]:
        """Wait in a thread that nothing can end."""
        return {"block": str(self._path)}

    def open(self) -> None:
        self._path.touch()

    async def wait(self) -> None:
        """Wait here, as the scripted reviewer does."""
        Path(f"{self._path}.reached").touch()
        await until(self._path.exists)

    async def reached(self) -> None:
        await until(Path(f"{self._path}.reached").exists)


def running(pid: int) -> bool:
    """Whether a process runs; one that waits for its parent to look does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """The processes that a process started and that still run."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(fields[1]) == pid and fields[0] != "Z":
                    found.append(int(folder.name))
    return found


async def until(holds: Callable[[], Any], seconds: float = 20) -> Any:
    """Wait until something holds; its value."""
    async with asyncio.timeout(seconds):
        while not (value := holds()):
            await asyncio.sleep(0.005)
        return value


async def settled(client: BareClient, seconds: float = 0.3) -> None:
    """Give the server the time in which it publishes what it has to (its delays are below this)."""
    await asyncio.sleep(seconds)
    await client.request("socreates/status")
