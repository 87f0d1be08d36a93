"""Quiet: one message per cause and minute, the rest in the log; traces for who wants them; no text in any of it."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest

from socreates_lsp.server import logs, quiet
from socreates_lsp.server.quiet import Quiet
from socreates_lsp.testkit.script import Reply
from socreates_lsp.testkit.server import ScriptedServer
from tests.bare_client import serving
from tests.server.servers import ask, find, scripted, settled, until
from tests.server.talking import app_py, settings

if TYPE_CHECKING:
    from pathlib import Path

MARK = "xyzzymark"


def told(client: Any) -> list[str]:
    return [one["message"] for one in client.seen("window/showMessage")]


def logged(client: Any) -> list[tuple[int, str]]:
    return [(one["type"], one["message"]) for one in client.seen("window/logMessage")]


async def fails(client: Any, uri: str, sentence: str) -> None:
    before = len(client.seen("$/progress"))
    params = {"uri": uri, "wait": False, "workDoneToken": before, "ask": ask({"fail": sentence})}
    assert await client.request("socreates/review", params) == {"started": True}
    await client.wait_for(lambda: client.seen("$/progress")[before + 1 :])


async def test_a_flood_of_one_cause_is_one_message(client, root: Path) -> None:
    uri = app_py(root)
    for number in range(20):
        await fails(client, uri, f"The server is busy: it can be asked again in {number}.5 s.")
    await fails(client, uri, "The lamp went out.")
    await settled(client)
    assert told(client) == ["The server is busy: it can be asked again in 0.5 s.", "The lamp went out."]


async def test_after_a_minute_it_is_told_again(client, root: Path) -> None:
    uri = app_py(root)
    await fails(client, uri, "The lamp went out.")
    with patch.object(quiet, "QUIET_S", 0.01):
        await asyncio.sleep(0.02)
        await fails(client, uri, "The lamp went out.")
        await settled(client)
    assert told(client) == ["The lamp went out."] * 2


def test_what_was_told_is_forgotten_so_that_memory_does_not_grow() -> None:
    one = Quiet()
    assert all(one.first(str(number)) for number in range(5000))
    assert not one.first("4999")
    assert len(one._told) <= 1000


async def test_what_is_no_message_to_the_user_goes_into_the_clients_log_once(client) -> None:
    change = {"textDocument": {"uri": "file:///other.py", "version": 2}, "contentChanges": [{"text": MARK}]}
    for _ in range(20):
        client.notify("textDocument/didChange", change)
    await settled(client)
    [(kind, sentence)] = logged(client)
    assert (kind, sentence) == (2, "An edit to file:///other.py was left out: it was never opened.")
    assert told(client) == []


@pytest.mark.usefixtures("errors_are_meant")
async def test_a_fault_of_our_own_is_in_the_clients_log_without_its_words(client, root: Path) -> None:
    uri = app_py(root)
    await client.answer_to("socreates/review", {"uri": uri, "ask": ask({"crash": MARK})})
    await settled(client)
    assert logged(client) == [(1, "A request failed.")]


async def test_a_log_from_a_thread_arrives_and_nothing_after_the_end(root: Path) -> None:
    ours = logging.getLogger("socreates_lsp")
    before = list(ours.handlers)
    async with scripted(rootUri=root.as_uri()) as client:
        await asyncio.to_thread(logging.getLogger("socreates_lsp.x").warning, "from a thread")
        await until(lambda: logged(client) == [(2, "from a thread")])
    assert ours.handlers == before


def test_the_log_holds_no_words_of_an_error_below_debug() -> None:
    record = logging.LogRecord("asyncio", logging.ERROR, "f", 1, f"Task failed\nfuture: {MARK}", (), None)
    try:
        raise KeyError(MARK)
    except KeyError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    words = logs.Wordless("%(message)s").format(record)
    assert "KeyError" in words
    assert "test_quiet.py" in words
    assert "Task failed" in words
    # The line of code that failed is ours; the words of the error are not.
    assert MARK not in words


# Traces


@asynccontextmanager
async def tracing(root: Path, **params: Any):
    async with scripted(rootUri=root.as_uri(), **params) as client:
        yield client


def traces(client: Any) -> list[str]:
    return [one["message"] for one in client.seen("$/logTrace")]


async def exchange(client: Any, root: Path) -> None:
    uri = app_py(root)
    client.open(uri, f"{MARK}()\n")
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 0))})
    await settled(client)


async def test_by_default_nothing_is_traced(client, root: Path) -> None:
    await exchange(client, root)
    assert traces(client) == []


@pytest.mark.parametrize("how", ["initialize", "setTrace"])
async def test_messages_are_traced_by_name_and_hold_no_text(root: Path, how: str) -> None:
    async with tracing(root, **({"trace": "messages"} if how == "initialize" else {})) as client:
        if how == "setTrace":
            client.notify("$/setTrace", {"value": "messages"})
        await exchange(client, root)
        found = traces(client)
        assert "Received textDocument/didOpen." in found
        assert any(one.startswith("Sent an answer (2) to socreates/review after ") for one in found)
        assert "Sent textDocument/publishDiagnostics." in found
        assert not any("logTrace" in one for one in found)
        assert MARK not in json.dumps(client.seen("$/logTrace"))
        assert all(set(one) == {"message"} for one in client.seen("$/logTrace"))


async def test_verbose_traces_hold_the_messages_and_off_ends_it(root: Path) -> None:
    async with tracing(root) as client:
        client.notify("$/setTrace", {"value": "verbose"})
        await exchange(client, root)
        [opened] = [one for one in client.seen("$/logTrace") if one["message"] == "Received textDocument/didOpen."]
        assert MARK in opened["verbose"]
        [shown, *_] = [one for one in client.seen("$/logTrace") if "publishDiagnostics" in one["message"]]
        assert json.loads(shown["verbose"])["params"]["diagnostics"][0]["source"] == "socreates"
        client.notify("$/setTrace", {"value": "off"})
        await settled(client)
        before = len(traces(client))
        await exchange(client, root)
        assert len(traces(client)) == before


# No text


@pytest.mark.parametrize("crash", [False, True])
async def test_no_text_of_buffers_answers_or_prompts_is_logged_at_the_default_level(
    root: Path, tmp_path: Path, crash: bool
) -> None:
    uri, log = app_py(root), tmp_path / "server.log"
    text = f"def load(path):\n    {MARK} = open(path)\n    return {MARK}.read()\n"
    calls = (("read_file", {"path": f"{MARK}.py"}), ("run_command", {"command": f"cat {MARK}"}), (MARK, {MARK: 1}))
    answer = f"[question] app.py:2 resources\n> {MARK} = open(path)\nWho closes `{MARK}`?\nWhy: {MARK}.\n"
    broken = Reply(raw=f"data: {{{MARK}\n\n".encode()) if crash else Reply(text=answer)
    with ScriptedServer([Reply(calls=calls), broken, Reply(text=answer), Reply(text=answer)]) as model:
        async with serving("--log-file", str(log)) as client:
            options = settings(model, review={"verify": True, "leads": True})
            await client.initialize(rootUri=root.as_uri(), initializationOptions=options)
            client.open(uri, text)
            edit = {"textDocument": {"uri": "file:///other.py", "version": 2}, "contentChanges": [{"text": MARK}]}
            client.notify("textDocument/didChange", edit)
            await client.answer_to("socreates/review", {"uri": uri, "ask": MARK}, 60)
            await client.answer_to("socreates/ask", {"text": MARK}, 60)
            await client.request("shutdown")
            client.notify("exit")
            await until(lambda: client.process.returncode is not None)
            written = log.read_text() + (await client.process.stderr.read()).decode()
            assert "was left out" in written
            assert MARK not in written
            assert logged(client)
            assert MARK not in json.dumps(client.seen("window/logMessage"))
