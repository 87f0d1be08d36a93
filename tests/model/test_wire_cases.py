"""Every line of ``cases/wire.jsonl``: fed whole, byte by byte, and split at every byte; and through a real server."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.model import failures
from socreates_lsp.model.diagnosis import Reply as Got
from socreates_lsp.model.diagnosis import failure_of, said_in
from socreates_lsp.model.ndjson import LineReader
from socreates_lsp.model.ollama_wire import Answer as OllamaAnswer
from socreates_lsp.model.openai_answer import Answer as OpenAIAnswer
from socreates_lsp.model.openai_answer import Body
from socreates_lsp.model.openai_request import Quirks, adapted, body_of
from socreates_lsp.model.place import Key, Place
from socreates_lsp.model.types import ChatRequest, Finish, TokenUsage
from socreates_lsp.testkit import Reply, ScriptedServer
from tests.model.talk import TOOLS, Answered, ask, ollama_at, openai_at, talk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from socreates_lsp.model.types import ModelEvent

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "wire.jsonl").read_text("utf-8").splitlines()
    if line.strip()
]
KEY = Key("SOME_KEY", "sk-very-secret")
REQUEST = ask(max_output_tokens=100)
ERRORS: dict[str, type[failures.ModelError]] = {
    "interrupted": failures.InterruptedStreamError,
    "server": failures.ServerFailedError,
    "rate-limit": failures.RateLimitedError,
    "context": failures.ContextOverflowError,
    "auth": failures.WrongKeyError,
    "model": failures.NoSuchModelError,
}
ANSWERED = [case for case in CASES if case["status"] == 200]
REFUSED = [case for case in CASES if case["status"] != 200]


def check(case: dict[str, Any], answered: Answered) -> None:
    expect = case["expect"]
    if "text" in expect:
        assert answered.text == expect["text"]
    if error := expect.get("error"):
        assert type(answered.error) is ERRORS[error], answered
        if "retry" in expect:
            assert answered.error.passing is expect["retry"]
        if "says" in expect:
            assert expect["says"] in str(answered.error)
        if "wait_s" in expect:
            assert isinstance(answered.error, failures.RateLimitedError)
            assert answered.error.wait_s == expect["wait_s"]
        assert "<" not in str(answered.error)
        return
    assert answered.error is None
    got = [{"name": call.name, "arguments": call.arguments} for call in answered.calls]
    assert got == expect["calls"]
    assert sum(call.arguments is None for call in answered.calls) == expect.get("bad_arguments", 0)
    assert len({call.id for call in answered.calls}) == len(answered.calls)
    assert all(call.id for call in answered.calls)
    assert answered.reasoning == expect.get("reasoning", "")
    assert (answered.end.finish is Finish.LENGTH) is expect.get("truncated", False)
    assert answered.end.finish is not Finish.STOP or not got
    if "usage" in expect:
        assert answered.end.usage == TokenUsage(expect["usage"][0], 0, expect["usage"][1])


def fed(case: dict[str, Any], chunks: Iterable[bytes]) -> Answered:
    """What the pure part makes of a body that comes in these pieces."""
    place = Place(case["provider"], "http://127.0.0.1:1", "m", KEY)
    if case["provider"] == "openai":
        answer, reader = OpenAIAnswer(REQUEST, place), Body()
    else:
        answer, reader = OllamaAnswer(REQUEST, place), LineReader()
    events: list[ModelEvent] = []
    try:
        for chunk in chunks:
            for data in reader.feed(chunk):
                events.extend(answer.take(data, time.time()))
        for data in reader.end():
            events.extend(answer.take(data, time.time()))
        events.extend(answer.end())
    except failures.ModelError as error:
        return Answered(events, error)
    return Answered(events, None)


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case["id"])
def test_a_body_means_the_same_however_it_is_cut(case: dict[str, Any]) -> None:
    body = case["body"].encode()
    check(case, fed(case, [body]))
    check(case, fed(case, [body[at : at + 1] for at in range(len(body))]))
    for at in range(1, len(body)):
        check(case, fed(case, [body[:at], body[at:]]))


@pytest.mark.parametrize("split", [None, 1], ids=["whole", "bytewise"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
async def test_a_case_through_a_real_server(case: dict[str, Any], split: int | None) -> None:
    bad = Reply(status=case["status"], headers=case["headers"], raw=case["body"].encode(), split=split)
    good = Reply(text="Then why?")
    with ScriptedServer([bad, good]) as server:
        model = (openai_at if case["provider"] == "openai" else ollama_at)(server, key=KEY)
        answered = await talk(model, REQUEST)
        await model.close()
        assert server.chats[0]["model"] == "m"
        match case["expect"].get("retry_with"):
            case "max_completion_tokens":
                assert answered.text == "Then why?"
                assert "max_tokens" in server.chats[0]
                assert server.chats[1]["max_completion_tokens"] == 100
                assert "max_tokens" not in server.chats[1]
            case "no tools":
                assert type(answered.error) is failures.NoToolsError
            case _:
                assert len(server.chats) == 1
                check(case, answered)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["id"])
def test_a_refusal_alone_tells_what_it_is(case: dict[str, Any]) -> None:
    place = Place(case["provider"], "http://127.0.0.1:1", "m", KEY)
    got = Got(case["status"], case["headers"], case["body"].encode(), tools=True)
    failure = failure_of(got, place, time.time())
    wanted = case["expect"].get("retry_with")
    if wanted == "max_completion_tokens":
        hints = said_in(got.body, place).hints
        assert adapted(Quirks(), got.status, hints, REQUEST) == Quirks(new_limit=True)
        unlimited = ChatRequest(REQUEST.messages, TOOLS)
        assert adapted(Quirks(), got.status, hints, unlimited) == Quirks(new_limit=True)
        assert body_of(unlimited, place, Quirks(new_limit=True))["max_completion_tokens"] == 4096
    elif wanted == "no tools":
        assert type(failure) is failures.NoToolsError
    else:
        check(case, Answered([], failure))
