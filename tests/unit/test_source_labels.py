"""The labels of sources in a text: how they are read, and that what was not read is marked, once, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.agent.source_labels import UNVERIFIED, Origin, checked, labels, without_labels


def read(text: str) -> list[tuple[str, str, int | None, int | None]]:
    return [(one.origin.value, one.path or one.reference, one.line, one.last) for one in labels(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It opens [repo: src/a.py:12].", [("repo", "src/a.py", 11, 11)]),
        ("[repo: a.py:12-15]", [("repo", "a.py", 11, 14)]),
        ("[repo: a.py:15-12]", [("repo", "a.py", 11, 14)]),
        ("[repo: a.py:L12–L15]", [("repo", "a.py", 11, 14)]),
        ("[repo: a b.py:3]", [("repo", "a b.py", 2, 2)]),
        ("[repo: `.\\src\\a.py`: 3]", [("repo", "src/a.py", 2, 2)]),
        ("[repo: ./a.py]", [("repo", "a.py", None, None)]),
        ("[repo: a.py:2, 5-6; b.py:1]", [("repo", "a.py", 1, 1), ("repo", "a.py", 4, 5), ("repo", "b.py", 0, 0)]),
        ("[Repo:a.py:0]", [("repo", "a.py", -1, -1)]),
        ("【repo\\: a.py:1】 [memory: key]", [("repo", "a.py", 0, 0), ("memory", "", None, None)]),
        ("[repo: a.py:3](http://x)", [("repo", "a.py", 2, 2)]),
        ("[docs: guide.md#3]", [("docs", "guide.md#3", None, None)]),
        ("[web: https://x.org/y?z=1]", [("web", "https://x.org/y?z=1", None, None)]),
        ("[memory] and [ inference ]", [("memory", "", None, None), ("inference", "", None, None)]),
        ("[question] a.py:3 [SQ2] [[memory] [repo:] [web] list[memory", []),
        ("[repo: a.py\n:3]", []),
    ],
)
def test_labels_are_read(text: str, expected: list[object]) -> None:
    assert read(text) == expected


def test_a_label_stands_where_its_span_says() -> None:
    text = "Opened [repo: a.py:2], I think [inference]."
    assert [text[slice(*one.span)] for one in labels(text)] == ["[repo: a.py:2]", "[inference]"]
    assert [one.reference for one in labels("[repo: a.py:9-2, 4]")] == ["a.py:2-9", "a.py:4"]


def test_what_is_not_known_is_marked_once() -> None:
    text = "A [repo: a.py:2], b [repo: b.py:1, 2] and c [inference]."
    marked = checked(text, lambda one: one.origin is Origin.INFERENCE or (one.path == "a.py" or one.line == 0))
    assert marked == f"A [repo: a.py:2], b [repo: b.py:1, 2] {UNVERIFIED} and c [inference]."
    assert checked(marked, lambda _: False).count(UNVERIFIED) == 3
    assert checked(checked(text, lambda _: False), lambda _: False) == checked(text, lambda _: False)


PIECES = st.sampled_from(["[repo: a.py:1]", "[memory]", "[", "]", "(", " ", "\n", UNVERIFIED, "a.py:2", "[repo: ", "é"])


@given(st.lists(PIECES).map("".join))
def test_nothing_but_marks_is_added(text: str) -> None:
    assert checked(text, lambda _: True) == text
    marked = checked(text, lambda _: False)
    assert marked.replace(f" {UNVERIFIED}", "") == text.replace(f" {UNVERIFIED}", "")
    assert len(labels(marked)) == len(labels(text))
    assert all(marked[: one.span[0]].count("\n") <= text.count("\n") for one in labels(marked))


def test_a_text_without_its_labels() -> None:
    text = "It is open [repo: a.py:2]. [question] b.py:3 stays [inference], and [SQ1]."
    assert without_labels(text) == "It is open. [question] b.py:3 stays, and [SQ1]."
