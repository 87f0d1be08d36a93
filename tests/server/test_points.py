"""Points on their way to the editor: raised by the tool, written in the answer, shown while it is being written."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from socreates_lsp.testkit.script import Reply
from tests.server.servers import until
from tests.server.talking import QUESTION, app_py, said, talking

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bare_client import BareClient

POINT = {
    "path": "app.py",
    "line": 2,
    "quote": "return open(path).read()",
    "kind": "question",
    "category": "error-handling",
    "question": "Who closes what `open` opens in `load` when `read` raises?",
    "why": "The descriptor stays open.",
}


def raising(*points: dict[str, Any], **more: Any) -> Reply:
    return Reply(calls=tuple(("raise_question", {**POINT, **point}) for point in points), **more)


def results(chat: Any) -> list[str]:
    return [content for role, content in said(chat) if role == "tool"]


def shown(client: BareClient, uri: str) -> list[str]:
    published = [one for one in client.seen("textDocument/publishDiagnostics") if one["uri"] == uri]
    return [one["message"] for one in published[-1]["diagnostics"]] if published else []


async def test_a_point_raised_by_the_tool_is_a_finding(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, raising({}), "I asked what matters most.") as (client, model):
        client.open(uri, (root / "app.py").read_text())
        result = await client.request("socreates/review", {"uri": uri})
        (finding,) = result["findings"]
        assert (finding["message"], finding["why"]) == (POINT["question"], POINT["why"])
        assert (finding["kind"], finding["category"]) == ("question", "error-handling")
        assert finding["range"]["start"] == {"line": 1, "character": 4}
        assert results(model.chats[1]) == ["Noted at app.py:2."]
        assert "I asked what matters most." in result["summary"]


async def test_it_stands_in_the_editor_while_the_model_goes_on(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, raising({}), Reply(text="", hang=True)) as (client, _):
        client.open(uri, (root / "app.py").read_text())
        msg_id, answer = client.begin("socreates/review", {"uri": uri, "partialResultToken": "p"})
        await until(lambda: shown(client, uri))
        pieces = [one["value"] for one in client.seen("$/progress") if one["token"] == "p"]
        assert [finding["message"] for piece in pieces for finding in piece["findings"]] == [POINT["question"]]
        assert not answer.done()
        client.notify("$/cancelRequest", {"id": msg_id})
        await asyncio.wait_for(answer, 5)
        assert len((await client.request("socreates/findings", {"uri": uri}))["findings"]) == 1


async def test_a_wrong_line_is_put_right_and_the_model_is_told(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, raising({"line": 1}), "Done.") as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert result["findings"][0]["range"]["start"]["line"] == 1
        assert results(model.chats[1]) == ["Noted at app.py:2, where the line stands."]
        status = await client.request("socreates/status")
        assert status["grounding"]["moved"] == 1


async def test_an_invented_line_is_told_once_with_those_that_come_nearest(root: Path) -> None:
    uri = app_py(root)
    invented = {"quote": "return open(path).readlines()"}
    async with talking(root, raising(invented), raising({}), "Done.") as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        (told,) = results(model.chats[1])
        assert "does not stand in app.py" in told
        assert "2\treturn open(path).read()" in told
        assert len(result["findings"]) == 1
        assert result["ungrounded"] == 0
    async with talking(root, raising(invented), "Done.") as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert result["findings"] == []
        assert result["ungrounded"] == 1
        assert f"Without a line in the code: {POINT['question']}" in result["summary"]


async def test_what_is_raised_and_written_is_one_finding(root: Path) -> None:
    uri = app_py(root)
    other = "\n[question] app.py:1 naming\n> def load(path):\nWhat does `load` load?\n"
    async with talking(root, raising({}), QUESTION + other) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        assert sorted(one["category"] for one in result["findings"]) == ["error-handling", "naming"]


async def test_two_questions_on_one_line_are_both_kept(root: Path) -> None:
    uri = app_py(root)
    second = {"question": "What is returned for a path that names a folder?"}
    async with talking(root, raising({}, second), "Done.") as (client, _):
        (finding,) = (await client.request("socreates/review", {"uri": uri}))["findings"]
        assert finding["message"] == POINT["question"]
        assert second["question"] in finding["why"]


async def test_odd_calls_are_answered_in_a_sentence(root: Path) -> None:
    uri = app_py(root)
    calls = [
        ("raise_question", {**POINT, "path": "gone.py"}),
        ("raise_question", {**POINT, "question": "  "}),
        ("raise_question", {**POINT, "line": "two"}),
        ("raise_question", {"path": "app.py"}),
    ]
    async with talking(root, Reply(calls=tuple(calls)), "Done.") as (client, model):
        assert (await client.request("socreates/review", {"uri": uri}))["findings"] == []
        gone, empty, word, bare = results(model.chats[1])
        assert "There is no file gone.py" in gone
        assert "question is empty" in empty
        assert "line of raise_question must be a whole number" in word
        assert "needs the argument line" in bare


async def test_the_first_point_shows_long_before_the_answer_is_over(root: Path) -> None:
    lines = [f"value{number} = {number}" for number in range(12)]
    (root / "app.py").write_text("\n".join(lines) + "\n")
    uri = (root / "app.py").as_uri()
    answer = "\n".join(
        f"[question] app.py:{number + 1} design\n> {line}\nWho reads `value{number}`?\nWhy: it may be stale.\n"
        for number, line in enumerate(lines)
    )
    async with talking(root, Reply(text=answer, piece=20, latency_s=0.02)) as (client, _):
        client.open(uri, (root / "app.py").read_text())
        _, future = client.begin("socreates/review", {"uri": uri})
        await until(lambda: shown(client, uri))
        first = len(shown(client, uri))
        assert not future.done()
        assert first < 6
        result = (await asyncio.wait_for(future, 20))["result"]
        assert [one["message"] for one in result["findings"]] == [f"Who reads `value{n}`?" for n in range(12)]


async def test_a_review_that_breaks_off_keeps_what_was_shown(root: Path) -> None:
    uri = app_py(root)
    second = "\n[question] app.py:1 naming\n> def load(path):\nWhat does it"
    async with talking(root, Reply(text=QUESTION + second, piece=10, cut=True)) as (client, _):
        client.open(uri, (root / "app.py").read_text())
        result = await client.request("socreates/review", {"uri": uri})
        assert result["stop"] == "failed"
        assert "broke off" in result["summary"]
        assert [one["category"] for one in result["findings"]] == ["error-handling"]
        assert len(shown(client, uri)) == 1


async def test_typing_while_the_answer_is_written_moves_what_is_shown(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, Reply(text=QUESTION + "\nMore to come.\n", hang=True)) as (client, _):
        client.open(uri, (root / "app.py").read_text())
        msg_id, answer = client.begin("socreates/review", {"uri": uri})
        await until(lambda: shown(client, uri))
        change = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "\n\n"}
        client.notify(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]}
        )
        (diagnostic,) = await client.diagnostics(uri, 2)
        assert diagnostic["range"]["start"]["line"] == 3
        client.notify("$/cancelRequest", {"id": msg_id})
        await asyncio.wait_for(answer, 5)


async def test_a_small_context_has_room_for_the_four_tools_only(root: Path) -> None:
    async with talking(root, "Hm?", models={"m": {"context": 4096}}) as (client, model):
        await client.request("socreates/review", {"uri": app_py(root)})
        assert "raise_question" not in [tool["function"]["name"] for tool in model.chats[0]["tools"]]


async def test_no_code_of_the_model_reaches_the_reader(root: Path) -> None:
    uri = app_py(root)
    fence = "```python\nwith open(path) as file:\n    return file.read()\n```"
    answer = (
        f"{QUESTION.replace('Why:', fence + chr(10) + 'Why:')}\nI would write it so:\n\n{fence}\n\nThink of `open`.\n"
    )
    async with talking(root, answer, f"Like this:\n\n{fence}\n\nWhy not?") as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert result["withheld"] == 2
        asked = await client.request("socreates/ask", {"text": "how?", "partialResultToken": "p"})
        assert "Why not?" in asked["text"]
        assert "with open" in model.chats[1]["messages"][-2]["content"], "the model sees what it said"
    reached = [message for message in client.messages if message.get("method") != "window/logMessage"]
    assert "with open" not in str(reached)
    assert "Who closes what `open` opens" in result["findings"][0]["message"]
    assert "Think of `open`." in result["summary"]


async def test_a_point_of_nothing_but_code_is_asked_for_in_words(root: Path) -> None:
    uri = app_py(root)
    code = {"question": "```python\nreturn pathlib.Path(path).read_text()\n```"}
    async with talking(root, raising(code), raising({}), "Done.") as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert "ask it in words" in results(model.chats[1])[0]
        assert [one["message"] for one in result["findings"]] == [POINT["question"]]


async def test_a_point_that_would_fit_any_file_is_not_shown_but_counted(root: Path) -> None:
    uri = app_py(root)
    generic = (
        "[question] app.py:2 error-handling\n> return open(path).read()\nHave you considered adding error handling?\n"
    )
    async with talking(
        root, generic + "\n" + generic.replace("adding error handling", "edge cases or a unit test")
    ) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        assert (result["findings"], result["capped"]) == ([], 2)
        assert "Left out as too general or too unsure: 2 points." in result["summary"]


async def test_a_point_that_names_the_function_around_it_is_shown(root: Path) -> None:
    (root / "app.py").write_text("def parse(text):\n    value = int(text, 16)\n    return value\n")
    uri = (root / "app.py").as_uri()
    named = "[question] app.py:2 design\n> value = int(text, 16)\nWhat does `parse` do with a leading minus?\n"
    async with talking(root, named) as (client, _):
        (finding,) = (await client.request("socreates/review", {"uri": uri}))["findings"]
        assert finding["confidence"] == 0.8


async def test_a_right_quotation_puts_any_wrong_line_right(root: Path) -> None:
    lines = [f"value_{number} = read({number})" for number in range(60)]
    (root / "app.py").write_text("\n".join(lines) + "\n")
    uri = (root / "app.py").as_uri()
    wrong = [14342, 0, 61, 1, 30]
    answer = "\n".join(
        f"[question] app.py:{line} design\n> {lines[at]}\nWho reads `value_{at}`?\n"
        for line, at in zip(wrong, (5, 17, 29, 41, 53), strict=True)
    )
    async with talking(root, answer) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        assert [one["range"]["start"]["line"] for one in result["findings"]] == [5, 17, 29, 41, 53]
        assert result["ungrounded"] == 0


async def test_a_later_review_asks_in_its_own_words_and_a_second_question_of_it_joins(root: Path) -> None:
    uri = app_py(root)
    other = QUESTION.replace(
        "Who closes what `open` opens in `load` when `read` raises?", "Is `path` of `load` trusted?"
    )
    second = QUESTION.replace("Who closes what", "When does anybody close what")
    async with talking(root, QUESTION, other, other + "\n" + second) as (client, _):
        for begins in ("Who closes", "Is `path`", "Is `path`"):
            (finding,) = (await client.request("socreates/review", {"uri": uri}))["findings"]
            assert finding["message"].startswith(begins)
        assert finding["why"].count("collector") == 2
        assert "When does anybody close" in finding["why"]
