"""Lines, columns and edits of a text, against a reference that is slow and plain."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from socreates_lsp.workspace.text import Change, Encoding, Position, Range, Text, column_from_units, split_lines, units

PIECES = st.sampled_from(
    [
        *("a", "b", " ", "\t", "\r", "\n", "\r\n", "\f", "\v", "\x1c", "\x85", "\u2028", "\u2029"),
        *("é", "क्", "😀", "\ud83d", "\ude00", "\x00", "\ufeff"),
    ]
)
CONTENTS = st.lists(PIECES, max_size=30).map("".join)
ENCODINGS = st.sampled_from(list(Encoding))
PLACES = st.builds(Position, st.integers(0, 12), st.integers(0, 12))
CODECS = {Encoding.UTF8: ("utf-8", 1), Encoding.UTF16: ("utf-16-le", 2), Encoding.UTF32: ("utf-32-le", 4)}


def plain_lines(content: str) -> list[str]:
    """Cut at every ending, one character after the other."""
    lines, line = [], ""
    for index, ch in enumerate(content):
        line += ch
        if ch == "\n" or (ch == "\r" and content[index + 1 : index + 2] != "\n"):
            lines.append(line)
            line = ""
    return [*lines, line]


def plain_units(text: str, encoding: Encoding) -> int:
    codec, size = CODECS[encoding]
    return sum(len(ch.encode(codec, "surrogatepass")) // size for ch in text)


def plain_offset(content: str, place: Position, encoding: Encoding) -> int:
    """Where a client's position is in the whole text."""
    lines = plain_lines(content)
    if place.line >= len(lines):
        return len(content)
    offset = sum(map(len, lines[: place.line]))
    left = place.column
    for ch in lines[place.line]:
        if ch in "\r\n" or left < (size := plain_units(ch, encoding)):
            break
        left -= size
        offset += 1
    return offset


@given(CONTENTS)
def test_lines_end_at_the_three_endings_of_lsp_and_nowhere_else(content: str) -> None:
    assert split_lines(content) == plain_lines(content)
    text = Text(content)
    assert text.content == content
    assert len(text) == len(plain_lines(content))
    assert [text.line(number) for number in range(len(text))] == [line.rstrip("\r\n") for line in plain_lines(content)]


@given(CONTENTS, ENCODINGS)
def test_units_are_those_of_the_codec(content: str, encoding: Encoding) -> None:
    assert units(content, encoding) == plain_units(content, encoding)


@given(CONTENTS, PLACES, ENCODINGS)
@example("x", Position(0, 9), Encoding.UTF16)
@example("x\n", Position(1, 9), Encoding.UTF8)
@example("", Position(7, 7), Encoding.UTF32)
@example("😀x", Position(0, 1), Encoding.UTF16)
@example("😀x", Position(0, 3), Encoding.UTF8)
def test_a_position_of_the_client_is_where_the_reference_says(
    content: str, place: Position, encoding: Encoding
) -> None:
    text = Text(content)
    found = text.from_client(place, encoding)
    assert sum(map(len, text.lines[: found.line])) + found.column == plain_offset(content, place, encoding)


@given(CONTENTS, ENCODINGS, st.data())
def test_every_place_survives_the_way_to_the_client_and_back(content: str, encoding: Encoding, data) -> None:
    text = Text(content)
    line = data.draw(st.integers(0, len(text) - 1))
    place = Position(line, data.draw(st.integers(0, len(text.line(line)))))
    there = text.to_client(place, encoding)
    assert there == Position(line, plain_units(text.line(line)[: place.column], encoding))
    assert text.from_client(there, encoding) == place


@given(CONTENTS, st.integers(-3, 40), ENCODINGS)
def test_a_column_is_always_on_its_line(content: str, column: int, encoding: Encoding) -> None:
    line = content.replace("\r", "").replace("\n", "")
    assert 0 <= column_from_units(line, column, encoding) <= len(line)


CHANGES = st.lists(
    st.builds(Change, st.none() | st.builds(Range, PLACES, PLACES), st.lists(PIECES, max_size=5).map("".join)),
    min_size=1,
    max_size=6,
)


@given(CONTENTS, CHANGES, ENCODINGS)
@example("a\r", [Change(Range.of(1, 0, 1, 0), "\n")], Encoding.UTF16)
@example("a\r\nb", [Change(Range.of(0, 1, 1, 0), "\r")], Encoding.UTF16)
@example("a\rb\nc", [Change(Range.of(1, 0, 1, 1), "")], Encoding.UTF8)
@example("\fa\n\u2028b\n", [Change(Range.of(1, 1, 1, 2), "c")], Encoding.UTF32)
@example("abc", [Change(Range.of(0, 3, 0, 1), "")], Encoding.UTF16)
@example("no newline", [Change(Range.of(0, 99, 0, 99), "!")], Encoding.UTF16)
def test_edits_are_exact(content: str, changes: list[Change], encoding: Encoding) -> None:
    wanted = content
    for change in changes:
        if change.range is None:
            wanted = change.text
            continue
        ends = [plain_offset(wanted, place, encoding) for place in (change.range.start, change.range.end)]
        # A range written backwards means the same stretch, as in vscode-languageserver-textdocument.
        wanted = wanted[: min(ends)] + change.text + wanted[max(ends) :]
    text = Text(content)
    edited = text.edited(changes, encoding)
    assert edited.content == wanted
    assert list(edited.lines) == plain_lines(wanted)
    assert text.content == content


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_typing_after_a_form_feed_does_not_corrupt_the_buffer(ending: str) -> None:
    text = Text(f"one\f{ending}two\u2028\x85{ending}three")
    edited = text.edited([Change(Range.of(2, 5, 2, 5), "!"), Change(Range.of(1, 3, 1, 5), "")], Encoding.UTF16)
    assert edited.content == f"one\f{ending}two{ending}three!"


@given(CONTENTS, st.data())
def test_a_slice_is_what_stands_between_its_ends(content: str, data) -> None:
    text = Text(content)
    ends = []
    for _ in range(2):
        line = data.draw(st.integers(0, len(text) - 1))
        ends.append(Position(line, data.draw(st.integers(0, len(text.line(line))))))
    span = Range(min(ends), max(ends))
    start, end = (plain_offset(content, place, Encoding.UTF32) for place in (span.start, span.end))
    assert text.slice(span) == content[start:end]


@given(CONTENTS, st.data())
def test_a_trimmed_range_starts_and_ends_at_what_can_be_seen(content: str, data) -> None:
    text = Text(content)
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first, len(text) - 1))
    span = text.trimmed(first, last)
    assert (span.start.line, span.end.line) == (first, last)
    assert text.line(first)[: span.start.column].strip() == ""
    assert text.line(last)[span.end.column :].strip() == ""
    assert text.line(first)[span.start.column : span.start.column + 1].strip() or not text.line(first).strip()


@pytest.mark.parametrize(("content", "last"), [("", 0), ("a", 0), ("a\n", 0), ("a\n\n", 1), ("a\nb", 1), ("\n", 0)])
def test_the_empty_line_after_a_final_newline_is_no_line_of_text(content: str, last: int) -> None:
    assert Text(content).last_line == last


@given(CONTENTS, PLACES, PLACES)
def test_lines_touched_overlap_both_ways(content: str, one: Position, other: Position) -> None:
    first, second = Range(min(one, other), max(one, other)), Range(other, Position(other.line + 2, 0))
    assert first.overlaps_lines(second) == bool(set(first.lines) & set(second.lines)) == second.overlaps_lines(first)
