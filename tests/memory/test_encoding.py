"""Lines of a transcript: what goes in comes out, and whatever the bytes, nothing is raised that nobody expects."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.memory.encoding import (
    MessageLine,
    NotJsonError,
    NotUnderstoodError,
    OutcomeLine,
    decoded,
    encoded,
    now,
    time_of,
)
from socreates_lsp.memory.reading import contents
from socreates_lsp.model.types import Message, Role, ToolCall
from tests.memory.samples import TURN, user

AT = "2026-01-31T12:00:00.000Z"
TEXT = st.text(st.characters(exclude_categories=()), max_size=30) | st.sampled_from(
    ["\0", "\u2028\u2029\x85", "😀", "\ud83d", "\udc80\n", "\r\n", "\ufeff"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
CALLS = st.builds(ToolCall, TEXT, TEXT, st.none() | st.dictionaries(TEXT, JSON, max_size=3), TEXT)
MESSAGES = st.builds(
    Message,
    st.sampled_from(Role),
    TEXT,
    st.lists(CALLS, max_size=3).map(tuple),
    TEXT,
    st.none() | TEXT.filter(bool),
    st.none() | TEXT.filter(bool),
)


def joined(value):
    """Two halves of a surrogate pair that stand side by side are one character once they have been in JSON."""
    return json.loads(json.dumps(value))


def plain(message: Message):
    calls = [[call.id, call.name, call.arguments, call.raw] for call in message.calls]
    return joined([message.role.value, message.content, calls, message.reasoning, message.call_id, message.tool])


@given(MESSAGES, st.integers(0, 9))
def test_every_message_comes_back_as_it_was(message: Message, n: int) -> None:
    line = encoded(MessageLine("t", AT, n, "ask", message))
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    back = decoded(line)
    assert isinstance(back, MessageLine)
    assert (back.turn, back.at, back.n, back.kind) == ("t", AT, n, "ask")
    assert plain(back.message) == plain(message)


@given(TEXT)
def test_every_outcome_comes_back_as_it_was(outcome: str) -> None:
    assert decoded(encoded(OutcomeLine("t", AT, outcome))) == OutcomeLine("t", AT, joined(outcome))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**5000, {1, 2}], ids=["nan", "inf", "long", "set"])
def test_arguments_that_json_cannot_hold_stay_in_the_raw_text(value: object) -> None:
    call = ToolCall("1", "x", {"a": value}, "as it came")
    back = decoded(encoded(MessageLine("t", AT, 0, "ask", Message(Role.ASSISTANT, "", (call,)))))
    assert isinstance(back, MessageLine)
    assert back.message.calls == (ToolCall("1", "x", None, "as it came"),)


def test_what_a_newer_version_wrote_is_passed_over() -> None:
    fields = json.loads(encoded(MessageLine("t", AT, 0, "ask", TURN[1])))
    fields["later"] = {"more": 1}
    fields["calls"][0]["later"] = 1
    back = decoded(json.dumps(fields).encode())
    assert isinstance(back, MessageLine)
    assert back.message == TURN[1]
    assert decoded(b'{"line": "later", "turn": 3}') is None
    assert decoded(b"{}") is None
    assert decoded(b'{"line": []}') is None
    assert decoded(b" \t\r\n") is None


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"1",
        b"null",
        b"[]",
        b'"a"',
        b"\xff{}",
        b'{"a": "\xe9"}',
        b"{} {}",
        b"[" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
    ids=range(10),
)
def test_what_is_no_json_object_is_told(line: bytes) -> None:
    with pytest.raises(NotJsonError):
        decoded(line)


@pytest.mark.parametrize(
    "change",
    [
        {"turn": None}, {"turn": ""}, {"turn": 1}, {"role": "god"}, {"role": []}, {"content": None}, {"content": 1},
        {"calls": 1}, {"calls": ["x"]}, {"calls": [{}]}, {"calls": [{"id": "1"}]}, {"reasoning": 1}, {"tool": 1},
        {"callId": []}, {"kind": 1}, {"line": "outcome"},
    ],
)  # fmt: skip
def test_a_line_that_says_what_no_line_says_is_told(change: dict[str, object]) -> None:
    fields = json.loads(encoded(MessageLine("t", AT, 0, "ask", user("x"))))
    with pytest.raises(NotUnderstoodError):
        decoded(json.dumps({**fields, **change}).encode())


@given(st.binary(max_size=200) | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_break_the_reading(data: bytes) -> None:
    found = contents(data, "x")
    assert 0 <= found.sound <= len(data)
    assert contents(data[: found.sound] + (b"\n" if found.unended else b""), "x").lines == found.lines


def test_times() -> None:
    moment = time_of(now())
    assert moment is not None
    assert moment.tzinfo is not None
    assert time_of(AT) == time_of("2026-01-31T12:00:00") == time_of("2026-01-31T14:00:00+02:00")
    assert time_of("yesterday") is time_of(None) is time_of(5) is None


def test_a_mark_of_an_editor_at_the_start_does_no_harm() -> None:
    assert contents(b"\xef\xbb\xbf" + encoded(OutcomeLine("t", AT, "x")), "x").lines == (OutcomeLine("t", AT, "x"),)
