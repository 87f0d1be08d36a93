"""The main agent delegates: who is called with which tools, what they see, what comes back, what is kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from socreates_lsp.testkit.script import Reply
from tests.server.talking import QUESTION, app_py, said, talking

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


REPORT = "The handle is opened [repo: app.py:2] and closed nowhere [inference]. A cache is in [repo: cache.py:9]."


def asks(*pairs: tuple[str, str]) -> Reply:
    """A round that delegates."""
    return Reply(calls=tuple(("delegate", {"agent": agent, "task": task}) for agent, task in pairs))


def reads(path: str = "app.py", **more: Any) -> Reply:
    return Reply(calls=(("read_file", {"path": path, **more}),))


def tools_of(chat: Mapping[str, Any]) -> list[str]:
    return [tool["function"]["name"] for tool in chat.get("tools", [])]


def system(chat: Mapping[str, Any]) -> str:
    return chat["messages"][0]["content"]


def results(chat: Mapping[str, Any]) -> list[str]:
    return [content for role, content in said(chat) if role == "tool"]


async def test_a_specialist_has_a_conversation_of_its_own_and_its_report_comes_back(root: Path) -> None:
    app_py(root)
    (root / "other.py").write_text("x = 1\n")
    script = (reads("other.py"), asks(("explorer", "Who closes it?")), reads(), REPORT, "It stays open?", "Well?")
    async with talking(root, *script) as (client, model):
        answer = await client.request("socreates/ask", {"text": "Is it closed?"})
        assert (answer["stop"], answer["text"]) == ("answered", "It stays open?")
        main, _, first, second, after = model.chats
        assert tools_of(main)[-2:] == ["delegate", "remember"]
        # The specialist: its mission, its tools, its task, and what is known; nothing of the conversation.
        assert tools_of(first) == ["list_files", "read_file", "search", "run_command"]
        assert system(first).startswith("You are the explorer of a small team")
        assert "[repo: path:line]" in system(first)
        assert "The workspace workspace: 2 files." in system(first)
        ((role, task),) = said(first)
        assert role == "user"
        assert task.startswith("Your task: Who closes it?\n\nWhat is known so far: data, and nothing in it")
        assert "\nWhat the developer wants: Is it closed?\nRead: other.py" in task
        assert second["messages"][: len(first["messages"])] == first["messages"]
        # The main agent: the report, with what was not read marked, and nothing of how it came about.
        assert said(after)[-1][1] == (
            "Report of the explorer (data; check what decides a point). It has read app.py.\n"
            "The handle is opened [repo: app.py:2] and closed nowhere [inference]. "
            "A cache is in [repo: cache.py:9] (unverified)."
        )
        assert [role for role, _ in said(after)] == ["user", "assistant", "tool", "assistant", "tool"]
        assert answer["usage"]["inputTokens"] == 5 * 11
        await client.request("socreates/ask", {"text": "And now?"})
        assert "explorer of a small team" not in json.dumps(model.chats[5])


async def test_what_a_specialist_read_was_read(root: Path) -> None:
    uri = app_py(root)
    (root / "db.py").write_text("def connect():\n    pass\n")
    script = (asks(("explorer", "See db.py.")), reads("db.py"), "Nothing is there [repo: db.py:2].", QUESTION)
    async with talking(root, *script) as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert [one["uri"].rpartition("/")[2] for one in result["examined"]] == ["app.py", "db.py"]
        assert len(result["findings"]) == 1
        assert len(model.chats) == 4
    lines = [json.loads(line) for line in (root / ".socreates" / "egress.jsonl").read_text().splitlines()]
    sent = [[one["path"] for one in line["files"]] for line in lines if line["event"] == "request"]
    assert sent == [["app.py"], [], ["db.py"], []]


async def test_its_turn_is_stored_and_no_later_request_has_it(root: Path) -> None:
    app_py(root)
    async with talking(root, asks(("explorer", "Look.")), reads(), "Nothing.", "Done?") as (client, _):
        await client.request("socreates/ask", {"text": "Is it closed?"})
    lines = [json.loads(line) for line in (root / ".socreates" / "session.json").read_text().splitlines()]
    of_explorer = [line for line in lines if line.get("kind") == "explorer"]
    assert [line["role"] for line in of_explorer] == ["user", "assistant", "tool", "assistant"]
    async with talking(root, "Again?") as (client, model):
        await client.request("socreates/ask", {"text": "And now?"})
        assert [role for role, _ in said(model.chats[0])] == ["user", "assistant", "tool", "assistant", "user"]


async def test_whoever_weighs_the_change_sees_it(root: Path) -> None:
    uri = app_py(root)
    three = asks(("explorer", "Look."), ("reviewer", "Is it all?"), ("skeptic", "Doubt it."))
    async with talking(root, three, *["Nothing."] * 3, QUESTION) as (client, model):
        await client.request("socreates/review", {"uri": uri})
        tasks = {system(chat).split()[3]: said(chat)[0][1] for chat in model.chats[1:4]}
        lines = "The lines that the developer asks about:\n\napp.py (2 lines):\n    1\tdef load(path):"
        assert {who: lines in task for who, task in tasks.items()} == {
            "explorer": False, "reviewer": True, "skeptic": True,
        }  # fmt: skip
    lines = [json.loads(line) for line in (root / ".socreates" / "egress.jsonl").read_text().splitlines()]
    sent = [[one["path"] for one in line["files"]] for line in lines if line["event"] == "request"]
    assert sorted(sent) == [[], [], ["app.py"], ["app.py"], ["app.py"]]
