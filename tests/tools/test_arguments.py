"""Arguments that are not what the schema says are told, and repaired only where they can mean one thing."""

from __future__ import annotations

import pytest

from socreates_lsp.tools.arguments import checked, usage
from socreates_lsp.tools.refusal import ToolRefusalError

SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "line": {"type": "integer"},
        "kind": {"type": "string", "enum": ["question", "warning"]},
        "share": {"type": "number"},
        "deep": {"type": "boolean"},
        "names": {"type": "array"},
        "more": {"type": "object"},
    },
    "required": ["path"],
}


def test_what_fits_is_taken_as_it_is_and_null_is_absent() -> None:
    given = {"path": "a", "line": 3, "kind": None, "share": 1, "deep": True, "names": [], "more": {}}
    assert checked("t", given, SCHEMA) == {key: value for key, value in given.items() if key != "kind"}
    assert checked("t", {}, {"type": "object", "properties": {}}) == {}


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"line": "3"}, 3),
        ({"line": 3.0}, 3),
        ({"line": " 3.0 "}, 3),
        ({"line": "-1"}, -1),
        ({"deep": "true"}, True),
        ({"deep": "False"}, False),
    ],
)
def test_whole_numbers_and_truth_values_are_taken_however_they_are_written(
    given: dict[str, object], meant: object
) -> None:
    (taken,) = [value for name, value in checked("t", {"path": "3", **given}, SCHEMA).items() if name != "path"]
    assert taken == meant
    assert type(taken) is type(meant)
    assert checked("t", {"path": "3"}, SCHEMA) == {"path": "3"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "t needs the argument path"),
        ({"path": None}, "t needs the argument path"),
        ({"path": "a", "file": "b"}, "t has no argument 'file'"),
        ({"path": "a", "file": None}, "t has no argument 'file'"),
        ({"path": 1}, "path of t must be a string, not 1"),
        ({"path": "a", "line": "5a"}, "line of t must be a whole number, not '5a'"),
        ({"path": "a", "line": "5.5"}, "line of t must be a whole number, not '5.5'"),
        ({"path": "a", "line": ""}, "line of t must be a whole number, not ''"),
        ({"path": "a", "line": "²"}, "line of t must be a whole number, not '²'"),
        ({"path": "a", "line": "9" * 5000}, "line of t must be a whole number, not '999"),
        ({"path": "a", "line": 1e300}, "line of t must be a whole number, not 1e+300"),
        ({"path": "a", "line": float("inf")}, "line of t must be a whole number, not inf"),
        ({"path": "a", "line": float("nan")}, "line of t must be a whole number, not nan"),
        ({"path": "a", "line": True}, "line of t must be a whole number, not True"),
        ({"path": "a", "line": 5.5}, "line of t must be a whole number, not 5.5"),
        ({"path": "a", "share": True}, "share of t must be a number"),
        ({"path": "a", "deep": 1}, "deep of t must be true or false"),
        ({"path": "a", "deep": "yes"}, "deep of t must be true or false, not 'yes'"),
        ({"path": "a", "names": "b"}, "names of t must be a list"),
        ({"path": "a", "more": []}, "more of t must be an object"),
        ({"path": "a", "kind": "note"}, "kind of t must be one of question, warning"),
    ],
)
def test_a_refusal_names_the_right_form(given: dict[str, object], words: str) -> None:
    with pytest.raises(ToolRefusalError) as caught:
        checked("t", given, SCHEMA)
    assert str(caught.value).startswith(words)
    assert "call it as t(path: string, line?: integer, kind?: string" in str(caught.value)


def test_a_long_or_strange_value_stays_on_one_short_line() -> None:
    with pytest.raises(ToolRefusalError) as caught:
        checked("t", {"path": ["x\n\x1b" * 1000]}, SCHEMA)
    assert "\n" not in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_usage_marks_what_can_be_left_out() -> None:
    assert usage("t", {"properties": {"a": {"type": "string"}}, "required": ["a"]}) == "t(a: string)"
    assert usage("t", {"properties": {"a": {"type": "string"}}}) == "t(a?: string)"
