"""Reviews, questions and the conversation with a scripted model, seen from the client and from the wire."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.app import App
from socreates_lsp.testkit.script import Reply
from tests.server.servers import inside, until
from tests.server.talking import PROGRESS, QUESTION, app_py, said, settings, talking

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bare_client import BareClient

READ = Reply(calls=(("read_file", {"path": "app.py"}),))


def messages(client: BareClient) -> list[str]:
    """What every progress said, in order."""
    values = [one["value"] for one in client.seen("$/progress")]
    return [value.get("message") or value.get("title") for value in values if "kind" in value]


async def test_a_review_by_a_model(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, READ, QUESTION, capabilities=PROGRESS) as (client, model):
        client.open(uri, (root / "app.py").read_text(), version=7)
        result = await client.request("socreates/review", {"uri": uri, "workDoneToken": "t"})
        (finding,) = result["findings"]
        assert finding["message"] == "Who closes what `open` opens in `load` when `read` raises?"
        assert finding["why"] == "the descriptor stays open until the collector comes."
        assert (finding["kind"], finding["category"], finding["source"]) == ("question", "error-handling", "model")
        assert finding["range"] == {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 28}}
        assert finding["quote"] == "return open(path).read()"
        assert (result["stop"], result["rounds"]) == ("answered", 2)
        assert result["usage"] == {"inputTokens": 22, "cachedTokens": 0, "outputTokens": 10, "costUsd": 0.0}
        assert result["reviewer"] == {"provider": "openai", "model": "m"}
        assert [one["uri"] for one in result["examined"]] == [uri]
        assert "1 question: m read 2 lines of 1 file in 2 rounds." in result["summary"]
        (diagnostic,) = await client.diagnostics(uri, 7)
        assert diagnostic["data"] == {"id": finding["id"]}
        told = messages(client)
        assert told[0] == "Socreates reads app.py"
        assert told[-1] == "1 question"
        hover = await client.request(
            "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 6}}
        )
        assert "Who closes" in json.dumps(hover)
        assert [tool["function"]["name"] for tool in model.chats[0]["tools"]] == [
            "list_files", "read_file", "search", "run_command", "raise_question", "ask_user", "delegate",
            "remember",
        ]  # fmt: skip


@pytest.mark.parametrize("wire", ["openai", "ollama"])
async def test_the_conversation_goes_on_over_both_wires(root: Path, wire: str) -> None:
    uri = app_py(root)
    async with talking(root, READ, QUESTION, "Nobody does. Who should?", wire=wire) as (client, model):
        await client.request("socreates/review", {"uri": uri})
        answer = await client.request("socreates/ask", {"text": "So who closes it?"})
        assert answer["text"] == "Nobody does. Who should?"
        assert (answer["stop"], answer["findings"]) == ("answered", [])
        first, second, third = model.chats
        assert second["messages"][: len(first["messages"])] == first["messages"]
        assert third["messages"][: len(second["messages"])] == second["messages"]
        assert [role for role, _ in said(third)] == ["user", "assistant", "tool", "assistant", "user"]
        assert first["tools"] == third["tools"]


async def test_a_model_that_fails_leaves_no_trace_in_the_next_request(root: Path) -> None:
    # A server that fails on a message without content is asked once more with an empty one, so it fails twice.
    boom = Reply(status=500, error="boom")
    broken = [[READ, Reply(text="Wh", cut=True)], [READ, boom, boom], [Reply(status=401, error="no key")]]
    for failures in broken:
        async with talking(root, "First?", *failures, "Third?") as (client, model):
            app_py(root)
            await client.request("socreates/ask", {"text": "one"})
            answer = await client.answer_to("socreates/ask", {"text": "two"})
            assert answer.get("error", {}).get("code") == -32803, answer
            assert "Traceback" not in answer["error"]["message"]
            await client.request("socreates/ask", {"text": "three"})
            assert [content for _, content in said(model.chats[-1])][:2] == [said(model.chats[0])[0][1], "First?"]
            assert len(said(model.chats[-1])) == 3
            assert "two" not in json.dumps(said(model.chats[-1]))
            await client.request("socreates/reset", {"purge": True})


async def test_an_answer_comes_in_pieces_to_whoever_wants_them(root: Path) -> None:
    long = "Because the file is read twice, and the second reader sees what the first one left behind.\n\n" * 6
    async with talking(root, Reply(text="Let me look.", calls=READ.calls), long) as (client, _):
        app_py(root)
        answer = await client.request("socreates/ask", {"text": "why?", "partialResultToken": "p"})
        pieces = [one["value"]["text"] for one in client.seen("$/progress") if one["token"] == "p"]
        assert len(pieces) > 3
        assert "".join(pieces) == answer["text"]
        assert answer["text"].strip() == long.strip()


async def test_a_short_answer_comes_in_one_piece(root: Path) -> None:
    async with talking(root, "No.") as (client, _):
        answer = await client.request("socreates/ask", {"text": "why?", "partialResultToken": "p"})
        pieces = [one["value"]["text"] for one in client.seen("$/progress") if one["token"] == "p"]
        assert (pieces, answer["text"]) == (["No."], "No.")


async def test_without_a_model_the_answer_says_how_to_add_one(root: Path) -> None:
    async with inside(App) as client:
        await client.initialize(rootUri=root.as_uri(), initializationOptions={"model": {"provider": "examiner"}})
        answer = await client.request("socreates/ask", {"text": "why?"})
        assert "model.provider" in answer["text"]
        assert answer["stop"] == "answered"
        preview = await client.request("socreates/preview", {})
        assert (preview["endpoint"], preview["files"]) == (None, [])


async def test_without_waiting_the_answer_comes_as_a_message(root: Path) -> None:
    async with talking(root, Reply(text="Nobody. Who should?", prompt_tokens=1000)) as (client, _):
        assert await client.request("socreates/ask", {"text": "who?", "wait": False}) == {"started": True}
        shown = await client.wait_for(lambda: client.seen("window/showMessage"))
        assert shown[0]["message"] == "Nobody. Who should?"


async def test_a_preview_sends_nothing(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, QUESTION) as (client, model):
        preview = await client.request("socreates/preview", {"uri": uri})
        assert model.chats == []
        assert preview["endpoint"].startswith("http://127.0.0.1:")
        assert preview["model"] == "m"
        assert [one["uri"] for one in preview["files"]] == [uri]
        assert preview["files"][0]["ranges"][0]["end"]["line"] == 1
        assert preview["estimatedTokens"] > 300
        await client.request("socreates/review", {"uri": uri})
        assert len(model.chats) == 1


async def test_a_reset_archives_and_starts_anew(root: Path) -> None:
    async with talking(root, "One?", "Two?", "Three?") as (client, model):
        await client.request("socreates/ask", {"text": "first"})
        name = (await client.request("socreates/reset"))["archived"]
        assert (root / ".socreates" / name).is_file()
        await client.request("socreates/ask", {"text": "second"})
        assert len(said(model.chats[-1])) == 1
        assert (await client.request("socreates/reset", {"purge": True}))["archived"] is None
        assert list((root / ".socreates").glob("session*.json")) == []
        await client.request("socreates/ask", {"text": "third"})
        assert len(said(model.chats[-1])) == 1
        answer = await client.answer_to("socreates/reset", {"purge": "yes"})
        assert answer["error"]["code"] == -32602


async def test_the_next_server_goes_on_where_this_one_was(root: Path) -> None:
    async with talking(root, READ, "One?") as (client, model):
        app_py(root)
        await client.request("socreates/ask", {"text": "first"})
        before = model.chats[-1]["messages"][1:]
    async with talking(root, "Two?") as (client, model):
        await client.request("socreates/ask", {"text": "second"})
        after = model.chats[-1]["messages"][1:]
        assert after[: len(before)] == before
        assert [role for role, _ in said(model.chats[-1])][-2:] == ["assistant", "user"]
        status = await client.request("socreates/status")
        assert status["session"]["turns"] == 2


async def test_the_status_tells_who_answers_and_how_findings_were_grounded(root: Path) -> None:
    uri = app_py(root)
    lost = "[question] app.py:1 design\n> nothing like this stands there\nWhy so?\n"
    async with talking(root, QUESTION + "\n" + lost) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        assert result["ungrounded"] == 1
        assert "Without a line in the code: Why so?" in result["summary"]
        status = await client.request("socreates/status")
        assert status["reviewer"]["provider"] == "openai"
        assert status["reviewer"]["model"] == "m"
        assert status["endpoint"].startswith("http://127.0.0.1:")
        assert status["grounding"] == {"exact": 1, "moved": 0, "refiled": 0, "byLine": 0, "ungrounded": 1}
        assert status["usage"]["inputTokens"] == 11
        assert status["session"]["file"].endswith("session.json")


async def test_a_cancel_closes_the_connection_at_once(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, Reply(text="Wh", hang=True)) as (client, model):
        msg_id, answer = client.begin("socreates/review", {"uri": uri})
        await until(lambda: model.chats)
        await asyncio.sleep(0.05)
        client.notify("$/cancelRequest", {"id": msg_id})
        assert (await asyncio.wait_for(answer, 5))["error"]["code"] == -32800
        assert await asyncio.to_thread(model.left.wait, 2)


async def test_a_cancel_of_the_progress_answers_with_what_there_is(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, Reply(text="Wh", hang=True), "Next?", capabilities=PROGRESS) as (client, model):
        _, answer = client.begin("socreates/review", {"uri": uri, "workDoneToken": "t"})
        await until(lambda: model.chats)
        client.notify("window/workDoneProgress/cancel", {"token": "t"})
        result = (await asyncio.wait_for(answer, 5))["result"]
        assert (result["stop"], result["findings"]) == ("cancelled", [])
        await client.request("socreates/ask", {"text": "next"})
        assert len(said(model.chats[-1])) == 1


async def test_the_last_round_has_to_answer_and_says_so_on_the_wire(root: Path) -> None:
    app_py(root)
    options = {"review": {"maxSteps": 3}}
    async with talking(root, READ, READ, QUESTION, options=options) as (client, model):
        result = await client.request("socreates/review", {"uri": app_py(root)})
        assert (result["stop"], result["rounds"]) == ("step-limit", 3)
        assert len(result["findings"]) == 1
        assert [chat.get("tool_choice") for chat in model.chats] == [None, None, "none"]
        assert model.chats[2]["tools"] == model.chats[0]["tools"]
        assert "One more round" in said(model.chats[1])[-1][1]
        assert "Answer now" in said(model.chats[2])[-1][1]


async def test_limits_of_a_review_and_of_the_day(root: Path) -> None:
    heavy = Reply(calls=READ.calls, prompt_tokens=4000)
    async with talking(root, heavy, "never", options={"limits": {"reviewTokens": 5000}}) as (client, model):
        result = await client.request("socreates/review", {"uri": app_py(root)})
        assert result["stop"] == "limit"
        assert "limits.reviewTokens" in result["summary"]
        assert len(model.chats) == 1
    async with talking(root, "never", options={"limits": {"dayTokens": 1}}) as (client, model):
        result = await client.request("socreates/review", {"uri": app_py(root)})
        assert result["stop"] == "limit"
        assert "limits.dayTokens" in result["summary"]
        assert model.chats == []


async def test_comments_and_the_cap_hold_for_what_a_model_asks(root: Path) -> None:
    path = root / "app.py"
    path.write_text(
        "def load(path):\n    return open(path).read()  # socreates: ignore[error-handling] known\nx = 1\ny = 2\n"
    )
    more = "[question] app.py:{} design\n> {}\nWhy `{}`?\n\n"
    answer = QUESTION + "\n" + more.format(3, "x = 1", "x") + more.format(4, "y = 2", "y")
    async with talking(root, answer, options={"review": {"maxFindings": 1}}) as (client, _):
        result = await client.request("socreates/review", {"uri": path.as_uri()})
        assert [finding["quote"] for finding in result["findings"]] == ["x = 1"]
        assert (result["suppressed"], result["capped"]) == (1, 1)


async def test_a_second_review_replaces_what_it_does_not_find_again(root: Path) -> None:
    uri = app_py(root)
    other = "[question] app.py:1 naming\n> def load(path):\nWhat is loaded?\n"
    async with talking(root, QUESTION, other, Reply(status=500, error="boom"), other) as (client, model):
        client.open(uri, (root / "app.py").read_text())
        first = (await client.request("socreates/review", {"uri": uri}))["findings"]
        assert "These stand already" not in said(model.chats[0])[-1][1]
        second = (await client.request("socreates/review", {"uri": uri}))["findings"]
        assert "app.py:2 Who closes" in said(model.chats[1])[-1][1]
        standing = (await client.request("socreates/findings", {"uri": uri}))["findings"]
        assert [one["id"] for one in standing] == [one["id"] for one in second] != [one["id"] for one in first]
        assert "error" in await client.answer_to("socreates/review", {"uri": uri})
        assert (await client.request("socreates/findings", {"uri": uri}))["findings"] == standing


async def test_the_users_own_question_goes_along_with_a_review(root: Path) -> None:
    async with talking(root, QUESTION) as (client, model):
        await client.request("socreates/review", {"uri": app_py(root), "ask": "Is it safe with threads?"})
        assert "Is it safe with threads?" in said(model.chats[0])[-1][1]


async def test_a_buffer_is_what_the_model_reads(root: Path) -> None:
    uri = app_py(root)
    async with talking(
        root, Reply(calls=(("read_file", {"path": "app.py"}), ("search", {"pattern": "unsaved"}))), "?"
    ) as (
        client,
        model,
    ):
        client.open(uri, "unsaved = 1\n")
        await client.request("socreates/ask", {"text": "what stands there?"})
        results = [content for role, content in said(model.chats[-1]) if role == "tool"]
        assert all("unsaved = 1" in content for content in results)


async def test_files_that_may_not_be_read_are_read_by_nothing(root: Path) -> None:
    (root / ".env").write_text("SECRET=hunter2\n")
    calls = (("read_file", {"path": ".env"}), ("search", {"pattern": "hunter"}), ("list_files", {}))
    async with talking(root, Reply(calls=calls), "?") as (client, model):
        await client.request("socreates/ask", {"text": "what is the secret?"})
        assert "hunter2" not in json.dumps(model.chats)
        refused = await client.answer_to("socreates/review", {"uri": (root / ".env").as_uri()})
        assert "policy.readDeny" in refused["error"]["message"]


async def test_a_model_without_tools_gets_them_through_text(root: Path) -> None:
    app_py(root)
    refusal = Reply(status=400, error="m does not support tools")
    call = json.dumps({"name": "read_file", "arguments": {"path": "app.py"}})
    async with talking(root, refusal, call, QUESTION, "Next?", wire="ollama") as (client, model):
        result = await client.request("socreates/review", {"uri": app_py(root)})
        assert len(result["findings"]) == 1
        assert "tools" not in model.chats[1]
        assert "read_file" in model.chats[1]["messages"][0]["content"]
        assert model.chats[2]["messages"][-1]["role"] == "user"
        assert "open(path).read()" in model.chats[2]["messages"][-1]["content"]
        await client.request("socreates/ask", {"text": "next"})
        assert "tools" not in model.chats[3]


async def test_auto_takes_a_local_ollama_and_says_what_it_passed_over(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = {"far:cloud": {"remote_host": "https://ollama.com"}, "near": {"context": 16_384}}
    async with talking(root, QUESTION, models=models) as (client, model):
        monkeypatch.setenv("OLLAMA_HOST", model.url.removeprefix("http://"))
        client.notify("workspace/didChangeConfiguration", {"settings": {"socreates": {"model": {"provider": "auto"}}}})
        async with inside(App) as other:
            plain = {"review": {"leads": False, "verify": False}}
            await other.initialize(rootUri=root.as_uri(), initializationOptions=plain)
            status = await other.request("socreates/status")
            assert status["reviewer"]["model"] == "near"
            assert [one["model"] for one in status["skipped"]] == ["far:cloud"]
            result = await other.request("socreates/review", {"uri": app_py(root)})
            assert result["reviewer"] == {"provider": "ollama", "model": "near"}
            (chat,) = model.chats
            assert chat["options"]["num_ctx"] <= 16_384
            assert "keep_alive" in chat


async def test_the_next_model_answers_when_the_first_one_does_not(root: Path) -> None:
    async with talking(root, Reply(status=500, error="boom"), QUESTION, options={"model": {"fallback": ["spare"]}}) as (
        client,
        model,
    ):
        result = await client.request("socreates/review", {"uri": app_py(root)})
        assert result["reviewer"]["model"] == "spare"
        assert [chat["model"] for chat in model.chats] == ["m", "spare"]


async def test_no_key_is_written_anywhere(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    # Who is not the user can name no variable without a prompt, and this client answers none.
    monkeypatch.setenv("SOCREATES_MODEL__API_KEY_ENV", "MY_KEY")
    for reply in (QUESTION, Reply(status=401, error="wrong key sk-very-secret")):
        async with talking(root, reply) as (client, model):
            client.notify(
                "workspace/didChangeConfiguration",
                {"settings": {"socreates": settings(model, model={"apiKeyEnv": "MY_KEY"})}},
            )
            await client.answer_to("socreates/review", {"uri": app_py(root)})
            chats = [one for one in model.asked if one.path.endswith("completions")]
            assert "sk-very-secret" not in json.dumps([dict(one.body) for one in chats])
            assert "sk-very-secret" not in json.dumps(client.messages)
            assert "sk-very-secret" not in json.dumps(await client.request("socreates/status"))
    for file in (root / ".socreates").iterdir():
        assert "sk-very-secret" not in file.read_text()


@pytest.mark.parametrize("purge", [False, True])
async def test_a_turn_that_runs_while_the_conversation_begins_anew_does_not_enter_it(root: Path, purge: bool) -> None:
    async with talking(root, "Old?", Reply(text="Late?", delay_s=0.3), "New?") as (client, model):
        await client.request("socreates/ask", {"text": "old"})
        _, late = client.begin("socreates/ask", {"text": "late"})
        await until(lambda: len(model.chats) == 2)
        await client.request("socreates/reset", {"purge": purge})
        assert (await late)["result"]["text"] == "Late?"
        await client.request("socreates/ask", {"text": "new"})
        assert [role for role, _ in said(model.chats[2])] == ["user"]
    async with talking(root, "Next?") as (client, model):
        await client.request("socreates/ask", {"text": "next"})
        assert [content for _, content in said(model.chats[0])][1:2] == ["New?"]


@pytest.mark.parametrize(
    ("reply", "options", "stop", "words"),
    [
        (Reply(text="It is cut", finish="length"), {}, "truncated", "cut at its greatest length"),
        (Reply(text="never"), {"limits": {"reviewTokens": 1}}, "limit", "limits.reviewTokens"),
        (Reply(text="never"), {"limits": {"dayTokens": 1}}, "limit", "limits.dayTokens"),
        (Reply(text="So", hang=True), {"limits": {"reviewSeconds": 0.3}}, "limit", "limits.reviewSeconds"),
    ],
)
async def test_an_answer_that_is_not_whole_says_why(
    root: Path, reply: Reply, options: dict[str, object], stop: str, words: str
) -> None:
    async with talking(root, reply, options=options) as (client, _):
        answer = await client.request("socreates/ask", {"text": "why?", "partialResultToken": "p"})
        assert answer["stop"] == stop
        assert words in answer["text"]
        pieces = [one["value"]["text"] for one in client.seen("$/progress") if one["token"] == "p"]
        assert "".join(pieces) == answer["text"]


async def test_an_answer_that_the_server_withholds_is_a_failure(root: Path) -> None:
    async with talking(root, Reply(text="ok and", finish="content_filter")) as (client, _):
        answer = await client.answer_to("socreates/ask", {"text": "why?"})
        assert answer["error"]["code"] == -32803
        assert "withheld" in answer["error"]["message"]


async def test_a_cancelled_question_says_so_and_its_progress_ends(root: Path) -> None:
    async with talking(root, Reply(text="", hang=True), capabilities=PROGRESS) as (client, model):
        _, answer = client.begin("socreates/ask", {"text": "why?", "workDoneToken": "t"})
        await until(lambda: model.chats)
        client.notify("window/workDoneProgress/cancel", {"token": "t"})
        result = (await asyncio.wait_for(answer, 5))["result"]
        assert (result["stop"], result["text"]) == ("cancelled", "Cancelled.")
        assert messages(client)[-1] == "Cancelled."


async def test_a_prompt_that_the_server_cut_is_told_with_the_answer(root: Path) -> None:
    async with talking(root, Reply(text="So?", prompt_tokens=3)) as (client, _):
        answer = await client.request("socreates/ask", {"text": "why?"})
        assert "read only 3 tokens" in answer["skipped"][0]["reason"]


async def test_many_questions_on_one_line_are_one_finding_and_the_rest_is_counted(root: Path) -> None:
    uri = app_py(root)
    words = ["who", "when", "where", "how long is it until he", "at which moment she", "for whom anybody", "by what it"]
    point = "[question] app.py:2 design\n> return open(path).read()\nTell {} reads `path`?\n"
    async with talking(root, "\n".join(point.format(word) for word in words)) as (client, _):
        result = await client.request("socreates/review", {"uri": uri})
        (finding,) = result["findings"]
        assert finding["message"] == "Tell who reads `path`?"
        assert "Tell when reads `path`?" in finding["why"]
        assert result["capped"] == 4


async def test_a_small_context_takes_a_round_of_long_results(root: Path) -> None:
    for name in ("a.py", "b.py", "c.py"):
        (root / name).write_text("value = 1\n" * 400)
    calls = Reply(calls=tuple(("read_file", {"path": name}) for name in ("a.py", "b.py", "c.py")), prompt_tokens=None)
    async with talking(root, calls, calls, Reply(text="So?", prompt_tokens=None), models={"m": {"context": 2800}}) as (
        client,
        _,
    ):
        assert (await client.request("socreates/ask", {"text": "why?"}))["text"] == "So?"
