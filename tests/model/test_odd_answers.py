"""Answers with status 200 that are none, and calls that are none."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.model import failures
from socreates_lsp.model.answer_text import joined
from socreates_lsp.model.types import Called, Finish, ReasoningDelta, TextDelta, ToolCall
from socreates_lsp.testkit import Reply, ScriptedServer
from tests.model.talk import Answered, ollama_at, openai_at, talk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.model.types import ModelEvent


async def answered(wire: str, raw: bytes, **headers: str) -> Answered:
    reply = Reply(raw=raw, headers={name.replace("_", "-"): value for name, value in headers.items()})
    with ScriptedServer([reply], loaded=["m"]) as server:
        return await talk((openai_at if wire == "openai" else ollama_at)(server))


@pytest.mark.parametrize("wire", ["openai", "ollama"])
@pytest.mark.parametrize(
    ("raw", "headers"),
    [
        (b"null", {}),
        (b"[]", {}),
        (b'{"choices":[]}', {}),
        (b"", {}),
        (b'{"status": "ok"}', {}),
        (b"\x1f\x8bnonsense", {"content_encoding": "gzip"}),
        (gzip.compress(b"null", mtime=0), {"content_encoding": "gzip"}),
    ],
)
async def test_a_complete_answer_that_is_none_did_not_break_off(wire: str, raw: bytes, headers: dict[str, str]) -> None:
    error = (await answered(wire, raw, **headers)).error
    assert error is not None
    assert "answered nothing that a model's server would answer" in str(error)
    assert error.passing or raw
    assert not error.passing or not raw.startswith((b"[", b"{"))


async def test_an_answer_in_a_packing_that_nobody_asked_for() -> None:
    error = (await answered("openai", b"\x0b\x02\x80ab\x03", content_encoding="br")).error
    assert "answered nothing that a model's server would answer" in str(error)


async def test_the_beginning_of_an_answer_is_one_that_broke_off() -> None:
    for wire, raw in (
        ("openai", b'data: {"choices":[{"delta":{}}]}\n\n'),
        ("ollama", b'{"message":{},"done":false}\n'),
    ):
        error = (await answered(wire, raw)).error
        assert type(error) is failures.InterruptedStreamError


@pytest.mark.parametrize("wire", ["openai", "ollama"])
async def test_no_status_is_told_that_nobody_sent(wire: str) -> None:
    error = (await answered(wire, b'{"error": "the disk is full"}')).error
    assert type(error) is failures.ServerFailedError
    assert str(error).endswith("failed: the disk is full.")
    told = (await answered(wire, b'{"error": {"message": "it is down", "code": 502}}')).error
    assert "(status 502)" in str(told)


@pytest.mark.parametrize("calls", [["x"], [{"index": 0, "id": "a"}], [{}], [{"function": {"arguments": "{}"}}], [None]])
@pytest.mark.parametrize("wire", ["openai", "ollama"])
async def test_a_call_without_a_name_does_not_count(wire: str, calls: list[Any]) -> None:
    message = {"content": "Why?", "tool_calls": calls}
    if wire == "openai":
        raw = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
    else:
        raw = json.dumps({"message": message, "done": True}).encode()
    got = await answered(wire, raw)
    assert (got.text, got.calls, got.end.finish) == ("Why?", [], Finish.STOP)


async def test_beside_a_call_without_a_name_one_that_is_written_counts() -> None:
    content = '{"name": "read_file", "arguments": {}}'
    message = {"content": content, "tool_calls": [{"index": 0, "id": "a"}]}
    for wire, body in (
        ("openai", {"choices": [{"message": message, "finish_reason": "stop"}]}),
        ("ollama", {"message": message, "done": True}),
    ):
        got = await answered(wire, json.dumps(body).encode())
        assert [call.name for call in got.calls] == ["read_file"]


async def test_a_name_may_come_late() -> None:
    parts = [
        {"index": 0, "id": "a"},
        {"index": 0, "function": {"name": "read_file"}},
        {"index": 0, "function": {"arguments": "{}"}},
    ]
    raw = b"".join(
        b"data: " + json.dumps({"choices": [{"delta": {"tool_calls": [part]}}]}).encode() + b"\n\n" for part in parts
    )
    got = await answered("openai", raw + b"data: [DONE]\n\n")
    assert [(call.name, call.arguments) for call in got.calls] == [("read_file", {})]


def test_pieces_that_come_at_once_are_joined_and_nothing_else_changes() -> None:
    down = failures.ServerFailedError("It is down.")
    call = Called(ToolCall("a", "x", {}, ""))

    def events() -> Iterator[ModelEvent]:
        yield from (TextDelta("a"), TextDelta("b"), ReasoningDelta("c"), ReasoningDelta("d"), TextDelta("e"), call)
        yield from (TextDelta("x"), TextDelta("y" * 99), TextDelta("z"))
        raise down

    got: list[ModelEvent] = []
    answer = joined(events())
    with pytest.raises(failures.ServerFailedError) as caught:  # noqa: PT012
        while True:
            got.append(next(answer))
    assert caught.value is down
    assert got == [
        TextDelta("ab"), ReasoningDelta("cd"), TextDelta("e"), call, TextDelta("x" + "y" * 99), TextDelta("z"),
    ]  # fmt: skip
