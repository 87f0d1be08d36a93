"""What is said of a point, by text and by tool: short, without blocks of code, and what is missing is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.testkit.script import Reply
from tests.server.talking import app_py, talking
from tests.server.test_no_code_reaches import strings_of

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS = {"review": {"leads": False, "verify": False, "minConfidence": 0}}
QUOTE = "return open(path).read()"
HEAD = f"[question] app.py:2 error-handling\n> {QUOTE}\nWho closes what `open` opens in `load`? Should it be:"
BLOCK = ["with open(path) as stream:", "    data = stream.read(77)", "    return decoded_of(data)"]


def raised(question: str, why: str = "It leaks.") -> Reply:
    arguments = {"path": "app.py", "line": 2, "quote": QUOTE, "question": question, "why": why}
    return Reply(calls=(("raise_question", arguments),))


async def reviewed(root: Path, *replies: Reply | str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    uri = app_py(root)
    async with talking(root, *replies, options=OPTIONS) as (client, _):
        client.open(uri, (root / "app.py").read_text())
        result = await client.request("socreates/review", {"uri": uri})
        return result, [one for one in client.messages if one.get("method") != "window/logMessage"]


@pytest.mark.parametrize(
    "wrapped",
    [
        "\n{}\n{}\n{}\n",
        "\n> {}\n> {}\n> {}\n",
        "\n```\n{}\n{}\n{}\n```\n",
        "\n- {}\n- {}\n- {}\n",
    ],
    ids=["bare", "quotation", "fence", "list"],
)
@pytest.mark.parametrize("way", ["text", "why", "tool"])
async def test_no_block_in_a_point(root: Path, wrapped: str, way: str) -> None:
    block = wrapped.format(*BLOCK)
    if way == "text":
        replies: list[Reply | str] = [f"{HEAD}{block}\nOr what else?\n"]
    elif way == "why":
        replies = [f"{HEAD.removesuffix(' Should it be:')}\nWhy: it could be:{block}"]
    else:
        replies = [raised(f"Who closes it? Should it be:{block} Or what?", f"It could be:{block}"), "That is all."]
    result, messages = await reviewed(root, *replies)
    assert result["findings"]
    reached = " ".join(" ".join(strings_of([messages, result])).split())
    assert not [line for line in BLOCK if line.strip() in reached]


async def test_a_message_of_many_paragraphs_is_one_line(root: Path) -> None:
    result, messages = await reviewed(
        root, raised("Who closes it?\n\nAnd when?\n\n- on error\n- on success\n\nAnd who else?"), "That is all."
    )
    assert [one["message"] for one in result["findings"]] == [
        "Who closes it? And when? on error; on success And who else?"
    ]
    shown = [
        one["message"]
        for message in messages
        if message.get("method") == "textDocument/publishDiagnostics"
        for one in message["params"]["diagnostics"]
    ]
    assert shown
    assert not [one for one in shown if one.count("\n") > 1]


async def test_a_point_that_is_nothing_but_code_is_counted(root: Path) -> None:
    result, _ = await reviewed(root, raised("```\n" + "\n".join(BLOCK) + "\n```", ""), "That is all.")
    assert (result["findings"], result["withheld"]) == ([], 1)
    fence = "\n".join(["```", *BLOCK, "```"])
    result, _ = await reviewed(root, f"[question] app.py:2 resources\n> {QUOTE}\n\n{fence}\n")
    assert (result["findings"], result["withheld"]) == ([], 1)


async def test_a_line_in_backticks_corrects_a_wrong_number(root: Path) -> None:
    result, _ = await reviewed(root, f"[question] app.py:1 resources\nIn `{QUOTE}`: who closes what `open` opens?\n")
    assert [(one["range"]["start"]["line"], one["quote"]) for one in result["findings"]] == [(1, f"{QUOTE}")]
