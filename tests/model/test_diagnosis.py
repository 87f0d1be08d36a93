"""What a server's refusal means, and what of it the reader sees."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.model import failures
from socreates_lsp.model.diagnosis import (
    MOST_WAIT_S,
    Reply,
    clean,
    failure_in_answer,
    failure_of,
    no_such_model,
    wait_of,
)
from socreates_lsp.model.place import Key, Place

OPENAI = Place("openai", "https://api.example/v1?key=sk-secret", "m", Key("SOME_KEY", "sk-secret"))
BARE = Place("openai", "https://api.example/v1", "m", key_hint="OPENAI_API_KEY")
NOW_S = 1_767_225_600.0  # 2026-01-01T00:00:00Z


def failure(status: int, message: str = "", *, place: Place = OPENAI, tools: bool = True, **more: Any) -> Exception:
    body = json.dumps({"error": {"message": message, **more.pop("error", {})}}).encode()
    return failure_of(Reply(status, more.pop("headers", {}), body, tools), place, NOW_S)


@pytest.mark.parametrize(
    ("status", "message", "kind", "passing"),
    [
        (400, "Your request is bad", failures.RefusedRequestError, False),
        (401, "no", failures.WrongKeyError, False),
        (402, "Insufficient Balance", failures.RefusedRequestError, False),
        (403, "not in your country", failures.WrongKeyError, False),
        (404, "Not Found", failures.RefusedRequestError, False),
        (404, "model 'm' not found, try pulling it first", failures.NoSuchModelError, False),
        (400, "m is not a valid model ID: no such model", failures.NoSuchModelError, False),
        (404, "No endpoints found that support tool use.", failures.NoToolsError, False),
        (400, '"auto" tool choice requires --enable-auto-tool-choice to be set', failures.NoToolsError, False),
        (500, "tools param requires --jinja flag", failures.NoToolsError, False),
        (400, "m does not support tools", failures.NoToolsError, False),
        (408, "", failures.ServerFailedError, True),
        (413, "Request too large for model m: tokens per minute", failures.ContextOverflowError, False),
        (400, "prompt is too long: 200001 tokens > 200000 maximum", failures.ContextOverflowError, False),
        (400, "Input is too long for requested model.", failures.ContextOverflowError, False),
        (500, "the request exceeds the available context size", failures.ContextOverflowError, False),
        (400, "Please reduce the length of the messages", failures.ContextOverflowError, False),
        (400, "context window limits are per minute, please wait", failures.RefusedRequestError, False),
        (429, "This model's maximum context length is reached", failures.RateLimitedError, True),
        (429, "You exceeded your current quota, please check your plan.", failures.RefusedRequestError, False),
        (500, "boom", failures.ServerFailedError, True),
        (501, "not implemented", failures.RefusedRequestError, False),
        (503, "Loading model", failures.ServerFailedError, True),
        (529, "Overloaded", failures.ServerFailedError, True),
    ],
)  # fmt: skip
def test_the_kind_of_failure(status: int, message: str, kind: type[failures.ModelError], passing: bool) -> None:
    found = failure(status, message)
    assert type(found) is kind
    assert found.passing is passing
    text = str(found)
    assert text.endswith((".", "?"))
    assert "\n" not in text
    assert "api.example" in text or " m" in text


def test_without_tools_no_refusal_is_about_tools() -> None:
    assert type(failure(400, "m does not support tools", tools=False)) is failures.RefusedRequestError


def test_an_overloaded_server_that_names_a_time_is_waited_for() -> None:
    found = failure(503, headers={"retry-after": "3"})
    assert isinstance(found, failures.RateLimitedError)
    assert found.wait_s == 3


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after": "86400"}, MOST_WAIT_S),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:07 GMT"}, 7),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:07 -0000"}, 7),
        ({"retry-after": "Wed, 31 Dec 2025 00:00:00 GMT"}, 0),
        ({"retry-after": "Thu, 99 Jan 2026 00:00:07 GMT"}, None),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_of(headers, NOW_S) == seconds


def test_a_key_is_named_by_its_variable() -> None:
    assert "variable SOME_KEY" in str(failure(401))
    assert "not in your country" in str(failure(403, "not in your country"))
    missing = str(failure(401, place=BARE))
    assert "OPENAI_API_KEY" in missing
    assert "wants a key" in missing


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "Boom."}}, "Boom"),
        ({"error": "Boom"}, "Boom"),
        ({"message": "Boom"}, "Boom"),
        ({"detail": "Boom"}, "Boom"),
        ([{"error": {"message": "Boom", "status": "UNAVAILABLE"}}], "Boom"),
        ("Boom", "Boom"),
        ({"error": {"message": "Boom\n at <b>line</b>\x1b[31m 3"}}, "Boom at line [31m 3"),
        ({"error": {"message": "a &lt;script&gt;x &amp; y"}}, "a x & y"),
        ({"error": {"message": "bad key sk-secret"}}, "bad key ***"),
        ({}, ""),
        (None, ""),
        ({"error": []}, ""),
    ],
)
def test_a_servers_own_words(body: object, words: str) -> None:
    text = str(failure_of(Reply(500, {}, json.dumps(body).encode()), OPENAI, NOW_S))
    assert text == f"https://api.example failed (status 500){words and ': '}{words}."


def test_bodies_that_are_no_json() -> None:
    page = b"<html><head><style>x{}</style><title>T</title></head><body><h1>Bad Gateway</h1>\n<p>nginx</body></html>"
    assert (
        str(failure_of(Reply(502, {}, page), OPENAI, NOW_S))
        == "https://api.example failed (status 502): Bad Gateway nginx."
    )
    assert "\ufffd" in str(failure_of(Reply(502, {}, b"\xff\xfe"), OPENAI, NOW_S))
    long = str(failure_of(Reply(500, {}, b"why " * 1000), OPENAI, NOW_S))
    assert len(long) < 400
    assert long.endswith("….")
    assert isinstance(failure_of(Reply(500, {}, b"[" * 100_000), OPENAI, NOW_S), failures.ServerFailedError)


@given(st.text(alphabet="<>a/&;!?lg t\n\x1b", max_size=40))
@settings(max_examples=200, deadline=None)
def test_no_markup_reaches_the_reader(text: str) -> None:
    import re

    shown = clean(text, OPENAI)
    assert not re.search(r"</?[A-Za-z!?]", shown)
    assert shown.isprintable()


def test_a_redirect_names_the_host_and_nothing_more() -> None:
    text = str(failure(302, headers={"location": "https://login.example/in?next=sk-x"}))
    assert "https://login.example," in text
    assert "next" not in text
    assert "elsewhere," in str(failure(302, headers={"location": "/in"}))


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("llama runner process has terminated", failures.ServerFailedError),
        ({"message": "slow down", "code": 429}, failures.RateLimitedError),
        ({"message": "slow down", "code": "429"}, failures.RateLimitedError),
        ({"message": "the context window is full", "code": 400}, failures.ContextOverflowError),
        ({"message": "m does not support tools", "code": 400}, failures.NoToolsError),
        ({"message": "who are you", "code": 401}, failures.WrongKeyError),
        ({"message": "x", "code": "server_error"}, failures.ServerFailedError),
    ],
)
def test_an_error_inside_an_answer(error: object, kind: type[failures.ModelError]) -> None:
    assert type(failure_in_answer({"error": error}, OPENAI, tools=True, now_s=NOW_S)) is kind


def test_a_missing_model_with_many_others() -> None:
    place = Place("openai", "http://127.0.0.1:1", "z")
    text = str(no_such_model(place, [f"m{number}" for number in range(20)]))
    assert (
        text
        == "http://127.0.0.1:1 has no model z: set model.name to one of: m0, m1, m2, m3, m4, m5, m6, m7 and 12 more."
    )
    assert "ollama pull z" in str(no_such_model(Place("ollama", "http://127.0.0.1:1", "z"), ()))
