"""Leads first: the examiner's questions stand at once, and the model confirms them, drops them, or says nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.testkit.script import Reply
from tests.server.servers import until
from tests.server.talking import said, talking
from tests.server.test_points import shown

if TYPE_CHECKING:
    from pathlib import Path

LEADS = {"review": {"leads": True, "verify": False}}
BOTH = {"review": {"leads": True, "verify": True}}

SOURCE = """import requests


def fetch(url):
    answer = requests.get(url)
    answer.raise_for_status()
    return answer


def load(path):
    try:
        return fetch(path)
    except Exception:
        pass
"""
OWN = """[question] app.py:5 resources
> answer = requests.get(url)
How long does `fetch` wait when the host of `url` accepts and never answers?
Why: the worker hangs.
"""
DROPPED = "Dropped lead-{}: the caller of `load` counts on None.\n"


def source(root: Path) -> str:
    (root / "app.py").write_text(SOURCE)
    return (root / "app.py").as_uri()


def rules(findings: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {one["rule"]: one for one in findings if "rule" in one}


def number(task: str, rule: str) -> int:
    (line,) = [line for line in task.splitlines() if line.startswith("- lead-") and f" {rule}:" in line]
    return int(line.split()[1].removeprefix("lead-"))


async def test_leads_stand_before_the_model_has_answered(root: Path) -> None:
    uri = source(root)
    async with talking(root, Reply(text="", hang=True), options=LEADS) as (client, model):
        client.open(uri, SOURCE)
        msg_id, answer = client.begin("socreates/review", {"uri": uri, "partialResultToken": "p"})
        await until(lambda: shown(client, uri))
        pieces = [one["value"] for one in client.seen("$/progress") if one["token"] == "p"]
        assert {finding["source"] for piece in pieces for finding in piece["findings"]} == {"examiner"}
        await until(lambda: model.chats)
        task = said(model.chats[0])[0][1]
        assert "app.py:5 python-no-timeout: " in task
        assert "app.py:13 python-swallowed" in task
        client.notify("$/cancelRequest", {"id": msg_id})
        await asyncio.wait({answer}, timeout=5)
        kept = (await client.request("socreates/findings", {"uri": uri}))["findings"]
        assert "python-no-timeout" in rules(kept)


async def test_confirmed_dropped_and_unmentioned(root: Path) -> None:
    uri = source(root)

    def answer(asked: Any) -> Reply:
        task = asked.body["messages"][-1]["content"]
        return Reply(text=OWN + "\n" + DROPPED.format(number(task, "python-swallowed")))

    async with talking(root, answer, options=LEADS) as (client, _):
        client.open(uri, SOURCE)
        result = await client.request("socreates/review", {"uri": uri, "partialResultToken": "p"})
        (finding,) = result["findings"]
        assert finding["message"].startswith("How long does `fetch` wait")
        assert (finding["source"], finding["rule"]) == ("model", "python-no-timeout")
        assert result["reviewer"] == {"provider": "openai", "model": "m"}
        assert "Dropped" not in result["summary"]
        assert result["examined"][0]["rules"] > 0
        pieces = [one["value"] for one in client.seen("$/progress") if one["token"] == "p"]
        began = {one["id"]: one["rule"] for piece in pieces for one in piece.get("findings", []) if "rule" in one}
        (withdrawn,) = [one for piece in pieces for one in piece.get("withdrawn", [])]
        assert began[withdrawn] == "python-swallowed"
        assert began[finding["id"]] == "python-no-timeout", "the lead's id goes on"
        gone = (await client.request("socreates/findings", {"uri": uri, "status": "withdrawn"}))["findings"]
        assert [(one["id"], one["thread"][0]["author"]) for one in gone] == [(withdrawn, "model")]
        assert gone[0]["thread"][0]["text"] == "the caller of `load` counts on None."
        await until(lambda: shown(client, uri) == [finding["message"]])


async def test_a_lead_of_which_nothing_is_said_stays(root: Path) -> None:
    uri = source(root)
    async with talking(root, "I have nothing to ask.", options=LEADS) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        assert set(rules(result["findings"])) == {"python-no-timeout", "python-swallowed"}
        assert {one["source"] for one in result["findings"]} == {"examiner"}
        assert result["summary"].startswith("2 ")


async def test_a_model_that_fails_leaves_the_leads(root: Path) -> None:
    uri = source(root)
    async with talking(root, Reply(status=401, error="no"), options=LEADS) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        assert result["stop"] == "failed"
        assert "wants a key" in result["summary"].splitlines()[0]
        assert len(result["findings"]) == 2
    options = {**LEADS, "model": {"baseUrl": "http://127.0.0.1:9/v1"}}
    async with talking(root, options=options) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        assert (result["stop"], len(result["findings"])) == ("failed", 2)


@pytest.mark.parametrize("model", [{}, {"baseUrl": "http://127.0.0.1:9/v1"}])
async def test_standing_questions_stand_for_themselves_if_the_model_fails(root: Path, model: dict[str, str]) -> None:
    uri = source(root)
    table = [{"glob": "*.py", "question": "Does every handler check the tenant?"}]
    options = {**LEADS, "questions": table, "model": model}
    async with talking(root, Reply(status=401, error="no"), "I have nothing to ask.", options=options) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        assert result["stop"] == "failed"
        assert set(rules(result["findings"])) == {"python-no-timeout", "python-swallowed", "standing-question"}
        if not model:
            result = await client.request("socreates/review", {"uri": uri})
            assert set(rules(result["findings"])) == {"python-no-timeout", "python-swallowed"}


async def test_standing_questions_do_not_come_after_a_cancel(root: Path) -> None:
    uri = source(root)
    table = [{"glob": "*.py", "question": "Does every handler check the tenant?"}]
    async with talking(root, Reply(text="", hang=True), options={**LEADS, "questions": table}) as (client, model):
        msg_id, answer = client.begin("socreates/review", {"uri": uri})
        await until(lambda: model.chats)
        client.notify("$/cancelRequest", {"id": msg_id})
        await asyncio.wait({answer}, timeout=5)
        kept = (await client.request("socreates/findings", {"uri": uri}))["findings"]
        assert set(rules(kept)) == {"python-no-timeout", "python-swallowed"}


async def test_the_second_look_decides_on_leads_as_well(root: Path) -> None:
    uri = source(root)

    def second(asked: Any) -> Reply:
        task = asked.body["messages"][-1]["content"]
        return Reply(text=OWN + "\n" + DROPPED.format(number(task, "python-swallowed")))

    async with talking(root, OWN, second, options=BOTH) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        assert [(one["rule"], one["source"]) for one in result["findings"]] == [("python-no-timeout", "model")]
        assert result["refuted"] == 0
    async with talking(root, DROPPED.format(1) + "\nNothing else.", options=BOTH) as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert len(model.chats) == 1
        assert len(result["findings"]) == 1


async def test_leads_leave_with_what_they_were_about(root: Path) -> None:
    uri = source(root)
    async with talking(root, "Nothing.", "Nothing.", options=LEADS) as (client, _):
        client.open(uri, SOURCE)
        assert len((await client.request("socreates/review", {"uri": uri}))["findings"]) == 2
        text = SOURCE.replace("get(url)", "get(url, timeout=5)")
        change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]}
        client.notify("textDocument/didChange", change)
        (finding,) = (await client.request("socreates/review", {"uri": uri}))["findings"]
        assert finding["rule"] == "python-swallowed"
        kept = (await client.request("socreates/findings", {"uri": uri, "status": "open"}))["findings"]
        assert [one["id"] for one in kept] == [finding["id"]]


async def test_leads_take_at_most_half_of_the_places(root: Path) -> None:
    uri = source(root)
    options = {"review": {"leads": True, "verify": False, "maxFindings": 2}}
    other = OWN + "\n[question] app.py:10 naming\n> def load(path):\nIs `path` of `load` a path or a url?\n"
    async with talking(root, other, options=options) as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert said(model.chats[0])[0][1].count("- lead-") >= 1
        assert len(result["findings"]) == 2


async def test_without_a_model_the_examiner_says_all_of_it(root: Path) -> None:
    uri = source(root)
    options = {"model": {"provider": "auto", "baseUrl": None, "name": None}, **LEADS}
    async with talking(root, options=options) as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert result["reviewer"] == {"provider": "examiner", "model": None}
        assert len(result["findings"]) == 2
        assert result["examined"][0]["rules"] > 0
        assert model.chats == []


async def test_the_words_of_a_linter_reach_the_model_only(root: Path) -> None:
    (root / "app.py").write_text("def go():\n    return helper()\n")
    uri = (root / "app.py").as_uri()
    point = "[question] app.py:2 correctness\n> return helper()\nWhere does `helper` come from in `go`?\n"
    async with talking(root, point, "Nothing.", options=LEADS) as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        if "ruff-F821" in said(model.chats[0])[0][1]:  # There is a ruff on PATH.
            assert result["findings"][0]["rule"] == "ruff-F821"
        result = await client.request("socreates/review", {"uri": uri})
        assert result["findings"] == []


async def test_a_model_that_fails_behind_the_first_questions_is_told_where_nobody_waits(root: Path) -> None:
    uri = (root / "feeds.py").as_uri()
    (root / "feeds.py").write_text("import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n")
    for capabilities in ({}, {"experimental": {"socreates": {"findings": True}}}):
        failing = Reply(status=401, error="no such key")
        options = {"review": {"leads": True}}
        async with talking(root, failing, options=options, capabilities=capabilities) as (client, _):
            params = {"uri": uri, "wait": False, "workDoneToken": "t"}
            assert await client.request("socreates/review", params) == {"started": True}
            shown = await client.wait_for(lambda: client.seen("window/showMessage"))
            assert "wants a key" in shown[0]["message"]
            (end,) = [one["value"] for one in client.seen("$/progress") if one["value"]["kind"] == "end"]
            assert end["message"].startswith("1 question")
            assert "wants a key" in end["message"]
