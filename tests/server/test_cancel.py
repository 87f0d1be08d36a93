"""Every kind of cancel, at every moment, and what the request is answered."""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.server.scripted import ScriptedApp
from tests.server.servers import ask, children, find, inside, read, running, scripted, settled, until

TEXT = "def a():\n    one()\n    two()\n"
CANCELLED = -32800


@pytest.fixture
def uri(root) -> str:
    return (root / "app.py").as_uri()


def begin(client, params, *, command: bool):
    if command:
        return client.begin("workspace/executeCommand", {"command": "socreates/review", "arguments": [params]})
    return client.begin("socreates/review", params)


async def idle(client) -> bool:
    return (await client.request("socreates/status"))["running"] == 0


@pytest.mark.parametrize("command", [False, True])
async def test_cancel_request_ends_the_work_and_is_answered_as_cancelled(client, uri, gate, command) -> None:
    wait = gate("a")
    client.open(uri, TEXT)
    msg_id, answer = begin(client, {"uri": uri, "ask": ask(find(uri, 1), wait.step)}, command=command)
    await wait.reached()
    client.notify("$/cancelRequest", {"id": msg_id})
    assert (await answer)["error"] == {"code": CANCELLED, "message": "Cancelled."}
    assert await idle(client), "the work itself has ended, not just the waiting for it"
    client.notify("$/cancelRequest", {"id": msg_id})
    assert await idle(client)


@pytest.mark.parametrize("token", [0, 7, "seven"])
@pytest.mark.parametrize("command", [False, True])
async def test_the_cancel_button_gives_what_was_found_so_far(client, uri, gate, token, command) -> None:
    wait = gate("a")
    client.open(uri, TEXT)
    steps = ask(read(uri, 0, 2), find(uri, 1), wait.step, find(uri, 2))
    _, answer = begin(client, {"uri": uri, "workDoneToken": token, "ask": steps}, command=command)
    await wait.reached()
    client.notify("window/workDoneProgress/cancel", {"token": token})
    result = (await answer)["result"]
    assert result["stop"] == "cancelled"
    assert result["summary"].startswith("Cancelled.")
    assert [one["range"]["start"]["line"] for one in result["findings"]] == [1]
    assert len(result["examined"]) == 1
    assert len(await client.diagnostics(uri)) == 1
    assert [one["value"]["kind"] for one in client.seen("$/progress")] == ["begin", "report", "end"]
    assert client.seen("$/progress")[-1]["value"]["message"] == "Cancelled."
    assert await idle(client)


async def test_the_cancel_button_works_on_a_token_that_we_made(root, uri, gate) -> None:
    wait = gate("a")
    async with scripted(rootUri=root.as_uri(), capabilities={"window": {"workDoneProgress": True}}) as client:
        client.open(uri, TEXT)
        await client.request("socreates/review", {"uri": uri, "wait": False, "ask": ask(wait.step)})
        await until(lambda: client.seen("$/progress"))
        client.notify("window/workDoneProgress/cancel", {"token": client.seen("$/progress")[0]["token"]})
        await client.wait_for(lambda: client.seen("$/progress")[-1]["value"]["kind"] == "end")
        assert await idle(client)
        await settled(client)
        assert client.seen("window/showMessage") == [], "whoever cancels knows"


@pytest.mark.parametrize("scope", [{"uri": True}, {"scope": "workspace"}, {}])
async def test_a_cancel_in_the_same_breath_as_the_request_counts(client, uri, gate, scope) -> None:
    """The cancel comes before the request has taken its first step, or while the scope is still looked for."""
    client.open(uri, TEXT)
    params = {**scope, "uri": uri} if "uri" in scope else scope
    wait = gate("never")
    msg_id, answer = client.begin("socreates/review", {**params, "ask": ask(wait.step)})
    client.notify("$/cancelRequest", {"id": msg_id})
    assert (await answer)["error"]["code"] == CANCELLED
    _, answer = client.begin("socreates/review", {**params, "workDoneToken": "t", "ask": ask(wait.step)})
    client.notify("window/workDoneProgress/cancel", {"token": "t"})
    assert (await answer)["result"]["stop"] == "cancelled"
    assert await idle(client)


async def test_a_cancel_that_comes_too_late_does_not_touch_the_next_review_with_the_same_token(client, uri) -> None:
    client.open(uri, TEXT)
    params = {"uri": uri, "workDoneToken": "t", "ask": ask(find(uri, 1))}
    assert (await client.request("socreates/review", params))["stop"] == "answered"
    client.notify("window/workDoneProgress/cancel", {"token": "t"})
    assert (await client.request("socreates/review", params))["stop"] == "answered"


async def test_tokens_that_look_alike_are_not_the_same(client, uri, gate) -> None:
    wait = gate("a")
    client.open(uri, TEXT)
    _, answer = client.begin("socreates/review", {"uri": uri, "workDoneToken": 1, "ask": ask(wait.step)})
    await wait.reached()
    client.notify("window/workDoneProgress/cancel", {"token": "1"})
    assert not await idle(client)
    wait.open()
    assert (await answer)["result"]["stop"] == "answered"


async def test_a_new_review_of_the_same_file_takes_the_place_of_the_one_that_runs(client, uri, gate) -> None:
    wait = gate("a")
    client.open(uri, TEXT)
    _, first = client.begin("socreates/review", {"uri": uri, "ask": ask(find(uri, 1), wait.step)})
    await wait.reached()
    second = await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 2))})
    old = (await first)["result"]
    assert (old["stop"], len(old["findings"])) == ("cancelled", 1)
    assert second["stop"] == "answered"
    left = (await client.request("socreates/findings"))["findings"]
    assert [one["range"]["start"]["line"] for one in left] == [2]


async def test_reviews_of_different_things_run_side_by_side(client, root, uri, gate) -> None:
    other = (root / "other.py").as_uri()
    gates = [gate(name) for name in "abcd"]
    client.open(uri, TEXT)
    client.open(other, TEXT)
    line = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 9}}
    targets = [{"uri": uri}, {"uri": other}, {"uri": uri, "range": line}, {"scope": "workspace"}]
    answers = [
        client.begin("socreates/review", {**target, "ask": ask(wait.step)})[1]
        for target, wait in zip(targets, gates, strict=True)
    ]
    for wait in gates:
        await wait.reached()
    assert (await client.request("socreates/status"))["running"] == 4
    for wait in reversed(gates):
        wait.open()
    assert [(await answer)["result"]["stop"] for answer in answers] == ["answered"] * 4


async def test_one_cancel_ends_one_review_of_two(client, root, uri, gate) -> None:
    one, two = gate("one"), gate("two")
    client.open(uri, TEXT)
    msg_id, first = client.begin("socreates/review", {"uri": uri, "ask": ask(one.step)})
    _, second = client.begin("socreates/review", {"scope": "workspace", "ask": ask(two.step)})
    await one.reached()
    await two.reached()
    client.notify("$/cancelRequest", {"id": msg_id})
    assert (await first)["error"]["code"] == CANCELLED
    two.open()
    assert (await second)["result"]["stop"] == "answered"


@pytest.mark.skipif(os.name == "nt", reason="/proc of Linux")
async def test_a_cancel_ends_a_real_examination_of_a_large_file(root, uri) -> None:
    async with inside(ScriptedApp) as client:
        await client.initialize(rootUri=root.as_uri())
        await cancels_a_large_file(client, uri)


async def cancels_a_large_file(client, uri) -> None:
    text = "import requests\n" + "".join(f"def f{n}(u):\n    return requests.get(u)\n\n\n" for n in range(15_000))
    client.open(uri, text)
    others = set(children(os.getpid()))
    params = {"uri": uri, "workDoneToken": "t"}
    _, answer = client.begin("socreates/review", params)
    await until(lambda: client.seen("$/progress"))
    hover = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 0}}
    assert await client.request("textDocument/hover", hover, 5) is None, "the editor never waits"
    workers = await until(lambda: set(children(os.getpid())) - others)
    await asyncio.sleep(0.3)
    client.notify("window/workDoneProgress/cancel", {"token": "t"})
    assert (await asyncio.wait_for(answer, 5))["result"]["stop"] == "cancelled"
    assert await idle(client)
    await until(lambda: not any(map(running, workers)))
    client.open(uri, TEXT, version=2)
    assert (await client.request("socreates/review", {"uri": uri}, 60))["stop"] == "answered", "the worker comes back"


async def test_shutdown_ends_all_reviews_first_and_answers_within_half_a_second(root, uri, gate) -> None:
    wait = gate("a")
    async with inside() as client:
        await client.initialize(rootUri=root.as_uri())
        client.open(uri, TEXT)
        _, answer = client.begin("socreates/review", {"uri": uri, "workDoneToken": "t", "ask": ask(wait.step)})
        await wait.reached()
        assert await client.request("shutdown", seconds=5) is None
        assert (await answer)["error"]["code"] == CANCELLED
        kinds = [one["params"]["value"]["kind"] for one in client.messages if one.get("method") == "$/progress"]
        assert kinds == ["begin", "end"]
        ids = [one["id"] for one in client.messages if "id" in one]
        assert ids == sorted(ids), "the review was answered before the shutdown"


async def test_shutdown_does_not_wait_for_a_thread_that_hangs(root, uri, gate) -> None:
    wait = gate("a")
    async with inside() as client:
        await client.initialize(rootUri=root.as_uri())
        _, answer = client.begin("socreates/review", {"uri": uri, "ask": ask(wait.blocking_step)})
        await wait.reached()
        assert await client.request("shutdown", seconds=5) is None
        assert (await answer)["error"]["code"] == CANCELLED
        wait.open()


async def test_a_cancelled_status_or_hover_is_answered_once(client, uri) -> None:
    client.open(uri, TEXT)
    for method in ("socreates/status", "socreates/findings"):
        msg_id, answer = client.begin(method, {})
        client.notify("$/cancelRequest", {"id": msg_id})
        message = await answer
        assert message.get("error", {}).get("code", CANCELLED) == CANCELLED
