"""Replies with no model: the rule is run again, tells what it knows, and keeps what the user says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.servers import scripted, settled

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bare_client import BareClient

FAULT = "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"
MENDED = FAULT.replace("(url)\n", "(url, timeout=5)\n").replace("fetch(url, timeout=5)", "fetch(url)")
RULE = "python-no-timeout"
AGAIN = "I changed it, look again."


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))


@pytest.fixture
def uri(root: Path) -> str:
    (root / "app.py").write_text(FAULT)
    return (root / "app.py").as_uri()


async def asked(client: BareClient, uri: str) -> dict[str, Any]:
    found = (await client.request("socreates/review", {"uri": uri}))["findings"]
    return next(one for one in found if one["rule"] == RULE)


async def say(client: BareClient, finding: dict[str, Any], text: str) -> dict[str, Any]:
    return await client.request("socreates/reply", {"id": finding["id"], "text": text})


def change(client: BareClient, uri: str, version: int, text: str) -> None:
    document = {"uri": uri, "version": version}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})


async def test_look_again_resolves_what_the_rule_finds_no_more(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(uri, FAULT)
        finding = await asked(client, uri)
        change(client, uri, 2, MENDED)
        answer = await say(client, finding, AGAIN)
        assert (answer["verdict"], answer["finding"]["status"]) == ("resolved", "resolved")
        assert answer["text"] == f"Looked again: {RULE} finds nothing to ask here any more."
        await settled(client)
        assert finding["id"] not in {one["data"]["id"] for one in await client.diagnostics(uri)}
        change(client, uri, 3, FAULT)
        again = await asked(client, uri)
        assert (again["id"], again["status"]) == (finding["id"], "open"), "what is there once more is asked once more"
        assert [one["author"] for one in again["thread"]] == ["user", "examiner"]


async def test_look_again_says_where_the_rule_still_asks(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(uri, FAULT)
        finding = await asked(client, uri)
        change(client, uri, 2, "# A line above.\n" + FAULT)
        answer = await say(client, finding, AGAIN)
        assert (answer["verdict"], answer["finding"]["status"]) == ("stands", "open")
        assert answer["text"] == f"Looked again: {RULE} still asks this at app.py:6."


async def test_look_again_finds_a_line_that_changed_and_did_not_mend_it(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(uri, FAULT)
        finding = await asked(client, uri)
        change(client, uri, 2, FAULT.replace("requests.get(url)", "requests.get(url + 'x')"))
        answer = await say(client, finding, "Look again")
        assert answer["verdict"] == "stands"


async def test_tell_me_more_gives_what_the_rule_knows(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        finding = await asked(client, uri)
        answer = await say(client, finding, "Tell me more.")
        assert finding["why"] in answer["text"]
        assert f"the rule {RULE}" in answer["text"]
        assert (answer["verdict"], answer["finding"]["status"]) == ("stands", "open")


async def test_a_free_reply_is_kept_and_told_how_a_model_would_answer(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        answer = await say(client, await asked(client, uri), "The proxy cuts it off.")
        assert "a model" in answer["text"]
        assert (answer["verdict"], answer["finding"]["status"]) == ("stands", "open")
        assert [one["text"] for one in answer["finding"]["thread"]] == ["The proxy cuts it off.", answer["text"]]


async def test_the_thread_in_a_hover_is_safe_markdown(root: Path, uri: str) -> None:
    markdown = {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}
    async with scripted(rootUri=root.as_uri(), capabilities=markdown) as client:
        client.open(uri, FAULT)
        await say(client, await asked(client, uri), "<img src=x> ![i](http://evil.example/i.png) [c](command:rm)")
        where = {"textDocument": {"uri": uri}, "position": {"line": 4, "character": 6}}
        shown = (await client.request("textDocument/hover", where))["contents"]["value"]
        assert "**You:**" in shown
        for harm in ("<img", "![i", "[c", "](http", "](command:"):
            assert not re.search(r"(?<!\\)" + re.escape(harm), shown)


async def test_an_intended_question_is_not_asked_again_after_a_restart(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        await say(client, await asked(client, uri), "It is intended.")
    async with scripted(rootUri=root.as_uri()) as client:
        result = await client.request("socreates/review", {"uri": uri})
        assert RULE not in {one["rule"] for one in result["findings"]}
        assert "Settled with you before, and not asked again: 1 finding." in {
            one["reason"] for one in result["skipped"]
        }
        listed = (await client.request("socreates/findings", {"status": "answered"}))["findings"]
        assert [one["rule"] for one in listed] == [RULE]


async def test_what_was_settled_by_mistake_is_restored_with_what_was_said(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(uri, FAULT)
        finding = await asked(client, uri)
        await say(client, finding, "It is intended.")
        restored = (await client.request("socreates/restore", {"id": finding["id"]}))["finding"]
        assert (restored["status"], len(restored["thread"])) == ("open", 1)
        await settled(client)
        assert finding["id"] in {one["data"]["id"] for one in await client.diagnostics(uri)}
        assert (await asked(client, uri))["id"] == finding["id"]
