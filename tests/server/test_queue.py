"""Several reviews and one model on this machine: they wait in line, say so, and can be cancelled there."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.testkit.script import Reply
from tests.server.servers import until
from tests.server.talking import talking

if TYPE_CHECKING:
    from pathlib import Path

NOTHING = "I looked and have nothing to ask."
HANGS = Reply(text="", hang=True)


def files(root: Path, number: int) -> list[str]:
    for at in range(number):
        (root / f"f{at}.py").write_text("x = 1\n")
    return [(root / f"f{at}.py").as_uri() for at in range(number)]


def begin(client, uri: str, token: Any) -> tuple[int, asyncio.Future[Any]]:
    return client.begin("socreates/review", {"uri": uri, "workDoneToken": token})


def said(client, token: Any) -> list[str]:
    return [one["value"].get("message", "") for one in client.seen("$/progress") if one["token"] == token]


@asynccontextmanager
async def one_asks_and_one_waits(root: Path, *replies: Any, options: Any = None):
    one, two = files(root, 2)
    async with talking(root, HANGS, *replies, options=options) as (client, model):
        first = begin(client, one, "one")
        await until(lambda: len(model.chats) == 1)
        second = begin(client, two, "two")
        await until(lambda: "waiting for the model" in said(client, "two"))
        assert len(model.chats) == 1
        yield client, model, first, second


async def test_the_second_waits_until_the_first_has_ended(root: Path) -> None:
    async with one_asks_and_one_waits(root, NOTHING) as (client, model, first, second):
        client.notify("$/cancelRequest", {"id": first[0]})
        assert (await first[1])["error"]["code"] == -32800
        assert (await second[1])["result"]["stop"] == "answered"
        assert len(model.chats) == 2


@pytest.mark.parametrize("how", ["request", "progress"])
async def test_a_cancel_while_waiting_leaves_the_line(root: Path, how: str) -> None:
    async with one_asks_and_one_waits(root, NOTHING, NOTHING) as (client, model, first, second):
        if how == "request":
            client.notify("$/cancelRequest", {"id": second[0]})
            assert (await second[1])["error"]["code"] == -32800
        else:
            client.notify("window/workDoneProgress/cancel", {"token": "two"})
            assert (await second[1])["result"]["stop"] == "cancelled"
        assert len(model.chats) == 1, "it was never sent"
        client.notify("$/cancelRequest", {"id": first[0]})
        await first[1]
        _, third = begin(client, files(root, 3)[2], "three")
        assert (await third)["result"]["stop"] == "answered"
        assert len(model.chats) == 2
        assert [said(client, token)[-1] for token in ("one", "two")] == ["Cancelled."] * 2


async def test_the_time_in_line_is_not_the_reviews_own(root: Path) -> None:
    options = {"limits": {"reviewSeconds": 1.5}}
    async with one_asks_and_one_waits(root, NOTHING, options=options) as (_, model, first, second):
        assert (await asyncio.wait_for(first[1], 10))["result"]["stop"] == "limit"
        result = (await asyncio.wait_for(second[1], 10))["result"]
        assert (result["stop"], len(model.chats)) == ("answered", 2)


async def test_as_many_ask_at_once_as_the_settings_say(root: Path) -> None:
    uris = files(root, 4)
    async with talking(root, *[HANGS] * 4, options={"model": {"parallel": 3}}) as (client, model):
        reviews = [begin(client, uri, uri) for uri in uris]
        await until(lambda: len(model.chats) == 3)
        await until(lambda: any("waiting for the model" in said(client, uri) for uri in uris))
        assert (await client.request("socreates/status"))["running"] == 4
        for msg_id, _ in reviews:
            client.notify("$/cancelRequest", {"id": msg_id})
        assert {(await answer)["error"]["code"] for _, answer in reviews} == {-32800}


async def test_shutdown_empties_the_line(root: Path) -> None:
    async with one_asks_and_one_waits(root) as (client, model, first, second):
        assert await client.request("shutdown") is None
        assert [(await one[1])["error"]["code"] for one in (first, second)] == [-32800] * 2
        assert len(model.chats) == 1
