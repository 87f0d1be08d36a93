"""TCP, a socket that the client opened, and a pipe: the same server, and the same end."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from tests.bare_client import COMMAND, BareClient
from tests.server.servers import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TEXT = "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"


@asynccontextmanager
async def started(*flags: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A server process that does not speak on stdio."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*COMMAND, *flags, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@asynccontextmanager
async def speaking(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> AsyncIterator[BareClient]:
    client = BareClient(reader, writer.write)
    try:
        yield client
    finally:
        client._task.cancel()
        writer.close()


async def reviews_and_ends(client: BareClient, process: asyncio.subprocess.Process, root) -> None:
    uri = (root / "app.py").as_uri()
    await client.initialize(rootUri=root.as_uri())
    client.open(uri, TEXT)
    assert len((await client.request("socreates/review", {"uri": uri}, 60))["findings"]) == 1
    assert len(await client.diagnostics(uri, version=1)) == 1
    assert await client.request("shutdown") is None
    client.notify("exit")
    assert await asyncio.wait_for(process.wait(), 15) == 0


@asynccontextmanager
async def over_tcp() -> AsyncIterator[tuple[asyncio.subprocess.Process, asyncio.StreamReader, asyncio.StreamWriter]]:
    async with started("serve", "--tcp", "127.0.0.1:0") as process:
        said = await asyncio.wait_for(process.stderr.readline(), 30)
        address = re.search(rb"listens on (\S+):(\d+)", said)
        assert address, said
        yield process, *await asyncio.open_connection(address[1].decode(), int(address[2]))


async def test_tcp(root) -> None:
    async with over_tcp() as (process, reader, writer), speaking(reader, writer) as client:
        await reviews_and_ends(client, process, root)


async def test_a_tcp_client_that_vanishes_ends_the_process(root) -> None:
    async with over_tcp() as (process, reader, writer), speaking(reader, writer) as client:
        await client.initialize(rootUri=root.as_uri())
        writer.transport.abort()
        assert await asyncio.wait_for(process.wait(), 15) == 1


async def test_a_socket_that_the_client_listens_on(root) -> None:
    arrived: asyncio.Queue = asyncio.Queue()
    listening = await asyncio.start_server(lambda *ends: arrived.put_nowait(ends), "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    async with listening, started("--socket", str(port), "--clientProcessId", str(os.getpid())) as process:
        reader, writer = await asyncio.wait_for(arrived.get(), 30)
        async with speaking(reader, writer) as client:
            await reviews_and_ends(client, process, root)


@pytest.mark.skipif(sys.platform == "win32", reason="a Unix socket")
async def test_a_pipe(root, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    arrived: asyncio.Queue = asyncio.Queue()
    listening = await asyncio.start_unix_server(lambda *ends: arrived.put_nowait(ends), "pipe")
    async with listening, started("--pipe", "pipe") as process:
        reader, writer = await asyncio.wait_for(arrived.get(), 30)
        async with speaking(reader, writer) as client:
            await reviews_and_ends(client, process, root)


@pytest.mark.skipif(sys.platform == "win32", reason="a Unix socket")
async def test_the_end_of_a_pipe_ends_the_process(root, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    arrived: asyncio.Queue = asyncio.Queue()
    listening = await asyncio.start_unix_server(lambda *ends: arrived.put_nowait(ends), "pipe")
    async with listening, started("--pipe", "pipe") as process:
        reader, writer = await asyncio.wait_for(arrived.get(), 30)
        async with speaking(reader, writer) as client:
            await client.initialize(rootUri=root.as_uri())
            writer.close()
            assert await asyncio.wait_for(process.wait(), 15) == 1


@pytest.mark.parametrize(
    "flags",
    [
        ["--socket", "1"],
        ["--pipe", "/nowhere/at/all"],
        ["--tcp", "203.0.113.1:4000"],
    ],
)
async def test_a_way_in_that_cannot_be_opened_is_one_sentence_and_code_2(flags) -> None:
    async with started(*flags) as process:
        await until(lambda: process.returncode is not None, 30)
        said = (await process.stderr.read()).decode()
        assert process.returncode == 2
        assert said.startswith("socreates-lsp: ")
        assert said.count("\n") == 1
        assert "Traceback" not in said
