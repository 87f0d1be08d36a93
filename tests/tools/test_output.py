"""What a command printed, made readable and short."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.tools.output import Kept, clean


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\x1b[31mred\x1b[0m", "red"),
        (b"\x1b]0;title\x07x\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "xlink"),
        (b"\x1bP1;2q\x1b\\x\x1b(Bx\x1b7", "xx"),
        (b"10%\r20%\r100%\n", "100%"),
        (b"a\r\nb\r\n", "a\nb"),
        (b"a\r\r\nb", "a\nb"),
        (b"bo\x08old\x07", "bold"),
        (b"bad \xff byte", "bad \ufffd byte"),
        ("🦉 é\t1".encode(), "🦉 é\t1"),
        (b"nul\0\x0c\x9b", "nul\ufffd"),
        (b"\n\na\n\n\n", "\n\na"),
        (b"", ""),
    ],
)
def test_terminals_are_made_text(data: bytes, text: str) -> None:
    assert clean(data) == text


def test_the_head_and_the_tail_of_a_long_output() -> None:
    kept = Kept(64_000)
    for number in range(1, 2001):
        kept.add(f"line {number}\n".encode())
    text = kept.text(600)
    assert len(text) <= 600
    assert text.startswith("line 1\nline 2\n")
    assert text.endswith("line 1999\nline 2000")
    assert "characters left out]\nline" in text


def test_an_endless_output_takes_no_endless_room() -> None:
    kept = Kept(100)
    for number in range(5000):
        kept.add(f"{number}\n".encode())
    text = kept.text(10_000)
    assert len(text) < 500
    assert text.startswith("0\n1\n")
    assert text.endswith("\n4999")
    assert "[about 23," in text


@given(st.lists(st.binary(max_size=40), max_size=30), st.integers(1, 60), st.integers(0, 300))
def test_it_is_never_longer_than_it_may_be(pieces: list[bytes], most: int, limit: int) -> None:
    kept = Kept(most)
    for piece in pieces:
        kept.add(piece)
    assert len(kept.text(limit)) <= limit
    if sum(map(len, pieces)) <= most and len(clean(b"".join(pieces))) <= limit:
        assert kept.text(limit) == clean(b"".join(pieces))
