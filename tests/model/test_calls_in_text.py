"""Calls that a model was asked to write as text, however it does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.model.calls_in_text import CallsInText
from socreates_lsp.model.text_tools import TextTools
from socreates_lsp.model.types import Finish
from socreates_lsp.model.written_call import MOST_HELD, Written, may_become_call
from socreates_lsp.testkit import Reply, ScriptedServer
from tests.model.talk import Answered, openai_at, talk

OFFERED = {"read_file", "list_files"}
CALL = '{"name": "read_file", "arguments": {"path": "x"}}'
OTHER = '{"name": "list_files", "arguments": {}}'


def told(text: str, size: int = 0) -> tuple[str, list[Written]]:
    """The words and the calls of a text that comes in pieces of a size."""
    calls = CallsInText(OFFERED)
    step = size or max(len(text), 1)
    found = [one for at in range(0, len(text), step) for one in calls.feed(text[at : at + step])] + [*calls.end()]
    return "".join(one for one in found if isinstance(one, str)), [one for one in found if isinstance(one, Written)]


ONE = [Written("read_file", '{"path": "x"}')]


@pytest.mark.parametrize(
    ("text", "words", "calls"),
    [
        (CALL, "", ONE),
        (f"Let me look.\n\n{CALL}", "Let me look.\n\n", ONE),
        (f"Let me look.\n```json\n{CALL}\n```\n", "Let me look.\n", ONE),
        (f"<tool_call>\n{CALL}\n</tool_call>\nIt says: nothing.", "", ONE),
        (f"{CALL}\nResult of read_file:\n1 made up", "", ONE),
        (f"{CALL} and more", "", ONE),
        (f"{CALL}\n{OTHER}", "", [*ONE, Written("list_files", "{}")]),
        (f"{CALL}{OTHER}", "", [*ONE, Written("list_files", "{}")]),
        (f"Both.\n{CALL},\n\n{OTHER}\nDone.", "Both.\n", [*ONE, Written("list_files", "{}")]),
        ('{"tool": "read_file", "args": {"path": "x"}}', "", ONE),
        ('{"tool": "read_file", "parameters": {"path": "x"}}', "", ONE),
        ('{"name": "read_file", "thought": "hm", "arguments": {"path": "x"}}', "", ONE),
        ('{\n  "name": "read_file",\n  "arguments": {\n    "path": "x"\n  }\n}', "",
         [Written("read_file", '{"path": "x"}')]),
        ('Look:\n{"name": "read_file", "arguments": {"path": "x"', "Look:\n",
         [Written("read_file", '{"name": "read_file", "arguments": {"path": "x"')]),
        ('{"name": "read_file", "arguments": {path: x}}', "",
         [Written("read_file", '{"name": "read_file", "arguments": {path: x}}')]),
        ('Why does {"name": "read_file", "arguments": {}} stand here?', None, []),
        ('{"name": "read_file"} appears at x.py:3', None, []),
        ('{"name": "other", "arguments": {}}\nWhy?', None, []),
        ('{"name": "read_file", "path": "x"', None, []),
        ('{"name": "other", "arguments": {"path": "x"', None, []),
        ("{x} is odd.\n{\n\n{y}", None, []),
        ("```python\nx = {}\n```\nWhy?", None, []),
        ("```json\n{}\n```", None, []),
        (" \n\nWhy?\n  ", None, []),
        ("", None, []),
    ],
)  # fmt: skip
def test_words_and_calls(text: str, words: str | None, calls: list[Written]) -> None:
    for size in (0, 1, 2, 7):
        assert told(text, size) == (text if words is None else words, calls), size


@given(st.lists(st.sampled_from([CALL, OTHER, "{", "}", '"', "\n", " ", "Why?", "```json", "\\", '{"name": "', "{}"])))
@settings(max_examples=200, deadline=None)
def test_it_is_the_same_however_it_is_cut(parts: list[str]) -> None:
    text = "".join(parts)
    whole = told(text)
    assert all(told(text, size) == whole for size in (1, 3))
    if not whole[1]:
        assert whole[0] == text


def test_words_go_out_as_they_come() -> None:
    calls = CallsInText(OFFERED)
    assert [*calls.feed("Why")] == ["Why"]
    assert [*calls.feed(" here?\n{")] == [" here?\n"]
    assert [*calls.feed("x}")] == ["{x}"]


def test_long_texts_are_no_calls_and_take_their_time_only_once() -> None:
    long = '{"name": "read_file", "arguments": {"a": "' + "x" * MOST_HELD
    text = f"{long}\n" * 20
    assert told(text, 100) == (text, [])
    whole = f'{long}"}}}}\nWhy?'
    assert [told(whole, size) for size in (0, 100)] == [(whole, [])] * 2
    many = '{"name":\n' * 20_000
    assert told(many, 9)[0] == many
    assert [*CallsInText(()).feed(CALL)] == [CALL]


def test_escapes_do_not_hide_an_end() -> None:
    text = '{"name": "read_file", "arguments": {"path": "a\\"}\\\\"}}'
    assert told(text, 1)[1] == [Written("read_file", json.dumps({"path": 'a"}\\'}))]
    assert may_become_call(text)
    assert not may_become_call(text + "x")


async def through_text(*replies: str, **more: Any) -> Answered:
    with ScriptedServer([Reply(reply, piece=3, **more) for reply in replies]) as server:
        return await talk(TextTools(openai_at(server), always=True))


async def test_prose_before_a_call_is_said_and_the_call_counts() -> None:
    got = await through_text(f"Let me look.\n{CALL}\nResult: none.")
    assert (got.text, got.end.finish) == ("Let me look.\n", Finish.CALLS)
    assert [(call.name, call.arguments) for call in got.calls] == [("read_file", {"path": "x"})]


async def test_of_several_calls_the_first_is_run_and_the_model_told_of_the_others() -> None:
    got = await through_text(f"{CALL}\n{OTHER}\n{CALL}")
    assert [(call.name, call.arguments) for call in got.calls] == [
        ("read_file", {"path": "x"}), ("list_files", None), ("read_file", None),
    ]  # fmt: skip
    assert all("one call per message" in call.raw for call in got.calls[1:])
    assert len({call.id for call in got.calls}) == 3


async def test_a_call_that_does_not_end_is_told_and_not_shown() -> None:
    got = await through_text('{"name": "read_file", "arguments": {"path": "x"', finish="length")
    assert (got.text, got.end.finish) == ("", Finish.LENGTH)
    assert [(call.name, call.arguments) for call in got.calls] == [("read_file", None)]
