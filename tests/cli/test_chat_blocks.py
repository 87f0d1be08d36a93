"""An answer in Markdown as a terminal shows it: cut into blocks once, set once, harmless."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from socreates_lsp.cli.chat.blocks import Blocks
from socreates_lsp.cli.chat.markdown import lines_of

ANSWER = """# Who closes it
A paragraph
of two lines.
- one
  more of it

  and more
- two

```python
a = 1

b = 2
```
| a | b |
|---|---|
| 1 | 2 |

> quoted

1. first
2. second"""


def blocks(*pieces: str) -> list[tuple[str, bool]]:
    made = Blocks()
    found = [block for piece in pieces for block in made.feed(piece)]
    return [(block.text, block.gap) for block in [*found, *made.end()]]


def test_an_answer_is_cut_where_nothing_more_can_belong_to_a_block() -> None:
    assert blocks(ANSWER) == [
        ("# Who closes it", False),
        ("A paragraph\nof two lines.", False),
        ("- one\n  more of it\n\n  and more", False),
        ("- two", False),
        ("```python\na = 1\n\nb = 2\n```", True),
        ("| a | b |\n|---|---|\n| 1 | 2 |", False),
        ("> quoted", True),
        ("1. first", True),
        ("2. second", False),
    ]


def test_a_point_is_its_quotation_its_question_and_why() -> None:
    point = "[question] app.py:2 naming\n> a = 1\n> b = 2\nWhat is `a`?\nWhy: nobody says so."
    parts = ["[question] app.py:2 naming", "> a = 1\n> b = 2", "What is `a`?", "Why: nobody says so."]
    assert blocks(point) == [(part, False) for part in parts]


def test_a_paragraph_stands_as_soon_as_it_has_ended() -> None:
    made = Blocks()
    assert made.feed("One line.\n") == []
    assert [block.text for block in made.feed("\n")] == ["One line."]
    assert made.end() == []
    assert [(block.text, block.gap) for block in made.feed("Another.\n\n")] == [("Another.", True)]


@given(st.text(alphabet="a-#`~*1.>| \n\t", max_size=80), st.lists(st.integers(0, 80)))
def test_where_the_pieces_are_cut_makes_no_difference(text: str, cuts: list[int]) -> None:
    ends = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    assert blocks(*(text[start:end] for start, end in pairwise(ends))) == blocks(text)


@given(st.text(alphabet="ab-#`~*1.>| \n", max_size=80))
def test_nothing_is_lost_or_said_twice(text: str) -> None:
    cut = "\n".join(block for block, _ in blocks(text))
    assert [line for line in cut.split("\n") if line.strip()] == [line for line in text.split("\n") if line.strip()]


def set_lines(markdown: str, width: int = 80, *, encoding: str = "utf-8") -> list[str]:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=file, width=width, force_terminal=True, _environ={"TERM": "xterm"})
    return [line.plain for block in blocks(markdown) for line in lines_of(block[0], console)]


def test_the_marks_of_markdown_are_gone_and_places_stay() -> None:
    assert set_lines("# Who\n\nSee `src/app.py:42`, **now**.\n\n- one\n- two\n") == [
        "Who",
        "See src/app.py:42, now.",
        " • one",
        " • two",
    ]


def test_a_link_is_text() -> None:
    assert set_lines("[docs](https://example.org/x)") == ["docs (https://example.org/x)"]


@pytest.mark.parametrize("text", ["a\x1b[2Jb", "a\u202eb", "a&#x202e;b", "`a\x07b`", "```\na\x1b]0;x\x07\n```"])
def test_what_commands_a_terminal_is_spelled(text: str) -> None:
    for line in set_lines(text):
        assert line.isprintable()


def test_lines_of_a_quotation_are_as_they_are() -> None:
    long = "x" * 60
    assert set_lines(f"```python\n    {long}\n\n\tb\n```", width=30) == [f"      {long}", "  ", "      b"]


def test_a_table_that_does_not_fit_stands_as_it_is_written() -> None:
    table = "| file | why |\n|---|---|\n| socreates_lsp/app.py:10 | it is long |"
    assert set_lines(table, width=20) == table.split("\n")
    assert any("it is long" in line for line in set_lines(table, width=60))


@pytest.mark.parametrize("width", [1, 2, 5, 12, 20])
def test_a_narrow_terminal_loses_nothing(width: int) -> None:
    said = "".join(set_lines("A paragraph of words, and src/app.py:42 of code.\n\n- an item\n", width))
    for word in ("paragraph", "src/app.py:42", "item"):
        assert word in "".join(said.split())


def test_signs_that_the_encoding_lacks_are_plain_ones() -> None:
    assert set_lines("- one\n\n> two\n", encoding="ascii") == [" - one", "| two"]
