"""What was not read: told with the result, and gone on with by ``ask: "unread"``."""

from __future__ import annotations

import subprocess
import threading
from typing import TYPE_CHECKING, Any

from socreates_lsp.testkit.script import Reply
from tests.server.servers import until
from tests.server.talking import said, talking

if TYPE_CHECKING:
    from pathlib import Path

    from socreates_lsp.testkit.script import Asked

SMALL = {"model": {"contextTokens": 9000}}
LONG = "".join(f"value_{number} = compute({number})  # the {number}th of them\n" for number in range(1, 901))


def point(line: int) -> str:
    quote = f"value_{line} = compute({line})  # the {line}th of them"
    return f"[question] app.py:{line} correctness\n> {quote}\nWhat is `value_{line}` if `compute` fails?\n"


def spans(entries: list[dict[str, Any]], uri: str) -> list[tuple[int, int]]:
    return [
        (one["start"]["line"], one["end"]["line"])
        for entry in entries
        if entry["uri"] == uri
        for one in entry["ranges"]
    ]


def numbers(task: str) -> list[int]:
    """The lines of a task that carry a number."""
    heads = (line.partition("\t")[0].lstrip(" +") for line in task.splitlines() if "\t" in line)
    return [int(head) for head in heads if head.isdigit()]


async def test_a_long_file_is_read_piece_by_piece(root: Path) -> None:
    (root / "app.py").write_text(LONG)
    uri = (root / "app.py").as_uri()
    async with talking(root, *[point(1)] * 40, options=SMALL) as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        ((_, last),) = spans(result["examined"], uri)
        ((first, end),) = spans(result["unread"], uri)
        assert (first, end) == (last + 1, 899)
        assert f"Not read: {899 - last} lines of 1 file." in result["summary"]
        seen = set(numbers(said(model.chats[0])[0][1]))
        rounds = 1
        while result["unread"]:
            result = await client.request("socreates/review", {"uri": uri, "ask": "unread"})
            task = said(model.chats[-1])[-1][1]
            assert "what the last review did not read" in task
            assert "unread" not in task
            new = set(numbers(task.partition("app.py (900 lines)")[2]))
            assert new
            assert new.isdisjoint(seen)
            seen |= new
            rounds += 1
        assert seen == set(range(1, 901))
        assert rounds > 2
        before = len(model.chats)
        result = await client.request("socreates/review", {"uri": uri, "ask": "unread"})
        assert (result["stop"], result["rounds"], len(model.chats)) == ("answered", 0, before)
        assert "read in the last review" in result["summary"]
        kept = (await client.request("socreates/findings", {"uri": uri}))["findings"]
        assert len(kept) == 1, "what was found before stays"


async def test_an_edit_leaves_the_rest_read(root: Path) -> None:
    text = LONG[: LONG.index("value_101 ")]
    (root / "app.py").write_text(text)
    uri = (root / "app.py").as_uri()
    async with talking(root, "Nothing.", "Nothing.", options={"model": {"contextTokens": 32_000}}) as (client, model):
        client.open(uri, text)
        assert (await client.request("socreates/review", {"uri": uri}))["unread"] == []
        edited = f"import os\n{text}".replace("compute(50)", "compute(51)")
        change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": edited}]}
        client.notify("textDocument/didChange", change)
        result = await client.request("socreates/review", {"uri": uri, "ask": "unread"})
        assert spans(result["examined"], uri) == [(0, 0), (50, 50)]
        assert numbers(said(model.chats[-1])[-1][1]) == [1, 51]


async def test_an_edit_during_the_review_is_told_of_and_read_next(root: Path) -> None:
    """What was read is where it is by now, and the line that was edited meanwhile was not."""
    text = LONG[: LONG.index("value_41 ")]
    (root / "app.py").write_text(text)
    uri = (root / "app.py").as_uri()
    asked, may_answer = threading.Event(), threading.Event()

    def while_edited(_: Asked) -> Reply:
        asked.set()
        assert may_answer.wait(60)
        return Reply(text="Nothing.")

    options = {"model": {"contextTokens": 32_000}}
    async with talking(root, while_edited, "Nothing.", options=options) as (client, model):
        client.open(uri, text)
        _, review = client.begin("socreates/review", {"uri": uri})
        await until(asked.is_set)
        edits = [
            {"range": {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}, "text": put}
            for line, put in ((19, "# "), (0, "import os\n"))
        ]
        client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": edits})
        await client.request("socreates/status")
        may_answer.set()
        result = (await review)["result"]
        assert spans(result["examined"], uri) == [(1, 19), (21, 40)]
        assert spans(result["unread"], uri) == [(0, 0), (20, 20)]
        result = await client.request("socreates/review", {"uri": uri, "ask": "unread"})
        assert spans(result["examined"], uri) == [(0, 0), (20, 20)]
        assert numbers(said(model.chats[-1])[-1][1]) == [1, 21]


async def test_the_rest_of_a_file_after_a_selection(root: Path) -> None:
    (root / "app.py").write_text("def one():\n    return 1\n\n\n" + "x = 1\n" * 600)
    uri = (root / "app.py").as_uri()
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 12}}
    async with talking(root, "Nothing.", "Nothing.", options={"model": {"contextTokens": 64_000}}) as (client, _):
        result = await client.request("socreates/review", {"uri": uri, "range": span})
        assert result["unread"] == []
        result = await client.request("socreates/review", {"uri": uri, "ask": "unread"})
        assert spans(result["examined"], uri) == [(4, 603)]


async def test_without_a_review_before_it_is_a_review(root: Path) -> None:
    (root / "app.py").write_text(LONG[:200])
    uri = (root / "app.py").as_uri()
    async with talking(root, "Nothing.") as (client, model):
        result = await client.request("socreates/review", {"uri": uri, "ask": "unread"})
        assert result["stop"] == "answered"
        task = said(model.chats[0])[0][1]
        assert "did not read" not in task
        assert "unread" not in task


async def test_what_was_left_out_comes_first(root: Path) -> None:
    (root / "app.py").write_text(LONG[: LONG.index("value_31 ")])
    uri = (root / "app.py").as_uri()
    options = {"review": {"verify": True, "leads": False}, "model": {"contextTokens": 32_000}}
    replies = (point(3) + "\n" + point(9), point(3), point(9), point(9), "Nothing.")
    async with talking(root, *replies, options=options) as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert (result["refuted"], result["unread"]) == (1, [])
        here = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        ask = {"textDocument": {"uri": uri}, "range": here, "context": {"diagnostics": []}}
        titles = [one["title"] for one in await client.request("textDocument/codeAction", ask)]
        assert "Socreates: review what was not read" in titles
        result = await client.request("socreates/review", {"uri": uri, "ask": "unread"})
        task = said(model.chats[2])[-1][1]
        assert "left these out" in task
        assert "What is `value_9` if" in task
        assert "What is `value_3` if" not in task.partition("These stand already")[0]
        assert [one["range"]["start"]["line"] for one in result["findings"]] == [8]
        result = await client.request("socreates/review", {"uri": uri, "ask": "unread"})
        assert result["rounds"] == 0, "nothing is left"


def git(root: Path, *args: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *args], cwd=root, check=True, capture_output=True
    )


async def test_a_second_review_of_changes_looks_first_at_what_changed_since(root: Path) -> None:
    git(root, "init", "-q")
    for name in ("a.py", "b.py"):
        (root / name).write_text("".join(f"{name[0]}_{number} = {number}\n" for number in range(60)))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    for name in ("a.py", "b.py"):
        (root / name).write_text((root / name).read_text().replace("_7 = 7", "_7 = 8"))
    async with talking(root, *["Nothing."] * 4, options={"model": {"contextTokens": 32_000}}) as (client, model):
        result = await client.request("socreates/review", {"scope": "changes"})
        assert result["unread"] == []
        (root / "b.py").write_text((root / "b.py").read_text().replace("b_50 = 50", "b_50 = 51"))
        await client.request("socreates/review", {"scope": "changes"})
        task = said(model.chats[1])[-1][1]
        fresh, _, known = task.partition("was read in the last review already")
        assert "b_50 = 51" in fresh
        assert "_7 = 8" not in fresh
        assert known.count("_7 = 8") == 2
        (root / "a.py").write_text((root / "a.py").read_text().replace("a_30 = 30", "a_30 = 31"))
        result = await client.request("socreates/review", {"scope": "changes", "ask": "unread"})
        task = said(model.chats[2])[-1][1]
        assert "a_30 = 31" in task
        assert "_7 = 8" not in task
        assert "b_50" not in task
        assert spans(result["examined"], (root / "a.py").as_uri()) == [(27, 33)]


async def test_hunks_that_found_no_room_are_told_and_read_next(root: Path) -> None:
    git(root, "init", "-q")
    names = [f"file_{number}.py" for number in range(6)]
    for name in names:
        (root / name).write_text("")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    for name in names:
        (root / name).write_text("".join(f"{name[:-3]}_{number} = compute({number})\n" for number in range(120)))
    async with talking(root, *["Nothing."] * 30, options=SMALL) as (client, _):
        result = await client.request("socreates/review", {"scope": "changes"})
        assert result["unread"]
        count = 1
        while result["unread"]:
            result = await client.request("socreates/review", {"scope": "changes", "ask": "unread"})
            count += 1
            assert count < 30
        assert count > 1


async def test_a_code_action_goes_on(root: Path) -> None:
    (root / "app.py").write_text(LONG)
    uri = (root / "app.py").as_uri()
    here = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    ask = {"textDocument": {"uri": uri}, "range": here, "context": {"diagnostics": [], "triggerKind": 1}}
    async with talking(root, "Nothing.", *["Nothing."] * 40, options=SMALL) as (client, _):
        client.open(uri, LONG)

        async def actions(**context: Any) -> list[dict[str, Any]]:
            found = await client.request("textDocument/codeAction", {**ask, "context": {**ask["context"], **context}})
            return [one for one in found if "not read" in one["title"]]

        assert await actions() == []
        await client.request("socreates/review", {"uri": uri})
        (action,) = await actions()
        assert "edit" not in action
        assert await actions(triggerKind=2) == []
        assert await actions(only=["refactor"]) == []
        command = action.get("command") if isinstance(action.get("command"), dict) else action
        (given,) = command["arguments"]
        assert (given["ask"], given["uri"], given["wait"]) == ("unread", uri, False)
        result: dict[str, Any] = {"unread": [1]}
        while result["unread"]:
            result = await client.request("socreates/review", {**given, "wait": True})
        assert await actions() == []
