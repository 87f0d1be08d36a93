"""Every case of the wires from outside: a server that is fed those bytes answers, retries, reports or runs tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from socreates_lsp.testkit.script import Reply
from tests.server.talking import talking

CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "cases" / "wire.jsonl").read_text().splitlines()]

WORDS = {
    "interrupted": "broke off",
    "server": "",
    "rate-limit": "many requests",
    "context": "fit",
    "auth": "key",
    "model": "model",
}
"""What the sentence of each kind of failure has in it."""


def fed(case: dict[str, Any], **more: Any) -> Reply:
    """The bytes of a case."""
    headers = {"Content-Type": "text/event-stream"} | case["headers"]
    return Reply(raw=case["body"].encode(), status=case["status"], headers=headers, **more)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
@pytest.mark.parametrize("split", [None, 1], ids=["whole", "bytes"])
async def test_a_case_from_outside(root: Path, case: dict[str, Any], split: int | None) -> None:
    expect = case["expect"]
    (root / "x.py").write_text("x = 1\n")
    (root / "y.py").write_text("y = 2\n")
    retries = 1 if expect.get("retry") else 0
    replies = (
        [fed(case, split=split), "After all."] if split is None or case["status"] == 200 else [fed(case), "After all."]
    )
    options = {"model": {"retries": retries}}
    async with talking(root, *replies, wire=case["provider"], options=options) as (client, model):
        answer = await client.answer_to("socreates/ask", {"text": "What about x.py?"}, seconds=30)
        chats = model.chats
        if "retry_with" in expect:
            assert answer["result"]["text"] == "After all."
            assert "tools" in chats[0]
            assert ("tools" in chats[1]) == (expect["retry_with"] != "no tools")
            assert expect["retry_with"] == "no tools" or expect["retry_with"] in chats[1]
        elif expect.get("retry") or expect.get("compact"):
            assert answer["result"]["text"] == "After all."
            assert len(chats) == 2
        elif "error" in expect:
            sentence = answer["error"]["message"]
            assert answer["error"]["code"] == -32803
            assert WORDS[expect["error"]] in sentence
            assert expect.get("says", "") in sentence
            assert "<" not in sentence
            assert "\n" not in sentence
            assert len(chats) == 1
        elif expect["calls"]:
            assert answer["result"]["text"] == "After all."
            asked, *results = chats[1]["messages"][-1 - len(expect["calls"]) :]
            assert len(asked["tool_calls"]) == len(results) == len(expect["calls"])
            for call, result in zip(expect["calls"], results, strict=True):
                assert result["role"] == "tool"
                if call["arguments"] is None:
                    assert "no JSON object" in result["content"]
                elif "path" in call["arguments"]:
                    assert call["arguments"]["path"] in result["content"]
            if case["provider"] == "openai":
                assert [one["id"] for one in asked["tool_calls"]] == [one["tool_call_id"] for one in results]
        elif expect.get("truncated"):
            assert answer["result"]["stop"] == "truncated"
        else:
            assert answer["result"]["text"] == expect["text"]
            if "usage" in expect:
                assert answer["result"]["usage"]["inputTokens"] == expect["usage"][0]
                assert answer["result"]["usage"]["outputTokens"] == expect["usage"][1]
