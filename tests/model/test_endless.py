"""What never ends, or only late: long answers, pings without words, words after the end."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.model import answer_text, failures, http
from socreates_lsp.model.answer_text import MOST_SAID, AnswerText
from socreates_lsp.model.calls import Ids
from socreates_lsp.model.ollama import OllamaModel
from socreates_lsp.model.openai import OpenAIModel
from socreates_lsp.model.place import Place
from socreates_lsp.model.types import Finish
from tests.model.talk import talk

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

WORD = b'data: {"choices":[{"delta":{"content":"Why"},"finish_reason":null}]}\n\n'
PING = b": keep\n\n"
OVER = b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'


class Wire:
    """A server that sends what a script yields, each piece at once, until the client leaves."""

    def __init__(self, script: Callable[[], AsyncGenerator[bytes, None]], headers: str) -> None:
        self.script, self.headers = script, headers
        self.sent = 0
        self.left = asyncio.Event()
        self.port = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if b"/chat" not in head:
            writer.write(b"HTTP/1.1 404 x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            writer.close()
            return
        writer.write(f"HTTP/1.1 200 OK\r\nConnection: close\r\n{self.headers}\r\n".encode())
        with contextlib.suppress(OSError):
            async for piece in self.script():
                writer.write(piece)
                await writer.drain()
                self.sent += len(piece)
        self.left.set()
        writer.close()

    def openai(self, timeout_s: float = 60) -> OpenAIModel:
        return OpenAIModel(Place("openai", f"http://127.0.0.1:{self.port}/v1", "m", timeout_s=timeout_s), {})

    def ollama(self) -> OllamaModel:
        return OllamaModel(Place("ollama", f"http://127.0.0.1:{self.port}", "m"), {})


@asynccontextmanager
async def wire(script: Callable[[], AsyncGenerator[bytes, None]], headers: str = "") -> AsyncGenerator[Wire]:
    one = Wire(script, headers)
    async with await asyncio.start_server(one.answer, "127.0.0.1", 0) as server:
        one.port = server.sockets[0].getsockname()[1]
        yield one


async def forever(*pieces: bytes, pause_s: float = 0.0) -> AsyncGenerator[bytes, None]:
    """The first pieces once, the last one again and again."""
    for piece in pieces[:-1]:
        yield piece
    while True:
        yield pieces[-1]
        await asyncio.sleep(pause_s)


def chunk(**delta: Any) -> bytes:
    return b"data: " + json.dumps({"choices": [{"delta": delta}]}).encode() + b"\n\n"


@pytest.mark.parametrize(
    ("delta", "kind"),
    [
        ({"content": "word " * 2000}, "text"),
        ({"reasoning_content": "word " * 2000}, "reasoning"),
        (
            {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "read_file", "arguments": "x" * 9999}}]},
            "calls",
        ),
        ({"tool_calls": [{"index": 0}] * 500}, "nothing"),
    ],
)
async def test_an_answer_without_an_end_is_cut(delta: dict[str, Any], kind: str) -> None:
    async with wire(lambda: forever(chunk(content=""), chunk(**delta))) as server:
        answered = await asyncio.wait_for(talk(server.openai()), 20)
        await asyncio.wait_for(server.left.wait(), 5)
    assert answered.error is None
    assert server.sent < 16_000_000, "the connection is closed at once"
    assert answered.end.finish is Finish.LENGTH
    said = {"text": answered.text, "reasoning": answered.reasoning}
    if kind in said:
        assert len(said[kind]) == MOST_SAID
    if kind == "calls":
        (call,) = answered.calls
        assert call.arguments is None
        assert MOST_SAID * 0.99 < len(call.raw) <= MOST_SAID


async def test_an_ollama_without_an_end_is_cut_and_one_long_line_too() -> None:
    line = json.dumps({"message": {"content": "word " * 2000}, "done": False}).encode() + b"\n"
    async with wire(lambda: forever(line)) as server:
        answered = await asyncio.wait_for(talk(server.ollama()), 20)
    assert (len(answered.text), answered.end.finish) == (MOST_SAID, Finish.LENGTH)
    whole = json.dumps({"choices": [{"message": {"content": "x" * 2 * MOST_SAID}, "finish_reason": "stop"}]}).encode()

    async def once() -> AsyncGenerator[bytes, None]:
        yield whole

    async with wire(once) as server:
        answered = await asyncio.wait_for(talk(server.openai()), 20)
    assert (len(answered.text), answered.end.finish) == (MOST_SAID, Finish.LENGTH)


def test_the_cut_is_where_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_text, "MOST_SAID", 10)
    answer = AnswerText((), Ids())
    assert [*answer.feed("1234567")]
    assert not answer.full
    assert [getattr(event, "text", "") for event in answer.feed("89abc")] == ["89a"]
    assert answer.full
    assert [*answer.feed("x"), *answer.reasoning("y"), *answer.end(calls=False)] == []


async def test_others_have_their_turn_while_a_well_packed_answer_is_read() -> None:
    body = chunk(content="a") * 30_000

    async def packed() -> AsyncGenerator[bytes, None]:
        yield gzip.compress(body + OVER)

    turns = 0

    async def another() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with wire(packed, "Content-Encoding: gzip\r\n") as server:
        task = asyncio.create_task(another())
        answered = await talk(server.openai())
        task.cancel()
    assert len(answered.text) == 30_000
    assert turns > len(body) / 32_768


# Pings


async def test_pings_are_no_answer() -> None:
    async with wire(lambda: forever(PING, pause_s=0.05)) as server:
        begun = time.monotonic()
        answered = await asyncio.wait_for(talk(server.openai(0.4)), 10)
        took = time.monotonic() - begun
    assert type(answered.error) is failures.TimedOutError
    assert "no word" in str(answered.error)
    assert took > 0.7


async def test_pings_prolong_the_wait_for_a_while() -> None:
    async def queued() -> AsyncGenerator[bytes, None]:
        for _ in range(12):
            yield PING
            await asyncio.sleep(0.05)
        yield WORD + OVER

    async with wire(queued) as server:
        assert (await talk(server.openai(0.4))).text == "Why"


async def test_pings_in_the_middle_are_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "SILENCE_S", 0.3)
    async with wire(lambda: forever(WORD, PING, pause_s=0.05)) as server:
        answered = await asyncio.wait_for(talk(server.openai()), 10)
    assert type(answered.error) is failures.TimedOutError
    assert "in the middle" in str(answered.error)
    assert answered.text == "Why"

    async def slow() -> AsyncGenerator[bytes, None]:
        for _ in range(10):
            yield chunk(tool_calls=[{"index": 0, "id": "a", "function": {"name": "x", "arguments": " "}}])
            await asyncio.sleep(0.1)
        yield OVER

    # Arguments that come slowly are words, though nothing is told of them before they are whole.
    async with wire(slow) as server:
        assert (await asyncio.wait_for(talk(server.openai()), 10)).error is None


async def test_pings_behind_the_end_hold_nothing_up() -> None:
    async with wire(lambda: forever(WORD + OVER, PING, pause_s=0.05)) as server:
        answered = await asyncio.wait_for(talk(server.openai()), 10)
    assert (answered.text, answered.error) == ("Why", None)


# Behind the end


async def test_what_comes_behind_the_end_is_not_of_the_answer() -> None:
    async def openai() -> AsyncGenerator[bytes, None]:
        yield WORD + OVER + b"data: [DONE]\n\n" + WORD + b'data: {"error": {"message": "late"}}\n\n'

    async def ollama() -> AsyncGenerator[bytes, None]:
        yield b'{"message":{"content":"Why"},"done":true}\n{"message":{"content":"more"}}\n{"error":"late"}\nnonsense\n'

    async with wire(openai) as one, wire(ollama) as other:
        for model in (one.openai(), other.ollama()):
            answered = await talk(model)
            assert (answered.text, answered.error) == ("Why", None)
