"""A model that runs in circles, one that asks the user, and what the reader gets of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.testkit.script import Reply
from tests.server.talking import QUESTION, app_py, said, talking

if TYPE_CHECKING:
    from pathlib import Path

    from socreates_lsp.testkit.script import Asked

POINT = {
    "path": "app.py", "line": 2, "quote": "return open(path).read()", "kind": "question", "category": "resources",
    "question": "Who closes what `open` opens in `load`?",
}  # fmt: skip


def calls(name: str, **arguments: Any) -> Reply:
    return Reply(calls=((name, arguments),))


async def test_a_review_in_circles_ends_and_keeps_its_findings(root: Path) -> None:
    uri = app_py(root)
    guess = calls("read_file", path="app/missing.py")
    async with talking(root, calls("raise_question", **POINT), *[guess] * 9) as (client, model):
        result = await client.request("socreates/review", {"uri": uri}, seconds=60)
        assert result["stop"] == "looping"
        assert [one["message"] for one in result["findings"]] == [POINT["question"]]
        assert result["summary"].startswith(
            "It went in circles and was ended: the same call of read_file had the same result 4 times. "
            "Tried: read_file app/missing.py (4 times, always the same result); raise_question app.py. "
            "Missing: app/missing.py does not exist."
        )
        assert len(model.chats) == 5
        results = [content for role, content in said(model.chats[4]) if role == "tool"]
        assert ["before" in one for one in results] == [False, False, True, False]
        assert "third time" in results[3]


async def test_a_question_in_circles_ends_and_enters_no_history(root: Path) -> None:
    app_py(root)
    loop = [calls("list_files", depth=1), calls("search", pattern="nowhere")] * 4
    async with talking(root, *loop[:7], "And now?") as (client, model):
        result = await client.request("socreates/ask", {"text": "Where is it?"})
        assert result["stop"] == "looping"
        assert "went in circles" in result["text"]
        result = await client.request("socreates/ask", {"text": "Again."})
        assert result["stop"] == "answered"
        assert len([role for role, _ in said(model.chats[-1]) if role == "user"]) == 1


async def test_calls_that_are_none_end_it(root: Path) -> None:
    app_py(root)
    bad = [Reply(calls=(("search", text),)) for text in ("{", '{"x": 1', "nope", "[", "{{")]
    async with talking(root, *bad) as (client, model):
        result = await client.request("socreates/ask", {"text": "Where is it?"})
        assert result["stop"] == "looping"
        assert "4 rounds in a row held no call that could be carried out" in result["text"]
        assert len(model.chats) == 4


async def test_a_loop_of_the_first_look_shows_what_stands_unverified(root: Path) -> None:
    uri = app_py(root)
    guess = calls("read_file", path="gone.py")
    options = {"review": {"verify": True}}
    async with talking(root, calls("raise_question", **POINT), *[guess] * 4, QUESTION, options=options) as (
        client,
        model,
    ):
        result = await client.request("socreates/review", {"uri": uri})
        assert result["stop"] == "looping"
        assert len(result["findings"]) == 1
        assert "Unverified: 1 point" in result["summary"]
        assert len(model.chats) == 5


async def test_the_model_asks_the_user_and_reads_the_answer(root: Path) -> None:
    uri = app_py(root)
    asks = calls("ask_user", question="May `load` be called twice?", options=["Yes", "No"])
    seen: list[str] = []

    def ends(asked: Asked) -> Reply:
        seen.append(said(asked.body)[-1][1])
        return Reply(text=QUESTION)

    async with talking(root, asks, ends, asks, ends) as (client, model):
        client.answers["window/showMessageRequest"] = {"title": "No"}
        result = await client.request("socreates/review", {"uri": uri})
        assert (result["stop"], len(result["findings"])) == ("answered", 1)
        shown = client.seen("window/showMessageRequest")[0]
        assert shown["message"].endswith("\nMay `load` be called twice?")
        assert [one["title"] for one in shown["actions"]] == ["Yes", "No"]
        client.answers["window/showMessageRequest"] = None
        await client.request("socreates/review", {"uri": uri})
        assert seen[0] == "The developer answers: No"
        assert "gave no answer" in seen[1]
        names = [tool["function"]["name"] for tool in model.chats[0]["tools"]]
        assert names[-4:] == ["raise_question", "ask_user", "delegate", "remember"]


async def test_a_client_that_takes_words_is_asked_for_them(root: Path) -> None:
    app_py(root)
    seen: list[str] = []

    def ends(asked: Asked) -> Reply:
        seen.append(said(asked.body)[-1][1])
        return Reply(text="So be it?")

    capabilities = {"experimental": {"socreates": {"input": True}}}
    asks = calls("ask_user", question="What is it for?")
    async with talking(root, asks, ends, capabilities=capabilities) as (client, _):
        client.answers["socreates/input"] = {"text": "For the night run."}
        await client.request("socreates/ask", {"text": "Well?"})
        assert seen == ["The developer answers: For the night run."]
        assert client.seen("socreates/input")[0]["prompt"].endswith("\nWhat is it for?")
        assert client.seen("window/showMessageRequest") == []


async def test_replies_and_second_looks_cannot_ask(root: Path) -> None:
    uri = app_py(root)
    options = {"review": {"verify": True}}
    async with talking(root, QUESTION, QUESTION, "It stands.\nVerdict: stands", options=options) as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        await client.request("socreates/reply", {"id": result["findings"][0]["id"], "text": "Why?"})
        names = [[tool["function"]["name"] for tool in chat.get("tools", [])] for chat in model.chats]
        assert ["ask_user" in one for one in names] == [True, False, False]
