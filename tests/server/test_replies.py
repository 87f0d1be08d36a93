"""Replies about a finding from outside, with a scripted model: the answer, its verdict, the thread, what is kept."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.testkit.script import Reply
from tests.server.servers import settled, until
from tests.server.talking import PROGRESS, QUESTION, app_py, talking

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bare_client import BareClient

CLAIM = "The interpreter closes it."
STANDS = "Does it, when `read` raises at app.py:2?\n\nVerdict: stands"
WITHDRAWN = "You are right: nothing keeps it.\n\n**Verdict: withdrawn**"


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def uri(root: Path) -> str:
    return app_py(root)


async def found(client: BareClient, uri: str) -> dict[str, Any]:
    """The one finding of a review."""
    (finding,) = (await client.request("socreates/review", {"uri": uri}))["findings"]
    return finding


async def say(client: BareClient, finding: dict[str, Any], text: str, **more: Any) -> dict[str, Any]:
    return await client.request("socreates/reply", {"id": finding["id"], "text": text, **more})


async def listed(client: BareClient) -> list[dict[str, Any]]:
    return (await client.request("socreates/findings"))["findings"]


def kept(root: Path) -> list[dict[str, Any]]:
    return json.loads((root / ".socreates" / "threads.json").read_text("utf-8"))["threads"]


def words(finding: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["author"], one["text"]) for one in finding["thread"]]


async def test_a_reply_is_answered_in_the_thread_and_stands(root: Path, uri: str) -> None:
    async with talking(root, QUESTION, STANDS) as (client, model):
        client.open(uri, (root / "app.py").read_text())
        finding = await found(client, uri)
        answer = await say(client, finding, CLAIM)
        assert set(answer) == {"text", "verdict", "finding"}
        assert (answer["text"].strip(), answer["verdict"]) == ("Does it, when `read` raises at app.py:2?", "stands")
        assert answer["finding"]["status"] == "open"
        assert words(answer["finding"]) == [("user", CLAIM), ("model", answer["text"])]
        assert all(one["at"].startswith("20") for one in answer["finding"]["thread"])
        await settled(client)
        assert [one["data"]["id"] for one in await client.diagnostics(uri)] == [finding["id"]]
        asked = model.chats[-1]["messages"]
        assert len(asked) == 2, "beside the conversation"
        for part in (CLAIM, finding["message"], finding["quote"].strip(), finding["why"], "app.py:2", "def load(path)"):
            assert part in asked[1]["content"]
        assert {one["function"]["name"] for one in model.chats[-1]["tools"]} == {"list_files", "read_file", "search"}


async def test_a_withdrawn_finding_leaves_the_editor(root: Path, uri: str) -> None:
    async with talking(root, QUESTION, WITHDRAWN, QUESTION) as (client, _):
        client.open(uri, (root / "app.py").read_text())
        answer = await say(client, await found(client, uri), CLAIM)
        assert (answer["verdict"], answer["finding"]["status"]) == ("withdrawn", "withdrawn")
        await settled(client)
        assert await client.diagnostics(uri) == []
        again = await client.request("socreates/review", {"uri": uri})
        assert again["findings"] == []
        assert any("Settled with you before" in one["reason"] for one in again["skipped"])
        await settled(client)
        assert await client.diagnostics(uri) == []


async def test_the_thread_so_far_is_told_to_the_model(root: Path, uri: str) -> None:
    async with talking(root, QUESTION, STANDS, WITHDRAWN) as (client, model):
        finding = await found(client, uri)
        await say(client, finding, CLAIM)
        answer = await say(client, finding, "And nobody else holds it.")
        asked = model.chats[-1]["messages"][1]["content"]
        assert asked.index(CLAIM) < asked.index("Does it, when") < asked.index("And nobody else holds it.")
        assert [author for author, _ in words(answer["finding"])] == ["user", "model", "user", "model"]


@pytest.mark.parametrize("piece", [1, 2, 3, 5, 7])
async def test_the_verdict_is_never_seen_in_the_middle_of_a_stream(root: Path, uri: str, piece: int) -> None:
    prose = "Is it so that nobody keeps the file at app.py:2, also when the caller holds the traceback?\n\n" * 5
    async with talking(root, QUESTION, Reply(f"{prose}\n\n**Verdict:** withdrawn.", piece=piece)) as (client, _):
        finding = await found(client, uri)
        answer = await say(client, finding, CLAIM, partialResultToken="p")
        pieces = [one["value"]["text"] for one in client.seen("$/progress") if one["token"] == "p"]
        assert len(pieces) > 1
        assert "".join(pieces) == answer["text"]
        assert "erdict" not in answer["text"]
        assert "withdrawn" not in answer["text"]
        assert answer["verdict"] == "withdrawn"


async def test_code_that_the_model_wrote_is_not_said(root: Path, uri: str) -> None:
    code = "Do it so:\n\n```python\nwith open(path) as file:\n    return file.read()\n```\n\nVerdict: stands"
    async with talking(root, QUESTION, code) as (client, _):
        answer = await say(client, await found(client, uri), CLAIM)
        assert "with open" not in json.dumps(answer["finding"]["thread"]) + answer["text"]


async def test_threads_and_statuses_come_back_after_a_restart(root: Path, uri: str) -> None:
    async with talking(root, QUESTION, WITHDRAWN) as (client, _):
        first = await say(client, await found(client, uri), CLAIM)
    (entry,) = kept(root)
    assert (entry["id"], entry["path"], entry["status"]) == (first["finding"]["id"], "app.py", "withdrawn")
    (root / "app.py").write_text("import os\n\n\n" + (root / "app.py").read_text())
    async with talking(root, QUESTION.replace("app.py:2", "app.py:5")) as (client, _):
        client.open(uri, (root / "app.py").read_text())
        assert (await client.request("socreates/review", {"uri": uri}))["findings"] == []
        (again,) = await listed(client)
        assert (again["id"], again["status"]) == (first["finding"]["id"], "withdrawn")
        assert words(again) == words(first["finding"])
        assert again["range"]["start"]["line"] == 4


async def test_threads_of_others_are_shown_and_silence_nothing(root: Path, uri: str, own_state: Path) -> None:
    async with talking(root, QUESTION, WITHDRAWN) as (client, _):
        await say(client, await found(client, uri), CLAIM)
    for file in own_state.rglob("own-threads.json"):
        file.unlink()
    async with talking(root, QUESTION, STANDS) as (client, model):
        finding = await found(client, uri)
        assert finding["status"] == "open"
        assert {author for author, _ in words(finding)} == {"other"}
        answer = await say(client, finding, "What of it?")
        assert answer["finding"]["status"] == "open"
        assert "Somebody else (not the developer) said:" in model.chats[-1]["messages"][1]["content"]


async def test_a_hostile_file_of_threads_breaks_nothing(root: Path, uri: str) -> None:
    hostile = [
        {"id": "x"},
        {"id": "y", "path": "app.py", "category": "error-handling", "quote": "return open(path).read()", "message": "m"}
        | {"status": "dismissed", "thread": [{"author": "user", "text": "<b>" * 9, "at": 1}, 7], "anchors": [7, {}]},
        {"id": "z", "path": "../up.py", "category": "error-handling", "quote": "return open(path).read()"}
        | {"status": "answered", "thread": "no", "anchors": {"path": "/etc/passwd"}},
    ]
    (root / ".socreates").mkdir()
    (root / ".socreates" / "threads.json").write_text(json.dumps({"version": 1, "threads": hostile}))
    async with talking(root, QUESTION) as (client, _):
        assert (await found(client, uri))["status"] == "open"


async def test_a_cancelled_reply_keeps_the_words_of_the_user_and_no_answer(root: Path, uri: str) -> None:
    async with talking(root, QUESTION, Reply("Does it", hang=True), STANDS) as (client, model):
        finding = await found(client, uri)
        msg_id, pending = client.begin("socreates/reply", {"id": finding["id"], "text": CLAIM})
        await until(lambda: len(model.chats) == 2)
        client.notify("$/cancelRequest", {"id": msg_id})
        assert (await asyncio.wait_for(pending, 5))["error"]["code"] == -32800
        (now,) = await listed(client)
        assert words(now) == [("user", CLAIM)]
        assert words({"thread": kept(root)[0]["thread"]}) == [("user", CLAIM)]
        assert (await say(client, finding, "Again."))["verdict"] == "stands"


async def test_a_model_that_fails_is_told_in_one_sentence_and_the_words_stay(root: Path, uri: str) -> None:
    async with talking(root, QUESTION, Reply(status=500, error="no")) as (client, _):
        finding = await found(client, uri)
        error = (await client.answer_to("socreates/reply", {"id": finding["id"], "text": CLAIM}))["error"]
        assert error["code"] == -32803
        assert "\n" not in error["message"]
        (now,) = await listed(client)
        assert (now["status"], words(now)) == ("open", [("user", CLAIM)])


async def test_a_second_reply_while_the_first_is_answered_gets_one_sentence(root: Path, uri: str) -> None:
    async with talking(root, QUESTION, Reply("Does it", hang=True)) as (client, model):
        finding = await found(client, uri)
        msg_id, pending = client.begin("socreates/reply", {"id": finding["id"], "text": CLAIM})
        await until(lambda: len(model.chats) == 2)
        error = (await client.answer_to("socreates/reply", {"id": finding["id"], "text": "Well?"}))["error"]
        assert (error["code"], "on its way" in error["message"]) == (-32803, True)
        client.notify("$/cancelRequest", {"id": msg_id})
        await pending


@pytest.mark.parametrize(
    ("params", "word"),
    [({"id": "0123456789abcdef", "text": "No."}, "0123456789abcdef"), ({"text": "No."}, "id"), ({"id": "x"}, "text")],
)
async def test_what_is_missing_is_told_in_one_sentence(root: Path, params: Any, word: str) -> None:
    async with talking(root) as (client, _):
        error = (await client.answer_to("socreates/reply", params))["error"]
        assert (error["code"], word in error["message"], "\n" in error["message"]) == (-32602, True, False)


async def test_a_finding_whose_file_is_gone_is_told_in_one_sentence(root: Path, uri: str) -> None:
    async with talking(root, QUESTION) as (client, _):
        finding = await found(client, uri)
        (root / "app.py").unlink()
        error = (await client.answer_to("socreates/reply", {"id": finding["id"], "text": CLAIM}))["error"]
        assert (error["code"], "app.py is gone" in error["message"]) == (-32803, True)


async def test_a_stale_finding_is_judged_by_its_lines_as_they_are_now(root: Path, uri: str) -> None:
    async with talking(root, QUESTION, "It is closed now at app.py:2.\n\nVerdict: resolved") as (client, model):
        client.open(uri, (root / "app.py").read_text())
        finding = await found(client, uri)
        change = {"text": "def load(path):\n    with open(path) as file:\n        return file.read()\n"}
        client.notify(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]}
        )
        answer = await say(client, finding, "I changed it, look again.")
        assert (answer["verdict"], answer["finding"]["status"]) == ("resolved", "resolved")
        asked = model.chats[-1]["messages"][1]["content"]
        assert "changed or deleted since" in asked
        assert "with open(path) as file" in asked


async def test_it_is_intended_needs_no_model(root: Path, uri: str) -> None:
    async with talking(root, QUESTION) as (client, model):
        client.open(uri, (root / "app.py").read_text())
        finding = await found(client, uri)
        answer = await say(client, finding, "It is intended.")
        assert len(model.chats) == 1
        assert (answer["verdict"], answer["finding"]["status"]) == ("stands", "answered")
        assert words(answer["finding"]) == [("user", "It is intended.")]
        await settled(client)
        assert await client.diagnostics(uri) == []
        assert [one["status"] for one in await listed(client)] == ["answered"]


async def test_without_waiting_the_answer_stands_in_the_hover_and_in_one_message(root: Path, uri: str) -> None:
    long = "Where does the handle go? " * 20 + "\n\nVerdict: stands"
    async with talking(root, QUESTION, long, capabilities=PROGRESS) as (client, _):
        client.open(uri, (root / "app.py").read_text())
        finding = await found(client, uri)
        assert await say(client, finding, "Tell me more.", wait=False) == {"started": True}
        (message,) = await client.wait_for(lambda: client.seen("window/showMessage"))
        assert message["message"].startswith("Where does the handle go?")
        assert len(message["message"]) <= 300
        assert "erdict" not in message["message"]
        where = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 6}}
        shown = (await client.request("textDocument/hover", where))["contents"]["value"]
        assert "You: Tell me more." in shown
        assert "The model: Where does the handle go?" in shown
        ends = [one["value"] for one in client.seen("$/progress") if one["value"].get("kind") == "end"]
        assert ends[-1]["message"] == "Answered: it stands."


async def test_a_reply_that_is_cancelled_by_its_progress_answers_with_the_finding_as_it_is(
    root: Path, uri: str
) -> None:
    async with talking(root, QUESTION, Reply("Does it", hang=True)) as (client, model):
        finding = await found(client, uri)
        params = {"id": finding["id"], "text": CLAIM, "workDoneToken": "w"}
        _, pending = client.begin("socreates/reply", params)
        await until(lambda: len(model.chats) == 2)
        client.notify("window/workDoneProgress/cancel", {"token": "w"})
        answer = (await asyncio.wait_for(pending, 5))["result"]
        assert (answer["verdict"], answer["finding"]["status"]) == ("stands", "open")
        assert words(answer["finding"]) == [("user", CLAIM)]


async def test_the_model_may_read_before_it_answers(root: Path, uri: str) -> None:
    (root / "close.py").write_text("def closing(file):\n    file.close()\n")
    look = Reply("Let me see. Verdict: resolved", calls=(("read_file", {"path": "close.py"}),))
    async with talking(root, QUESTION, look, "Who calls `closing` at close.py:1?\nVerdict: stands") as (client, model):
        answer = await say(client, await found(client, uri), "close.py takes care.")
        assert "file.close()" in model.chats[-1]["messages"][-1]["content"]
        assert answer["verdict"] == "stands"
        assert "erdict" not in answer["text"]
        assert "close.py:1" in answer["text"]


async def test_an_empty_answer_is_no_answer(root: Path, uri: str) -> None:
    async with talking(root, QUESTION, "") as (client, _):
        finding = await found(client, uri)
        answer = await client.answer_to("socreates/reply", {"id": finding["id"], "text": CLAIM})
        assert answer["error"]["code"] == -32803
        assert words((await listed(client))[0]) == [("user", CLAIM)]


async def test_a_reply_stays_out_of_the_conversation(root: Path, uri: str) -> None:
    async with talking(root, QUESTION, STANDS, QUESTION) as (client, model):
        await say(client, await found(client, uri), CLAIM)
        await client.request("socreates/review", {"uri": uri})
        assert CLAIM not in json.dumps(model.chats[-1]["messages"])


async def test_a_dismissed_finding_is_restored_before_it_is_talked_about(root: Path, uri: str) -> None:
    async with talking(root, QUESTION, WITHDRAWN) as (client, _):
        finding = await found(client, uri)
        await client.request("socreates/dismiss", {"id": finding["id"]})
        error = (await client.answer_to("socreates/reply", {"id": finding["id"], "text": CLAIM}))["error"]
        assert (error["code"], "restore it first" in error["message"]) == (-32803, True)


async def test_clients_of_ours_are_told_what_changed(root: Path, uri: str) -> None:
    capabilities = {"experimental": {"socreates": {"findings": True}}}
    async with talking(root, QUESTION, WITHDRAWN, capabilities=capabilities) as (client, _):
        client.open(uri, (root / "app.py").read_text())
        answer = await say(client, await found(client, uri), CLAIM, wait=True)
        await settled(client)
        (told,) = client.seen("socreates/didChangeFindings")[-1]["findings"]
        assert told == answer["finding"]
        assert client.seen("window/showMessage") == []


@pytest.mark.parametrize(
    ("verdict", "status"), [("stands", "open"), ("withdrawn", "withdrawn"), ("resolved", "resolved")]
)
async def test_an_answer_that_is_only_its_verdict_holds_no_code(
    root: Path, uri: str, verdict: str, status: str
) -> None:
    async with talking(root, QUESTION, f"Verdict: {verdict}") as (client, _):
        client.open(uri, (root / "app.py").read_text())
        result = await say(client, await found(client, uri), CLAIM)
        assert (result["verdict"], result["finding"]["status"]) == (verdict, status)
        assert verdict in result["text"]
        assert "code" not in result["text"]
        assert words(result["finding"])[-1] == ("model", result["text"])
