"""``socreates/state``: what the loop writes down of turns with a model, and the labels of sources in an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.testkit.script import Reply
from tests.server.talking import QUESTION, app_py, said, talking

if TYPE_CHECKING:
    from pathlib import Path

ANSWER = """\
It is opened [repo: app.py:2] and closed nowhere [inference].

A pool does that [repo: pool.py:9], or the caller [repo: app.py:2-7]. So it is noted [memory].

Who calls it?
"""


def call(name: str, **arguments: Any) -> Reply:
    return Reply(calls=((name, arguments),))


async def test_a_turn_is_written_down(root: Path) -> None:
    app_py(root)
    script = (call("read_file", path="gone.py"), call("read_file", path="app.py"), "It is open [repo: app.py:2].")
    async with talking(root, *script, "Still.") as (client, _):
        told = await client.request("socreates/state")
        assert told["text"].startswith("Nothing yet")
        assert told["state"]["request"] == ""
        await client.request("socreates/ask", {"text": "Is it closed?"})
        told = await client.request("workspace/executeCommand", {"command": "socreates/state", "arguments": [{}]})
        assert told["state"] == {
            "request": "Is it closed?",
            "progress": ["Is it closed?: answered after 3 rounds"],
            "reports": [],
            "sources": [
                {"origin": "repo", "reference": "app.py", "detail": "lines 1-2"},
                {"origin": "repo", "reference": "app.py:2", "detail": "cited by the answer"},
            ],
            "observations": ["read_file gone.py: gone.py does not exist."],
            "filesRead": ["app.py"],
        }
        assert told["text"].startswith("Request: Is it closed?\nProgress:\n- ")
        await client.request("socreates/ask", {"text": "And now?"})
        told = (await client.request("socreates/state"))["state"]
        assert (told["request"], len(told["progress"]), len(told["sources"])) == ("And now?", 2, 2)
        await client.request("socreates/reset")
        assert (await client.request("socreates/state"))["text"].startswith("Nothing yet")


async def test_a_review_is_written_down_and_a_reply_is_no_request(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, QUESTION, "It stands.\nVerdict: stands") as (client, _):
        result = await client.request("socreates/review", {"uri": uri, "ask": "Is it closed?"})
        await client.request("socreates/reply", {"id": result["findings"][0]["id"], "text": "Why?"})
        state = (await client.request("socreates/state"))["state"]
        assert state["request"] == "Review app.py: Is it closed?"
        assert state["progress"] == ["Review app.py: Is it closed?: answered"]


async def test_labels_of_an_answer_are_checked_as_it_streams(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, ANSWER) as (client, _):
        answer = await client.request("socreates/ask", {"text": "Is it closed?", "uri": uri, "partialResultToken": "p"})
        assert answer["text"] == (
            "It is opened [repo: app.py:2] and closed nowhere [inference].\n\n"
            "A pool does that [repo: pool.py:9] (unverified), or the caller [repo: app.py:2-7] (unverified). "
            "So it is noted [memory] (unverified).\n\nWho calls it?"
        )
        streamed = "".join(one["value"]["text"] for one in client.seen("$/progress") if "text" in one["value"])
        assert streamed == answer["text"]
        state = (await client.request("socreates/state"))["state"]
        assert [(one["origin"], one["reference"]) for one in state["sources"]] == [
            ("repo", "app.py"),
            ("repo", "app.py:2"),
            ("inference", "Is it closed?"),
        ]


async def test_facts_that_are_told_are_sources_and_their_label_holds(root: Path) -> None:
    app_py(root)
    fact = {"category": "conventions", "fact": "Money is counted in cents.", "source": "the developer"}
    async with talking(root, call("remember", **fact), "Noted.", "In cents [memory].") as (client, model):
        await client.request("socreates/ask", {"text": "How is money counted?"})
        await client.request("socreates/reset")
        answer = await client.request("socreates/ask", {"text": "How is money counted here?"})
        assert answer["text"] == "In cents [memory]."
        assert "Money is counted in cents." in said(model.chats[2])[0][1]
        sources = (await client.request("socreates/state"))["state"]["sources"]
        (told,) = [one for one in sources if one["reference"] == "Money is counted in cents."]
        assert told["origin"] == "memory"
        assert told["detail"].startswith("conventions, 20")


async def test_no_code_of_a_model_is_told(root: Path) -> None:
    app_py(root)
    code = "Do so:\n\n```python\nimport os\nos.remove(path)\n```\nNothing else."
    asks = call("delegate", agent="explorer", task="Where is it?\n```python\nimport os\nos.remove(path)\n```")
    async with talking(root, asks, code, "Done?") as (client, model):
        await client.request("socreates/ask", {"text": "Is it closed?"})
        assert "os.remove" in said(model.chats[2])[-1][1], "the main agent reads the report as it is"
        told = await client.request("socreates/state")
        assert "os.remove" not in str(told)
        (report,) = told["state"]["reports"]
        assert "Do so:" in report["summary"]
        assert report["task"] == "Where is it?"


async def test_a_claim_with_its_source_is_no_question_on_a_line(root: Path) -> None:
    uri = app_py(root)
    script = (call("read_file", path="app.py"), "The function load reads the whole file [repo: app.py:2].")
    async with talking(root, *script, QUESTION) as (client, _):
        client.open(uri, (root / "app.py").read_text())
        result = await client.request("socreates/ask", {"text": "What does load do?"})
        assert result["findings"] == []
        assert "[repo: app.py:2]" in result["text"]
        result = await client.request("socreates/ask", {"text": "What may go wrong?"})
        assert len(result["findings"]) == 1
