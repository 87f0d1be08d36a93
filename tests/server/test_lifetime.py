"""When the process ends, with which code, and that nothing is left behind. Real processes over stdio."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from tests.bare_client import COMMAND, BareClient, serving
from tests.server.servers import SCRIPTED, ask, children, running, until

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"
GRACE = 15
"""Seconds within which a process has to be gone. The contract says one; a machine that tests has other work to do."""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and /proc of POSIX")


async def examined(client: BareClient, root: Path) -> list[int]:
    """Review something with the real examiner; the ids of the workers."""
    uri = (root / "app.py").as_uri()
    client.open(uri, TEXT)
    assert len((await client.request("socreates/review", {"uri": uri}, 60))["findings"]) == 1
    workers = children(client.process.pid)
    assert workers
    return workers


async def gone(process, workers: list[int] = ()) -> int:
    """Wait for the end of a process and of what it started; its exit code."""
    # Not process.wait(), which waits for the pipes too.
    await until(lambda: process.returncode is not None and not any(map(running, workers)), GRACE)
    return process.returncode


async def test_shutdown_and_exit_end_with_0(root) -> None:
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri())
        workers = await examined(client, root)
        assert await client.request("shutdown") is None
        client.notify("exit")
        assert await gone(client.process, workers) == 0


async def test_exit_without_shutdown_ends_with_1(root) -> None:
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri())
        client.notify("exit")
        assert await gone(client.process) == 1


async def test_the_end_of_stdin_ends_the_process_and_its_workers(root) -> None:
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri())
        workers = await examined(client, root)
        client.process.stdin.close()
        assert await gone(client.process, workers) == 1


async def test_the_end_of_stdin_before_anything_was_said(root) -> None:
    async with serving() as client:
        client.process.stdin.close()
        assert await gone(client.process) == 1


async def test_the_end_of_stdin_after_shutdown_ends_with_0(root) -> None:
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri())
        await client.request("shutdown")
        client.process.stdin.close()
        assert await gone(client.process) == 0


async def test_the_end_of_stdin_in_the_middle_of_a_review_that_hangs_in_a_thread(root, tmp_path) -> None:
    uri = (root / "app.py").as_uri()
    async with serving(command=SCRIPTED) as client:
        await client.initialize(rootUri=root.as_uri())
        client.begin("socreates/review", {"uri": uri, "ask": ask({"block": str(tmp_path / "gate")})})
        await until((tmp_path / "gate.reached").exists)
        client.process.stdin.close()
        assert await gone(client.process) == 1


async def test_shutdown_in_the_middle_of_a_review_that_hangs_in_a_thread(root, tmp_path) -> None:
    uri = (root / "app.py").as_uri()
    async with serving(command=SCRIPTED) as client:
        await client.initialize(rootUri=root.as_uri())
        _, answer = client.begin("socreates/review", {"uri": uri, "ask": ask({"block": str(tmp_path / "gate")})})
        await until((tmp_path / "gate.reached").exists)
        assert await client.request("shutdown") is None
        assert (await answer)["error"]["code"] == -32800
        client.notify("exit")
        assert await gone(client.process) == 0


async def test_sigkill_of_the_server_leaves_no_worker(root) -> None:
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri())
        workers = await examined(client, root)
        client.process.kill()
        assert await gone(client.process, workers) == -signal.SIGKILL


async def test_sigkill_in_the_middle_of_an_examination_leaves_no_worker(root) -> None:
    uri = (root / "app.py").as_uri()
    text = "import requests\n" + "".join(f"def f{n}(u):\n    return requests.get(u)\n\n\n" for n in range(40_000))
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri())
        client.open(uri, text)
        client.begin("socreates/review", {"uri": uri, "workDoneToken": 1})
        await client.wait_for(lambda: client.seen("$/progress"))
        workers = await until(lambda: children(client.process.pid))
        await asyncio.sleep(0.3)
        client.process.kill()
        await gone(client.process, workers)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_process_and_its_workers(root, number) -> None:
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri())
        workers = await examined(client, root)
        client.process.send_signal(number)
        assert await gone(client.process, workers) == (130 if number == signal.SIGINT else -number)


@pytest.mark.parametrize("initialized", [False, True])
async def test_ctrl_c_right_after_the_start_ends_the_process(root, initialized: bool) -> None:
    """At that moment a worker is being started."""
    for _ in range(3):
        async with serving() as client:
            params = {"processId": os.getpid(), "rootUri": root.as_uri(), "capabilities": {}}
            await client.request("initialize", params)
            if initialized:
                client.notify("initialized", {})
            client.process.send_signal(signal.SIGINT)
            assert await gone(client.process) == 130


async def test_ctrl_c_while_no_client_has_come_ends_the_process(root) -> None:
    async with serving("--tcp", "127.0.0.1:0", "--log-level", "info", cwd=root) as client:
        while b"127.0.0.1" not in (line := await client.process.stderr.readline()):
            assert line, "it ended before it listened"
        client.process.send_signal(signal.SIGINT)
        assert await gone(client.process) == 130


# A client that is gone without closing anything


def writer_of(client: BareClient):
    """The transport of what the server writes."""
    return client.process._transport.get_pipe_transport(1)


async def test_a_closed_stdout_ends_the_process_when_there_is_something_to_say(root) -> None:
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri())
        workers = await examined(client, root)
        writer_of(client).close()
        client.notify("textDocument/didOpen", {})
        client.send({"jsonrpc": "2.0", "id": 99, "method": "socreates/status"})
        await gone(client.process, workers)


async def test_a_closed_stdout_ends_the_process_also_in_silence(root) -> None:
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri())
        writer_of(client).close()
        assert await gone(client.process) == 1


async def test_a_client_that_does_not_read_does_not_hold_the_end(root) -> None:
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri())
        writer_of(client).pause_reading()
        for number in range(1000, 1400):
            client.send({"jsonrpc": "2.0", "id": number, "method": "socreates/status"})
        await asyncio.sleep(0.5)
        client.process.stdin.close()
        assert await gone(client.process) == 1


async def sleeper() -> asyncio.subprocess.Process:
    """A process to be the client."""
    return await asyncio.create_subprocess_exec(sys.executable, "-c", "import time; time.sleep(600)")


async def test_the_death_of_the_client_ends_the_process_though_the_pipes_are_open(root) -> None:
    parent = await sleeper()
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri(), processId=parent.pid)
        workers = await examined(client, root)
        parent.kill()
        await parent.wait()
        assert await gone(client.process, workers) == 1


async def test_a_dead_client_that_nobody_has_looked_after_counts_as_dead(root) -> None:
    """A zombie still has its id."""
    # A shell that never waits for its child keeps it as a zombie.
    shell = await asyncio.create_subprocess_exec(
        "/bin/sh", "-c", "sleep 600 & echo $!; exec sleep 600", stdout=asyncio.subprocess.PIPE
    )
    child = int(await shell.stdout.readline())
    try:
        async with serving() as client:
            await client.initialize(rootUri=root.as_uri(), processId=child)
            os.kill(child, signal.SIGKILL)
            assert await gone(client.process) == 1
            os.kill(child, 0)
    finally:
        shell.kill()
        await shell.wait()


async def test_a_client_that_is_dead_already_is_not_watched(root) -> None:
    """Behind a proxy or in a container the id says nothing."""
    parent = await sleeper()
    parent.kill()
    await parent.wait()
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri(), processId=parent.pid)
        await asyncio.sleep(1)
        assert (await client.request("socreates/status"))["running"] == 0


# What must not reach the wire or the log


async def test_a_stray_print_never_reaches_stdout(root) -> None:
    uri = (root / "app.py").as_uri()
    async with serving(command=SCRIPTED) as client:
        await client.initialize(rootUri=root.as_uri())
        client.open(uri, TEXT)
        result = await client.request("socreates/review", {"uri": uri, "ask": ask({"print": "stray words"})})
        assert result["stop"] == "answered"
        assert await client.request("shutdown") is None
        client.notify("exit")
        await gone(client.process)
        said = await client.process.stderr.read()
        assert said.count(b"stray words") == 2


@pytest.mark.parametrize(("level", "shows"), [(None, False), ("info", False), ("debug", True)])
async def test_no_text_of_a_buffer_is_logged_unless_asked_for(root, tmp_path, level, shows: bool) -> None:
    uri, log = (root / "app.py").as_uri(), tmp_path / "server.log"
    flags = [] if level is None else ["--log-level", level]
    async with serving("--log-file", str(log), *flags, command=SCRIPTED) as client:
        await client.initialize(rootUri=root.as_uri(), initializationOptions={"secret word": 1})
        client.open(uri, f"# secret word\n{TEXT}")
        change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": f"# secret word 2\n{TEXT}"}]}
        client.notify("textDocument/didChange", change)
        client.notify("textDocument/didChange", {**change, "textDocument": {"uri": "file:///other", "version": 2}})
        client.send_raw(b'{"secret word": ')
        await client.request("socreates/review", {"uri": uri}, 60)
        await client.request("socreates/review", {"uri": uri, "ask": "secret word?"}, 60)
        await client.answer_to("textDocument/hover", {"textDocument": {"uri": "secret word"}})
        await client.request("shutdown")
        client.notify("exit")
        await gone(client.process)
        logged = log.read_text() + (await client.process.stderr.read()).decode()
    assert ("secret word" in logged) == shows
    assert "was left out" in logged


async def test_a_log_file_that_cannot_be_written_is_one_sentence_and_code_2(root) -> None:
    async with serving("--log-file", str(root)) as client:
        assert await gone(client.process) == 2
        said = (await client.process.stderr.read()).decode()
    assert said.count("\n") == 1
    assert str(root) in said


async def test_flags_of_the_command_line_are_settings(root) -> None:
    async with serving("--stdio", "--set", "review.maxFindings=2", "--set", "nonsense=1") as client:
        await client.initialize(rootUri=root.as_uri())
        status = await client.request("socreates/status")
        assert status["settings"]["review.maxFindings"] == {"value": 2, "source": "flag --set"}
        assert "nonsense" in json.dumps(client.seen("window/showMessage"))


async def test_the_command_is_what_is_tested() -> None:
    """``-P`` keeps the tests out of the imports; everything else is as a user runs it."""
    assert COMMAND[1:] == ("-P", "-m", "socreates_lsp")
