"""Two looks: the reader sees what the second one chooses, and the first one's best where there was none."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from socreates_lsp.testkit.script import Reply
from tests.server.servers import until
from tests.server.talking import QUESTION, app_py, said, talking
from tests.server.test_points import raising, results, shown

if TYPE_CHECKING:
    from pathlib import Path

VERIFY = {"review": {"verify": True, "leads": False}}

NAMING = "\n[question] app.py:1 naming\n> def load(path):\nWhat does `load` load, and who calls it with `path`?\n"
EDGE = "\n[question] app.py:2 correctness\n> return open(path).read()\nWhat does `open(path)` do for a folder?\n"
CHOSEN = """[warning] app.py:2 resources
> return open(path).read()
The file that `open` opens in `load` stays open when `read` raises.
Why: descriptors run out.
"""


async def test_the_reader_sees_what_the_second_look_chooses(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, QUESTION + NAMING, CHOSEN, "An answer.", options=VERIFY) as (client, model):
        client.open(uri, (root / "app.py").read_text())
        result = await client.request("socreates/review", {"uri": uri})
        (finding,) = result["findings"]
        assert finding["message"] == "The file that `open` opens in `load` stays open when `read` raises."
        assert (finding["kind"], finding["category"]) == ("warning", "resources")
        assert (result["refuted"], result["rounds"], result["stop"]) == (1, 2, "answered")
        assert [one["stage"] for one in result["usage"]["stages"]] == ["review", "verify"]
        for name in ("inputTokens", "outputTokens"):
            parts = [one[name] for one in result["usage"]["stages"]]
            assert min(parts) > 0
            assert sum(parts) == result["usage"][name]
        first, second = model.chats
        assert "first of two looks" in said(first)[0][1]
        ((_, task),) = said(second)
        assert "second look" in task
        assert "What does `load` load" in task
        assert "    2\t    return open(path).read()" in task
        # Only the first one may ask the user, and delegate.
        assert [tool["function"]["name"] for tool in first["tools"]][-3:] == ["ask_user", "delegate", "remember"]
        kept = [tool for tool in first["tools"] if tool["function"]["name"] not in {"ask_user", "delegate"}]
        assert second["tools"] == kept
        # The second look stands beside the conversation: what comes next sees the first one only.
        await client.request("socreates/ask", {"text": "And now?"})
        assert [role for role, _ in said(model.chats[2])] == ["user", "assistant", "user"]
        assert QUESTION.splitlines()[2] in said(model.chats[2])[1][1]


async def test_nothing_of_the_first_look_is_shown_meanwhile(root: Path) -> None:
    uri = app_py(root)
    replies = (raising({}), QUESTION + NAMING, Reply(text="", hang=True))
    async with talking(root, *replies, options=VERIFY) as (client, model):
        client.open(uri, (root / "app.py").read_text())
        msg_id, answer = client.begin("socreates/review", {"uri": uri})
        await until(lambda: len(model.chats) == 3)
        assert results(model.chats[1]) == ["Noted at app.py:2."]
        assert shown(client, uri) == []
        client.notify("$/cancelRequest", {"id": msg_id})
        await asyncio.wait({answer}, timeout=5)
        assert (await client.request("socreates/findings"))["findings"] == []


async def test_the_second_answer_streams(root: Path) -> None:
    uri = app_py(root)
    long = CHOSEN + NAMING + "\nAnd so on. " * 200
    replies = (QUESTION, Reply(text=long, piece=40, latency_s=0.01))
    async with talking(root, *replies, options=VERIFY) as (client, _):
        client.open(uri, (root / "app.py").read_text())
        _, answer = client.begin("socreates/review", {"uri": uri})
        await until(lambda: shown(client, uri))
        assert not answer.done()
        await asyncio.wait_for(answer, 30)


async def test_the_second_look_reads_with_the_same_tools(root: Path) -> None:
    uri = app_py(root)
    (root / "caller.py").write_text("from app import load\n\nload('x')\n")
    reading = Reply(calls=(("read_file", {"path": "caller.py"}),))
    found = "[question] caller.py:3 correctness\n> load('x')\nWhat is `load('x')` for where there is no x?\n"
    async with talking(root, QUESTION, reading, found, options=VERIFY) as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert [one["uri"] for one in result["findings"]] == [(root / "caller.py").as_uri()]
        assert "load('x')" in said(model.chats[2])[-1][1]
        assert result["refuted"] == 1
        assert (root / "caller.py").as_uri() in [one["uri"] for one in result["examined"]]


async def test_without_a_second_look_the_best_candidates_are_shown_and_marked(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, QUESTION + NAMING, Reply(status=401, error="no"), options=VERIFY) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        assert [one["category"] for one in result["findings"]] == ["error-handling", "naming"]
        assert all("Not verified" in one["why"] for one in result["findings"])
        assert result["stop"] == "failed"
        assert result["refuted"] == 0
        assert "wants a key" in result["summary"].splitlines()[0]
        assert "Unverified: 2 points" in result["summary"]


async def test_a_failure_in_the_middle_keeps_what_was_chosen(root: Path) -> None:
    uri = app_py(root)
    broken = Reply(text=CHOSEN + "\n[question] app.py:1 naming\n", piece=10, cut=True)
    async with talking(root, QUESTION + NAMING, broken, options=VERIFY) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        assert [(one["category"], "Not verified" in one["why"]) for one in result["findings"]] == [
            ("resources", False),
            ("naming", True),
        ]
        assert result["stop"] == "failed"


async def test_nothing_found_takes_no_second_look(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, "I looked at `load` and have nothing to ask.", options=VERIFY) as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert (result["findings"], result["stop"], len(model.chats)) == ([], "answered", 1)
        assert "nothing to ask" in result["summary"]


async def test_both_looks_together_take_no_more_rounds_than_the_limit(root: Path) -> None:
    uri = app_py(root)

    def always(_: Any) -> Reply:
        return Reply(text=QUESTION, calls=(("list_files", {}),))

    for steps in (1, 2, 3, 5):
        options = {"review": {"verify": True, "leads": False, "maxSteps": steps}}
        async with talking(root, *[always] * 20, options=options) as (client, model):
            result = await client.request("socreates/review", {"uri": uri})
            assert len(model.chats) == steps == result["rounds"]
            assert result["stop"] == "step-limit"
            assert len(result["findings"]) == 1


async def test_time_and_tokens_are_for_both(root: Path) -> None:
    uri = app_py(root)
    options = {**VERIFY, "limits": {"reviewSeconds": 1.0}}
    async with talking(root, QUESTION, Reply(text="", hang=True), options=options) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        assert result["stop"] == "limit"
        assert "reviewSeconds" in result["summary"]
        assert "Not verified" in result["findings"][0]["why"]
    options = {**VERIFY, "limits": {"reviewTokens": 3000}}
    async with talking(root, Reply(text=QUESTION, prompt_tokens=2900), CHOSEN, options=options) as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert (result["stop"], len(model.chats)) == ("limit", 1)
        assert "reviewTokens" in result["summary"]


async def test_the_transcript_keeps_what_was_refuted(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, QUESTION + NAMING, CHOSEN, options=VERIFY) as (client, _):
        await client.request("socreates/review", {"uri": uri})
    kept = "".join(file.read_text() for file in (root / ".socreates").rglob("*") if file.is_file())
    assert "What does `load` load" in kept
    assert '"kind":"verify"' in kept.replace(" ", "")
    async with talking(root, "Still here.") as (client, model):
        await client.request("socreates/ask", {"text": "And now?"})
        assert [role for role, _ in said(model.chats[0])] == ["user", "assistant", "user"]
