"""Every moment of a review with leads and two looks, cancelled in both ways: one answer, one end, nothing left over."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.app import App
from socreates_lsp.testkit.script import Reply
from tests.bare_client import NEVER
from tests.server.servers import inside, settled, until
from tests.server.talking import app_py, talking

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

BOTH = {"review": {"leads": True, "verify": True}}
LEAD = (
    "import requests\n\n\ndef load(path):\n    return open(path).read()\n\n\n"
    "def get(url):\n    return requests.get(url)\n"
)
QUESTION = """[question] app.py:5 error-handling
> return open(path).read()
Who closes what `open` opens in `load` when `read` raises?
Why: the descriptor stays open.
"""
RUNS = Reply(calls=(("run_command", {"command": "sleep 60"}),))
DELEGATES = Reply(calls=(("delegate", {"agent": "tester", "task": "Run it."}),))
HANGS = Reply(text="", hang=True)
STREAMS = Reply(text="I look at `load`. " * 400, piece=16, latency_s=0.05)
VERIFIES = Reply(text="I check `load`. " * 400, piece=16, latency_s=0.05)

MOMENTS: dict[str, tuple[list[Any], int]] = {
    "first byte": ([Reply(text=QUESTION, delay_s=60)], 1),
    "stream": ([STREAMS], 1),
    "half an answer": ([HANGS], 1),
    "prompt": ([RUNS], 1),
    "verification, first byte": ([QUESTION, Reply(text=QUESTION, delay_s=60)], 2),
    "verification, stream": ([QUESTION, VERIFIES], 2),
    "tool": ([RUNS], 1),
    "tool of a specialist": ([DELEGATES, RUNS], 2),
}
"""What the model says, and after how many requests the moment has come."""


@asynccontextmanager
async def at(root: Path, moment: str) -> AsyncIterator[tuple[Any, Any, str]]:
    """A review that has come to this moment; the client, the model, and the document."""
    replies, chats = MOMENTS[moment]
    uri = app_py(root)
    (root / "app.py").write_text(LEAD)
    async with talking(root, *replies, options=BOTH) as (client, model):
        client.answers["window/showMessageRequest"] = NEVER
        if moment.startswith("tool"):
            client.answers["window/showMessageRequest"] = {"title": "Run once"}
        client.open(uri, LEAD)

        async def reached() -> None:
            await until(lambda: len(model.chats) == chats)
            if RUNS in replies:
                await until(lambda: client.seen("window/showMessageRequest"))
            await asyncio.sleep(0.15)

        client.reached = reached
        yield client, model, uri


def begin(client: Any, uri: str) -> tuple[int, asyncio.Future[Any]]:
    return client.begin("socreates/review", {"uri": uri, "workDoneToken": "t"})


def kinds(client: Any) -> list[str]:
    return [one["value"]["kind"] for one in client.seen("$/progress") if one["value"]["kind"] != "report"]


async def nothing_is_left(client: Any) -> None:
    """No job runs, no progress is open, and what comes in afterwards changes nothing."""
    assert (await client.request("socreates/status"))["running"] == 0
    assert kinds(client) == ["begin", "end"]
    before = len(client.messages)
    await settled(client, 0.4)
    late = [one["method"] for one in client.messages[before:] if "method" in one]
    assert set(late) <= {"textDocument/publishDiagnostics"}


@pytest.mark.parametrize("moment", MOMENTS)
async def test_cancel_request(root: Path, moment: str) -> None:
    async with at(root, moment) as (client, model, uri):
        msg_id, answer = begin(client, uri)
        await client.reached()
        client.notify("$/cancelRequest", {"id": msg_id})
        client.notify("$/cancelRequest", {"id": "nobody's"})
        assert (await asyncio.wait_for(answer, 3))["error"]["code"] == -32800
        await nothing_is_left(client)
        assert len(model.chats) == MOMENTS[moment][1]


@pytest.mark.parametrize("moment", MOMENTS)
async def test_cancel_of_the_progress(root: Path, moment: str) -> None:
    async with at(root, moment) as (client, _, uri):
        _, answer = begin(client, uri)
        await client.reached()
        client.notify("window/workDoneProgress/cancel", {"token": "t"})
        result = (await asyncio.wait_for(answer, 3))["result"]
        assert result["stop"] == "cancelled"
        assert result["summary"].startswith("Cancelled.")
        assert "python-no-timeout" in [one.get("rule") for one in result["findings"]], "the leads that stood stay"
        await nothing_is_left(client)


@pytest.mark.parametrize("moment", MOMENTS)
async def test_shutdown(root: Path, moment: str) -> None:
    async with at(root, moment) as (client, _, uri):
        _, answer = begin(client, uri)
        await client.reached()
        assert await client.request("shutdown") is None
        assert (await answer)["error"]["code"] == -32800
        assert kinds(client) == ["begin", "end"]
        refused = await client.answer_to("socreates/status")
        assert refused["error"]["code"] == -32600


@pytest.mark.parametrize("cancel", ["request", "progress", "shutdown"])
async def test_while_it_connects(root: Path, cancel: str) -> None:
    """Nobody accepts: the connection neither comes nor fails."""
    uri = app_py(root)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        fillers = []
        for _ in range(3):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(deaf.getsockname())
            fillers.append(filler)
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}/v1"
        options = {"model": {"provider": "openai", "name": "m", "baseUrl": url, "retries": 0}, **BOTH}
        async with _server(root, options) as client:
            client.open(uri, LEAD)
            msg_id, answer = begin(client, uri)
            await until(lambda: client.seen("$/progress"))
            await asyncio.sleep(1.0)
            await CANCELS[cancel](client, msg_id)
            whole = await asyncio.wait_for(answer, 3)
            if cancel == "progress":
                assert whole["result"]["stop"] == "cancelled"
            else:
                assert whole["error"]["code"] == -32800
            assert kinds(client) == ["begin", "end"]
        for filler in fillers:
            filler.close()


@asynccontextmanager
async def _server(root: Path, options: dict[str, Any]) -> AsyncIterator[Any]:
    async with inside(App) as client:
        await client.initialize(rootUri=root.as_uri(), initializationOptions=options)
        yield client


async def _by_request(client: Any, msg_id: int) -> None:
    client.notify("$/cancelRequest", {"id": msg_id})


async def _by_progress(client: Any, _: int) -> None:
    client.notify("window/workDoneProgress/cancel", {"token": "t"})


async def _by_shutdown(client: Any, _: int) -> None:
    assert await client.request("shutdown") is None


CANCELS: dict[str, Callable[[Any, int], Awaitable[None]]] = {
    "request": _by_request,
    "progress": _by_progress,
    "shutdown": _by_shutdown,
}
