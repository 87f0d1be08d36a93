"""``review.recheckOnSave`` from outside: what a save makes of findings whose lines changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest

from socreates_lsp.examiner.again_job import AgainJob
from socreates_lsp.testkit.script import Reply
from tests.server.servers import ThreadedApp, ask, find, scripted, settled, until
from tests.server.talking import QUESTION, app_py, said, talking

if TYPE_CHECKING:
    from pathlib import Path

FUNCTION = "\n\ndef {}(url):\n    return requests.{}(url)\n"
TEXT = "import requests\n" + FUNCTION.format("fetch", "get") + FUNCTION.format("other", "put")
SAVE_S = 1.0
"""Time in which a save has been looked at: 0.3 s of quiet, the rules, 0.05 s to publish."""


@pytest.fixture
def uri(root: Path) -> str:
    return (root / "app.py").as_uri()


@pytest.fixture
def looks() -> Any:
    """The rules that were asked again, a set for each look."""
    asked: list[frozenset[str]] = []
    call = AgainJob.__call__

    def counted(job: AgainJob) -> Any:
        asked.append(job.rules)
        return call(job)

    with patch.object(AgainJob, "__call__", counted):
        yield asked


async def reviewed(client: Any, uri: str, text: str = TEXT) -> list[dict[str, Any]]:
    client.open(uri, text)
    return (await client.request("socreates/review", {"uri": uri}, 60))["findings"]


def edit(client: Any, uri: str, text: str, version: int) -> None:
    params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
    client.notify("textDocument/didChange", params)


def save(client: Any, uri: str) -> None:
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})


async def statuses(client: Any, uri: str) -> list[tuple[int, str]]:
    found = (await client.request("socreates/findings", {"uri": uri}))["findings"]
    return [(one["range"]["start"]["line"], one["status"]) for one in found]


async def test_what_was_mended_leaves_and_what_is_still_there_comes_back_fresh(client, uri, looks) -> None:
    fetch, other = await reviewed(client, uri)
    mended = TEXT.replace("get(url)", "get(url, timeout=3)").replace("put(url)", "put(url + 'x')")
    edit(client, uri, mended, 2)
    await settled(client)
    assert [one["message"].split(":")[0] for one in await client.diagnostics(uri, 2)] == ["Stale"] * 2
    before = len(client.messages)
    save(client, uri)
    await until(lambda: len(client.seen("textDocument/publishDiagnostics")[-1]["diagnostics"]) == 1)
    [left] = await client.diagnostics(uri)
    assert (left["data"]["id"], left["range"]["start"]["line"], left["severity"]) == (other["id"], 8, 3)
    assert "Stale" not in left["message"]
    [kept] = [one for one in (await client.request("socreates/findings"))["findings"] if one["status"] == "open"]
    assert (kept["id"], kept["quote"]) == (other["id"], "return requests.put(url + 'x')")
    gone = (await client.request("socreates/findings", {"status": "resolved"}))["findings"]
    assert [one["id"] for one in gone] == [fetch["id"]]
    assert looks == [{"python-no-timeout"}]
    methods = {one.get("method") for one in client.messages[before:] if "method" in one}
    assert methods == {"textDocument/publishDiagnostics"}, "no progress, no message"


async def test_what_did_not_change_is_not_looked_at(client, uri, looks) -> None:
    await reviewed(client, uri)
    edit(client, uri, "# above\n" + TEXT, 2)
    save(client, uri)
    await settled(client, SAVE_S)
    assert await statuses(client, uri) == [(5, "open"), (9, "open")]
    assert looks == []


async def test_several_quick_saves_become_one(client, uri, looks) -> None:
    await reviewed(client, uri)
    for number in range(5):
        edit(client, uri, TEXT.replace("get(url)", f"get(url + '{number}')"), number + 2)
        save(client, uri)
        await asyncio.sleep(0.03)
    await until(lambda: looks)
    await settled(client, SAVE_S)
    assert len(looks) == 1
    assert await statuses(client, uri) == [(4, "open"), (8, "open")]


async def test_a_comment_that_suppresses_is_heard_on_save(client, uri) -> None:
    await reviewed(client, uri)
    edit(client, uri, TEXT.replace("get(url)", "get(url)  # socreates: ignore"), 2)
    edit(client, uri, TEXT.replace("get(url)", "get(url + 'y')  # socreates: ignore"), 3)
    save(client, uri)
    await until(lambda: len(client.seen("textDocument/publishDiagnostics")[-1]["diagnostics"]) == 1)


async def test_off_looks_at_nothing_and_a_change_of_the_setting_counts_at_once(client, uri, looks) -> None:
    await reviewed(client, uri)
    off = {"settings": {"socreates": {"review": {"recheckOnSave": "off"}}}}
    client.notify("workspace/didChangeConfiguration", off)
    edit(client, uri, TEXT.replace("get(url)", "get(url, timeout=3)"), 2)
    save(client, uri)
    await settled(client, SAVE_S)
    assert (looks, await statuses(client, uri)) == ([], [(4, "stale"), (8, "open")])
    client.notify("workspace/didChangeConfiguration", {"settings": {"socreates": {"review": {"recheckOnSave": None}}}})
    save(client, uri)
    await until(lambda: looks)
    await settled(client)
    assert await statuses(client, uri) == [(4, "resolved"), (8, "open")]


async def test_where_the_file_does_not_parse_silence_says_nothing(client, uri) -> None:
    await reviewed(client, uri)
    edit(client, uri, TEXT.replace("return requests.get(url)", "return requests.get((url"), 2)
    save(client, uri)
    await settled(client, SAVE_S)
    assert (4, "stale") in await statuses(client, uri)


async def test_a_rule_that_cannot_be_run_again_leaves_its_finding_stale(client, uri, looks) -> None:
    client.open(uri, TEXT)
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 4, rule="untested"))})
    edit(client, uri, TEXT.replace("get(url)", "get(url, timeout=3)"), 2)
    save(client, uri)
    await until(lambda: looks)
    await settled(client)
    assert await statuses(client, uri) == [(4, "stale")]


async def test_an_edit_while_the_rules_run_counts(root, uri) -> None:
    gate = asyncio.Event()
    loop = asyncio.get_running_loop()
    call = AgainJob.__call__

    def slow(job: AgainJob) -> Any:
        asyncio.run_coroutine_threadsafe(gate.wait(), loop).result(10)
        return call(job)

    async with scripted(rootUri=root.as_uri()) as client:
        await reviewed(client, uri)
        with patch.object(AgainJob, "__call__", slow):
            edit(client, uri, TEXT.replace("get(url)", "get(url, timeout=3)").replace("put(url)", "put(url, 1)"), 2)
            save(client, uri)
            await asyncio.sleep(0.5)
            back = TEXT.replace("put(url)", "put(url, 1)")
            edit(client, uri, "# above\n" + back, 3)
            await settled(client)
            gate.set()
            await settled(client, 0.5)
            assert await statuses(client, uri) == [(5, "open"), (9, "open")], "the first came back by hand meanwhile"


async def test_a_file_that_is_saved_but_not_open_is_read_from_disk(root, uri, client) -> None:
    (root / "app.py").write_text(TEXT)
    await client.request("socreates/review", {"uri": uri}, 60)
    (root / "app.py").write_text(TEXT.replace("get(url)", "get(url, timeout=3)"))
    save(client, uri)
    await settled(client, SAVE_S)
    assert await statuses(client, uri) == [(4, "resolved"), (8, "open")]


async def test_a_crash_of_the_worker_changes_nothing(client, uri) -> None:
    from socreates_lsp.examiner.pool import JobError

    async def crashes(_pool: Any, _job: Any) -> Any:
        raise JobError("the parser crashed")

    await reviewed(client, uri)
    with patch.object(type(ThreadedApp.pool), "run", crashes):
        edit(client, uri, TEXT.replace("get(url)", "get(url, timeout=3)"), 2)
        save(client, uri)
        await settled(client, SAVE_S)
    assert await statuses(client, uri) == [(4, "stale"), (8, "open")]


# With a model

MODEL = {"review": {"recheckOnSave": "model", "leads": False, "verify": False}}
MENDED = "def load(path):\n    with open(path) as file:\n        return file.read()\n"


async def asked_and_changed(client: Any, root: Path) -> str:
    uri = app_py(root)
    client.open(uri, (root / "app.py").read_text())
    assert len((await client.request("socreates/review", {"uri": uri}))["findings"]) == 1
    edit(client, uri, MENDED, 2)
    await settled(client)
    save(client, uri)
    return uri


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("gone", "resolved"),
        ("Stands.", "open"),
        ("It is **gone**", "resolved"),
        ("stands or gone", "stale"),
        ("?", "stale"),
    ],
)
async def test_the_model_is_asked_for_one_word(root: Path, word: str, status: str) -> None:
    async with talking(root, QUESTION, word, "An answer.", options=MODEL) as (client, model):
        uri = await asked_and_changed(client, root)
        await until(lambda: len(model.chats) == 2)
        await settled(client)
        assert [found for _, found in await statuses(client, uri)] == [status]
        chat = model.chats[1]
        assert not chat.get("tools")
        ((role, task),) = said(chat)
        assert role == "user"
        assert "Who closes what `open` opens" in task
        assert "    2\t    with open(path) as file:" in task
        assert len(str(chat)) < 3000
        assert client.seen("window/showMessage") == client.seen("$/progress") == []
        await client.request("socreates/ask", {"text": "And now?"})
        assert [role for role, _ in said(model.chats[2])] == ["user", "assistant", "user"], "beside the conversation"
        usage = (await client.request("socreates/status"))["usage"]
        assert usage["inputTokens"] == 33


async def test_what_still_stands_stands_on_the_lines_as_they_are(root: Path) -> None:
    async with talking(root, QUESTION, "stands", options=MODEL) as (client, _):
        uri = await asked_and_changed(client, root)
        await settled(client, SAVE_S)
        [found] = (await client.request("socreates/findings", {"uri": uri}))["findings"]
        assert (found["status"], found["quote"]) == ("open", "with open(path) as file:")


async def test_by_default_a_models_finding_stays_stale_and_no_model_is_asked(root: Path) -> None:
    async with talking(root, QUESTION) as (client, model):
        uri = await asked_and_changed(client, root)
        await settled(client, SAVE_S)
        assert [found for _, found in await statuses(client, uri)] == ["stale"]
        assert len(model.chats) == 1


async def test_a_save_asks_about_a_few_at_most(root: Path) -> None:
    lines = [f"value_{n} = {n}" for n in range(8)]
    points = "".join(
        f"[question] many.py:{n + 1} naming\n> {line}\nWhat is `value_{n}` a value of?\nWhy: so.\n\n"
        for n, line in enumerate(lines)
    )
    uri = (root / "many.py").as_uri()
    async with talking(root, points, *["gone"] * 8, options=MODEL) as (client, model):
        client.open(uri, "\n".join(lines))
        assert len((await client.request("socreates/review", {"uri": uri}))["findings"]) == 8
        edit(client, uri, "\n".join(f"{line}0 + 1" for line in lines), 2)
        await settled(client)
        save(client, uri)
        await settled(client, 2.0)
        assert len(model.chats) == 5


async def test_a_failure_is_silent_and_leaves_it_stale(root: Path) -> None:
    async with talking(root, QUESTION, Reply(status=401, error="no"), options=MODEL) as (client, model):
        uri = await asked_and_changed(client, root)
        await until(lambda: len(model.chats) == 2)
        await settled(client)
        assert [found for _, found in await statuses(client, uri)] == ["stale"]
        assert client.seen("window/showMessage") == []


async def test_nothing_is_sent_where_the_user_would_have_to_be_asked(root: Path) -> None:
    async with talking(root, QUESTION, "gone", options=MODEL) as (client, model):
        uri = app_py(root)
        client.open(uri, (root / "app.py").read_text())
        await client.request("socreates/review", {"uri": uri})
        elsewhere = {"model": {"provider": "openai", "baseUrl": "https://far.example.org/v1", "name": "m"}, **MODEL}
        client.notify("workspace/didChangeConfiguration", {"settings": {"socreates": elsewhere}})
        edit(client, uri, MENDED, 2)
        await settled(client)
        save(client, uri)
        await settled(client, SAVE_S)
        assert [found for _, found in await statuses(client, uri)] == ["stale"]
        assert client.seen("window/showMessageRequest") == []
        assert len(model.chats) == 1
