"""What a receipt says after edits: lines that were read, as they were read, and all of these."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.review.readings import still_read
from socreates_lsp.workspace.text import Change, Encoding, Position, Range, Text
from tests.unit.test_anchor import EDITS

TEXT = Text("".join(f"line {number}\n" for number in range(10)))


def read_after(first: int, last: int, *changes: Change) -> list[tuple[int, int]]:
    after, shifts = TEXT.edited_with_shifts(changes, Encoding.UTF16)
    spans = still_read([Range(Position(first, 0), Position(last, len(TEXT.line(last))))], shifts, after)
    return [(span.start.line, span.end.line) for span in spans]


@pytest.mark.parametrize(
    ("change", "left"),
    [
        (Change(Range.of(0, 0, 0, 0), "new\nnew\n"), [(4, 8)]),
        (Change(Range.of(4, 0, 4, 0), "new\n"), [(2, 3), (5, 7)]),
        (Change(Range.of(4, 0, 5, 0), ""), [(2, 5)]),
        (Change(Range.of(4, 2, 4, 3), "x"), [(2, 3), (5, 6)]),
        (Change(Range.of(4, 2, 4, 2), "x\ny"), [(2, 3), (6, 7)]),
        (Change(Range.of(2, 0, 7, 0), ""), []),
        (Change(Range.of(6, 0, 9, 0), "x\n"), [(2, 5)]),
        (Change(Range.of(9, 0, 9, 0), "x"), [(2, 6)]),
        (Change(None, "x"), []),
    ],
)
def test_lines_that_an_edit_touched_are_left_out_and_others_go_along(change: Change, left) -> None:
    assert read_after(2, 6, change) == left


@given(st.lists(st.sampled_from(["a", "b", "", "c d"]), max_size=8), st.lists(EDITS, max_size=4), st.data())
def test_what_is_said_to_be_read_holds_what_was_read(lines, edits, data) -> None:
    before = Text("\n".join(lines))
    first = data.draw(st.integers(0, before.last_line))
    last = data.draw(st.integers(first, before.last_line))
    after, shifts = before.edited_with_shifts(edits, Encoding.UTF32)
    read = [before.line(number) for number in range(first, last + 1)]
    at = 0
    for span in still_read([Range(Position(first, 0), Position(last, len(before.line(last))))], shifts, after):
        for number in span.lines:
            at = read.index(after.line(number), at) + 1
