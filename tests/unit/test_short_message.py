"""A message beside a line: one line, as much of it as is read at a glance."""

from __future__ import annotations

import pytest

from socreates_lsp.review.short_message import one_line, shortened


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Who closes it?", "Who closes it?"),
        ("Who closes it?\n\nAnd when?", "Who closes it? And when?"),
        ("And when?\n\n- on error\n- on success\n\nWho else?", "And when? on error; on success Who else?"),
        ("1. First?\n2. Second?", "First? Second?"),
        ("Is a > b, <https://x.example> so?", "Is a > b, <https://x.example> so?"),
        ("# A title\n> a quotation\n\ttext", "A title a quotation text"),
        ("It is\n```py\nreturn x\n```\nWhy?", "It is `return x` Why?"),
        ("", ""),
    ],
)
def test_a_text_on_one_line(text: str, line: str) -> None:
    assert one_line(text) == line


def test_what_is_too_much_goes_to_the_why() -> None:
    sentence = "What does the caller of `load` see then?"
    message, why = shortened("\n\n".join([sentence] * 20), "It leaks.")
    assert "\n" not in message
    assert len(message) <= 400
    assert message.endswith("?")
    assert why.endswith("then?\n\nIt leaks.")
    assert f"{message} {why}".count(sentence) == 20
    assert shortened(sentence, "") == (sentence, "")
    assert shortened("x" * 900, "y") == ("x" * 900, "y")
    assert shortened("x " * 300 + "end. And?", "") == ("x " * 300 + "end.", "And?")
