"""The pure parts: event streams, lines, thoughts, fragments, calls written as text, JSON without trust."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.model import failures, ndjson, sse
from socreates_lsp.model.answer_text import AnswerText
from socreates_lsp.model.calls import Fragments, Ids, arguments_of, call_of, raw_of
from socreates_lsp.model.ndjson import LineReader
from socreates_lsp.model.openai_answer import Answer, Body
from socreates_lsp.model.place import Place
from socreates_lsp.model.sse import EventReader
from socreates_lsp.model.thinking import ThinkTags
from socreates_lsp.model.types import (
    Called,
    Ended,
    Finish,
    Message,
    ReasoningDelta,
    Role,
    TextDelta,
    TokenUsage,
    ToolCall,
)
from socreates_lsp.model.untyped import count, parsed, whole_text
from socreates_lsp.model.written_call import may_become_call, written_call
from tests.model.talk import TOOLS, Answered, ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.model.types import ModelEvent

NAMES = {tool.name for tool in TOOLS}
PLACE = Place("openai", "http://127.0.0.1:1/v1", "m")


def pieces(data: Any, whole: Any) -> list[Any]:
    """The whole, cut at random places."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    return [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]


def read(reader: EventReader | LineReader | Body, chunks: Sequence[bytes]) -> list[str]:
    return [one for chunk in chunks for one in reader.feed(chunk)] + reader.end()


# Event streams and lines


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [0, 1, 2])
def test_events_with_every_end_of_line(end: str, last: int) -> None:
    text = end.join(["\ufeffevent: x", "data: a", "data:b", ": c", "id: 1", "", "", "data", "", "data: é"])
    body = (text + end * last).encode()
    wanted = ["a\nb", "", "é"]
    assert read(EventReader(), [body]) == wanted
    assert read(EventReader(), [body[at : at + 1] for at in range(len(body))]) == wanted
    for at in range(len(body)):
        assert read(EventReader(), [body[:at], body[at:]]) == wanted


@given(st.lists(st.text(alphabet="a:é \n\r", max_size=5), max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_events_are_the_same_however_they_are_cut(lines: list[str], data: Any) -> None:
    body = "".join(f"data:{line}\n\n" for line in lines).encode()
    assert read(EventReader(), pieces(data, body)) == read(EventReader(), [body])


@given(st.lists(st.text(alphabet='a"é \r\n', max_size=5), max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_lines_are_the_same_however_they_are_cut(lines: list[str], data: Any) -> None:
    body = "\n".join(lines).encode()
    wanted = [text for line in body.decode().split("\n") if (text := line.strip(" \t\r"))]
    assert read(LineReader(), pieces(data, body)) == read(LineReader(), [body]) == wanted


def test_what_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MOST_BYTES", 100)
    monkeypatch.setattr(ndjson, "MOST_BYTES", 100)
    monkeypatch.setattr("socreates_lsp.model.openai_answer.MOST_BYTES", 100)
    for reader, body in (
        (EventReader(), b"x" * 101),
        (EventReader(), b"data: xx\n" * 60),
        (LineReader(), b"x" * 101),
        (Body(), b"{" * 101),
        (Body(), b"data: xx\n" * 60),
    ):
        with pytest.raises(ValueError, match="without an end"):
            read(reader, [body])
    assert len(read(EventReader(), [b"data: x\n\n"] * 60)) == 60


# JSON without trust


def test_json_without_trust() -> None:
    with pytest.raises(ValueError, match=r"too deep|recursion|nested"):
        parsed("[" * 200_000)
    assert [count(one) for one in (3, 2.5, -1, True, "3", None, float("inf"), float("nan"))] == [3, 2, 0, 0, 0, 0, 0, 0]
    assert whole_text("a\ud83d\ude00b") == "a😀b"
    assert whole_text("a\ud83db\ude00") == "a\ufffdb\ufffd"


@pytest.mark.parametrize("raw", ["[1]", '"x"', "null", "3", '{"a": 1', '{"a": "\\ud83d"}', "[" * 200_000, "{a: 1}"])
def test_arguments_that_are_no_object_are_none(raw: str) -> None:
    assert arguments_of(raw) is None


def test_arguments_however_they_come() -> None:
    assert arguments_of("") == arguments_of(" ") == arguments_of("{}") == {}
    assert raw_of(None) == ""
    assert raw_of({"a": "é"}) == '{"a": "é"}'
    assert call_of("x", "", "a", cut=True).arguments is None
    assert call_of("x", '{"a": 1}', "a", cut=True).arguments == {"a": 1}
    assert call_of("x", '{"a": "\ud83d\ude00"}', "a").arguments == {"a": "😀"}


def test_ids() -> None:
    ids = Ids([Message(Role.ASSISTANT, "", (ToolCall("a", "x", {}, ""),))])
    taken = [ids.take("a"), ids.take("b"), ids.take("b"), ids.take()]
    assert taken[1] == "b"
    assert len({*taken, "a"}) == 5
    assert all(len(one) == 9 and one.isalnum() for one in (taken[0], *taken[2:]))


# Fragments


def gathered(*fragments: dict[str, Any]) -> list[tuple[str, str]]:
    calls = Fragments()
    for fragment in fragments:
        calls.add(fragment, raw_of(fragment["function"].get("arguments")))
    return [(call.name, call.raw) for call in calls.calls(Ids(), cut=False)]


def part(name: str = "", raw: Any = "", **more: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": raw} if name else {"arguments": raw}, **more}


@pytest.mark.parametrize(
    ("fragments", "calls"),
    [
        ([part("x", "{}"), part("y", "{}")], [("x", "{}"), ("y", "{}")]),
        ([part("x", {"a": 1}, index=0), part("x", {"a": 2}, index=0)], [("x", '{"a": 1}'), ("x", '{"a": 2}')]),
        ([part("x", '{"a"', index=0, id=""), part("x", ": 1}", index=0, id="")], [("x", '{"a": 1}')]),
        ([part("x", "{}", id="a"), part("y", "{", id="b"), part("", "", id="a"), part("", "}", id="b")],
         [("x", "{}"), ("y", "{}")]),
        ([part("x", "{", index=0, id="a"), part("", "}", index=0, id="a")], [("x", "{}")]),
        ([part("x", "", index=0, id=None), part("", "{}", index=0, id="late")], [("x", "{}")]),
        ([part("x", "{}", index=3), part("y", "{}", index=1)], [("x", "{}"), ("y", "{}")]),
    ],
)  # fmt: skip
def test_fragments_find_their_calls(fragments: list[dict[str, Any]], calls: list[tuple[str, str]]) -> None:
    assert gathered(*fragments) == calls


# Thoughts


@pytest.mark.parametrize(
    ("text", "thought", "rest"),
    [
        ("<think>hm</think>\n\nWhy?", "hm", "Why?"),
        ("\n <think>\nhm\nhm\n</think>Why?", "hm\nhm", "Why?"),
        ("<thinking>hm</thinking> Why?", "hm", "Why?"),
        ("<think>\n\n</think>\n\nWhy?", "", "Why?"),
        ("<think>hm</thin</think>x", "hm</thin", "x"),
        ("<think>hm", "hm", ""),
        ("<think>hm</think>", "hm", ""),
        ("<thin", "", "<thin"),
        ("< think>", "", "< think>"),
        ("Why <think>x</think>?", "", "Why <think>x</think>?"),
        (" Why?", "", " Why?"),
        ("", "", ""),
    ],
)
def test_thoughts_are_told_apart(text: str, thought: str, rest: str) -> None:
    for size in (1, 2, 3, 100):
        tags = ThinkTags()
        got = [tags.feed(text[at : at + size]) for at in range(0, len(text), size)] + [tags.end()]
        assert ("".join(one for one, _ in got), "".join(one for _, one in got)) == (thought, rest)


# Calls written as text


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "read_file", "arguments": {"path": "x"}}',
        '{"name": "read_file", "parameters": {"path": "x"}}',
        ' {"tool": "read_file", "arguments": {"path": "x"}} ',
        '{"type": "function", "function": {"name": "read_file", "arguments": "{\\"path\\": \\"x\\"}"}}',
        '{"function": "read_file", "arguments": {"path": "x"}}',
        '```json\n{"name": "read_file", "arguments": {"path": "x"}}\n```',
        '```\n{"arguments": {"path": "x"}, "name": "read_file"}\n```\n',
        '<tool_call>\n{"name": "read_file", "arguments": {"path": "x"}}\n</tool_call>',
    ],
)
def test_a_call_as_text_is_held_back_and_is_a_call(text: str) -> None:
    written = written_call(text, NAMES)
    assert written is not None
    assert (written.name, arguments_of(written.raw)) == ("read_file", {"path": "x"})
    assert all(may_become_call(text[:end]) for end in range(len(text) + 1))


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Why?", 0),
        ("{x} is odd", 1),
        ('{"a": 1}', 3),
        ('{"path": "x"}', 4),
        ('{"name": "read_file", "arguments": {}} and more', 39),
        ("```python\nx\n```", 3),
        ("<b>", 1),
        ("[1]", 0),
        ("{} ", 1),
        ('{"name\\u0041": 1}', 6),
    ],
)
def test_text_is_let_go_as_soon_as_it_is_no_call(text: str, held: int) -> None:
    assert [may_become_call(text[:end]) for end in range(1, len(text) + 1)] == [
        end <= held for end in range(1, len(text) + 1)
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "other", "arguments": {}}',
        '{"name": "read_file"}',
        '{"name": "read_file", "arguments": {}, "parameters": {}}',
        '{"name": "read_file", "arguments": {}, "why": 1}',
        '{"function": {"name": "read_file", "arguments": {}}, "x": 1}',
        '{"name": "read_file", "arguments": {}',
        '[{"name": "read_file", "arguments": {}}]',
        'x {"name": "read_file", "arguments": {}}',
        '{"name": "read_file", "arguments": {"a": "' + "x" * 9000 + '"}}',
    ],
)
def test_what_is_no_call_stays_text(text: str) -> None:
    assert written_call(text, NAMES) is None
    answer = AnswerText(NAMES, Ids())
    events = [*answer.feed(text[:9]), *answer.feed(text[9:]), *answer.end(calls=False)]
    assert Answered(events, None).text == text
    assert not [event for event in events if isinstance(event, Called)]


def test_a_call_as_text_with_bad_arguments_is_told_and_not_repaired() -> None:
    answer = AnswerText(NAMES, Ids())
    events = [*answer.feed('{"name": "read_file", "arguments": null}'), *answer.end(calls=False)]
    assert [event.call.arguments for event in events if isinstance(event, Called)] == [None]


def test_beside_real_calls_and_without_tools_json_is_text() -> None:
    text = '{"name": "read_file", "arguments": {}}'
    answer = AnswerText(NAMES, Ids())
    assert [*answer.feed(text)] == []
    assert [*answer.end(calls=True)] == [TextDelta(text)]
    assert [*AnswerText((), Ids()).feed(text)] == [TextDelta(text)]


@given(st.text(alphabet='{}"name:<think>/`\ud83d\ude00 é', max_size=30), st.data())
@settings(max_examples=200, deadline=None)
def test_no_text_is_lost_however_it_comes(text: str, data: Any) -> None:
    def all_of(chunks: list[str]) -> tuple[str, str]:
        answer = AnswerText(NAMES, Ids())
        events = [event for chunk in chunks for event in answer.feed(chunk)] + [*answer.end(calls=False)]
        got = Answered(events, None)
        got.text.encode()
        return got.text, got.reasoning

    cut = all_of(pieces(data, text))
    assert cut == all_of([text])
    if "<think" not in text:
        assert cut[0] == whole_text(text)


# Answers


def answered(*data: dict[str, Any]) -> list[ModelEvent]:
    answer = Answer(ask(), PLACE)
    events = [event for one in data for event in answer.take(json.dumps(one), 0)]
    return [*events, *answer.end()]


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"delta": delta, "finish_reason": finish}]}


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 4}}, 4),
        ({"prompt_cache_hit_tokens": 5}, 5),
        ({"cached_tokens": 6}, 6),
        ({"prompt_tokens_details": {"cached_tokens": 99}}, 9),
        ({"prompt_tokens_details": None}, 0),
    ],
)
def test_what_was_cached(usage: dict[str, Any], tokens: int) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 2, **usage}
    for last in ({"usage": usage}, {"choices": [{"usage": usage}]}, {"x_groq": {"usage": usage}}):
        end = answered(chunk("stop", content="x"), last)[-1]
        assert isinstance(end, Ended)
        assert end.usage == TokenUsage(9, tokens, 2)


@pytest.mark.parametrize(
    ("reason", "finish"),
    [("stop", Finish.STOP), ("eos", Finish.STOP), ("length", Finish.LENGTH), ("content_filter", Finish.FILTERED)],
)
def test_why_an_answer_ended(reason: str, finish: Finish) -> None:
    end = answered(chunk(reason, content="x"))[-1]
    assert isinstance(end, Ended)
    assert end.finish is finish
    with pytest.raises(failures.ServerFailedError):
        answered(chunk("error", content="x"))


def test_answers_in_parts_refusals_and_lists() -> None:
    assert answered(chunk(content=[{"type": "text", "text": "a"}, {"text": "b"}]), chunk("stop", refusal="No."))[
        :-1
    ] == [
        TextDelta("a"),
        TextDelta("b"),
        TextDelta("No."),
    ]
    assert answered(chunk("stop", reasoning="hm", reasoning_content="hm"))[:-1] == [ReasoningDelta("hm")]


def test_a_cut_answer_makes_no_call_of_missing_arguments() -> None:
    events = answered(chunk("length", tool_calls=[part("read_file", "", index=0, id="a")]))
    assert [event.call.arguments for event in events if isinstance(event, Called)] == [None]
    assert isinstance(events[-1], Ended)
    assert events[-1].finish is Finish.LENGTH


def test_json_that_cannot_be_read_is_a_hole_in_the_answer() -> None:
    answer = Answer(ask(), PLACE)
    assert [*answer.take("keep-alive", 0)] == []
    with pytest.raises(failures.InterruptedStreamError):
        list(answer.take('{"choices": [', 0))
    assert [*answer.take("[DONE]", 0)] == []
    assert [*answer.take('{"choices": [', 0)] == []
