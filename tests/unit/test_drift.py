"""Drift, as a law: after any edits every range that is shown holds its quotation, or the finding looks stale."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.review.finding import Related, Status, normalised
from socreates_lsp.review.path import Path
from socreates_lsp.review.store import FindingStore
from socreates_lsp.workspace.text import Change, Encoding, Position, Range, Text
from tests.unit.samples import URI, about
from tests.unit.test_anchor import EDITS, some_lines

PIECES = ["a()", "b", "x = 1", "é😀()", "\ud800", " ", "\t", "\f", "\u2028", "\x85", "\n", "\n", "\r\n", "\r", "a()\n"]
TOKENS = st.sampled_from(PIECES)
CONTENTS = st.lists(TOKENS, min_size=1, max_size=30).map("".join)
ENCODINGS = st.sampled_from(list(Encoding))


class Buffer:
    """A text with its findings, as the server keeps them."""

    def __init__(self, content: str) -> None:
        self.store, self.text, self.version = FindingStore(), Text(content), 1

    def ask(self, first: int, last: int | None = None, **other) -> str:
        return self.store.add(about(self.text, first, last, **other), root=None, version=1, text=self.text).id

    def edit(self, *changes: Change, encoding: Encoding = Encoding.UTF16) -> set[str]:
        before = self.text
        self.text, shifts = before.edited_with_shifts(changes, encoding)
        self.version += 1
        return self.store.carry(URI, shifts, before, self.text, self.version)

    def states(self) -> list[tuple[str, int]]:
        return [(one.status.value, one.range.start.line) for one in self.store.anchored(URI, self.text)]

    def check(self) -> None:
        """What holds at every moment, and that a look at the text changes nothing more."""
        carried = list(self.store)
        assert self.store.anchored(URI, self.text, self.version) == carried
        for one in carried:
            assert 0 <= one.range.start.line <= one.range.end.line
            if one.status is Status.OPEN:
                assert normalised(one.quote) in normalised(self.text.slice(one.range))
                assert one.range == self.text.trimmed(one.range.start.line, one.range.end.line)
            else:
                assert one.status in {Status.STALE, Status.RESOLVED}


CHANGES = st.one_of(EDITS, st.builds(Change, st.none(), CONTENTS), st.just(Change(None, "")))


@given(CONTENTS, st.lists(st.lists(CHANGES, min_size=1, max_size=3), max_size=6), ENCODINGS, st.data())
def test_after_any_edits_a_range_holds_its_quotation_or_looks_stale(content, edits, encoding, data) -> None:
    buffer = Buffer(content)
    for _ in range(data.draw(st.integers(1, 3))):
        buffer.ask(*some_lines(buffer.text, data))
    for changes in edits:
        buffer.edit(*changes, encoding=encoding)
        buffer.check()


@given(CONTENTS, st.lists(CHANGES, max_size=5), ENCODINGS, st.data())
def test_a_finding_of_an_older_version_is_carried_through_all_edits_since(content, edits, encoding, data) -> None:
    text = Text(content)
    finding = about(text, *some_lines(text, data))
    after, shifts = text.edited_with_shifts(edits, encoding)
    late = FindingStore()
    kept = late.add(finding, root=None, version=1, text=after, shifts=shifts)
    if kept.status is Status.OPEN:
        assert normalised(kept.quote) in normalised(after.slice(kept.range))
    assert late.anchored(URI, after) == [kept]


@given(CONTENTS, st.lists(EDITS, max_size=4), ENCODINGS, st.data())
def test_the_ends_of_a_range_are_mapped_as_the_text_before_and_behind_them_is(content, edits, encoding, data) -> None:
    """What no edit touched is the same text after the edits as before."""
    text = Text(content)
    first, last = some_lines(text, data)
    span = text.trimmed(first, last)
    for change in edits:
        after, [shift] = text.edited_with_shifts([change], encoding)
        path = Path.of(span, [shift])
        if not path.touched:
            assert after.slice(path.span) == text.slice(span)
        if shift.span.start > span.end or shift.span.end < span.start:
            assert after.slice(path.span).replace("\r\n", "\n") == text.slice(span).replace("\r\n", "\n")
        text, span = after, path.span


@given(CONTENTS, EDITS, ENCODINGS)
def test_an_edit_told_as_whole_lines_gives_the_same_text(content, change, encoding) -> None:
    text = Text(content)
    span = text.stretch(change.range, encoding)
    assert text.with_stretch(*text.as_lines(span, change.text)).content == text.with_stretch(span, change.text).content


TEXT = "def a():\n    one()\n    two()\n\n    one()\n"


@pytest.mark.parametrize("text", ["", "\n", "  \n\t\n"])
def test_a_line_whose_text_is_deleted_or_made_blank_is_resolved(text: str) -> None:
    buffer = Buffer(TEXT)
    buffer.ask(2)
    buffer.edit(Change(Range.of(2, 0, 3, 0), text))
    assert [status for status, _ in buffer.states()] == ["resolved"]
    buffer.edit(Change(Range.of(2, 0, 2 + text.count("\n"), 0), "    two()\n"))
    assert buffer.states() == [("open", 2)]


def test_a_changed_line_is_stale_wherever_else_its_quotation_is_written_and_fresh_when_it_returns() -> None:
    buffer = Buffer(TEXT)
    buffer.ask(2)
    buffer.edit(Change(Range.of(2, 4, 2, 7), "three"))
    buffer.edit(Change(Range.of(5, 0, 5, 0), "    two()\n"))
    assert buffer.states() == [("stale", 2)]
    buffer.edit(Change(Range.of(0, 0, 0, 0), "\n\n"))
    buffer.edit(Change(Range.of(4, 4, 4, 9), "two"))
    assert buffer.states() == [("open", 4)]


def test_a_line_taken_away_letter_by_letter_and_given_back_so() -> None:
    buffer = Buffer(TEXT)
    buffer.ask(2)
    for column in range(8, 3, -1):
        buffer.edit(Change(Range.of(2, column, 2, column + 1), ""))
    assert buffer.states() == [("resolved", 2)]
    for column, letter in enumerate("two()", 4):
        buffer.edit(Change(Range.of(2, column, 2, column), letter))
    assert buffer.states() == [("open", 2)]


def test_the_first_line_of_several_is_deleted_and_comes_back() -> None:
    buffer = Buffer(TEXT)
    buffer.ask(1, 2)
    buffer.edit(Change(Range.of(1, 0, 2, 0), ""))
    assert buffer.states() == [("stale", 1)]
    buffer.edit(Change(Range.of(1, 0, 1, 0), "    one()\n"))
    assert buffer.states() == [("open", 1)]


def test_the_least_difference_of_two_lines_that_begin_alike_is_the_deletion_of_the_first() -> None:
    buffer = Buffer("foo(1)\nfoo(2)\n")
    ids = [buffer.ask(0), buffer.ask(1)]
    buffer.edit(Change(Range.of(0, 4, 1, 4), ""))
    assert buffer.states() == [("resolved", 0), ("open", 0)]
    buffer.edit(Change(Range.of(0, 4, 0, 4), "1)\nfoo("))
    assert [one.id for one in buffer.store if one.status is Status.OPEN] == ids


@pytest.mark.parametrize("status", [Status.DISMISSED, Status.ANSWERED, Status.WITHDRAWN, Status.RESOLVED])
def test_what_is_settled_goes_along_and_no_edit_opens_it(status: Status) -> None:
    buffer = Buffer(TEXT)
    buffer.store.set_status(buffer.ask(2), status)
    assert buffer.edit(Change(Range.of(0, 0, 0, 0), "\n")) == set(), "nothing that is shown has moved"
    buffer.edit(Change(Range.of(3, 0, 4, 0), ""))
    buffer.edit(Change(Range.of(3, 0, 3, 0), "    two()\n"))
    assert buffer.states() == [(status.value, 3)]


def test_related_places_go_along_to_the_column() -> None:
    buffer = Buffer(TEXT)
    other = (Related(URI, Range.of(2, 4, 2, 7), "here"),)
    buffer.ask(1, uri="file:///w/b.py", related=other)
    assert buffer.edit(Change(Range.of(2, 0, 2, 0), "if x: ")) == {"file:///w/b.py"}
    [finding] = buffer.store
    assert finding.related[0].range == Range(Position(2, 10), Position(2, 13))


def test_a_text_from_elsewhere_is_searched() -> None:
    buffer = Buffer(TEXT)
    buffer.ask(2)
    buffer.store.lose_track(URI)
    buffer.text = Text("x()\n" * 10 + "    two()\n")
    assert buffer.states() == [("open", 10)]
    buffer.store.lose_track(URI)
    buffer.text = Text("x()\n")
    assert [status for status, _ in buffer.states()] == ["stale"]


FILE = "".join(f"line {number}\n" for number in range(40))


@pytest.mark.parametrize("lines", [30, 5, 2, 1])
def test_a_finding_in_a_stretch_that_was_replaced_keeps_its_number_of_lines(lines: int) -> None:
    """Its quotation may come back anywhere in the stretch."""
    buffer = Buffer(FILE)
    buffer.ask(12, 13)
    buffer.edit(Change(Range.of(0, 0, 40, 0), "\n".join(f"other {number}" for number in range(lines + 1))))
    [finding] = buffer.store.of(URI)
    top = min(12, lines - 1)
    assert (finding.status, finding.range.start.line) == (Status.STALE, top)
    assert len(finding.range.lines) == 2
    buffer.edit(Change(Range.of(0, 0, 0, 0), "above\n"))
    assert buffer.states() == [("stale", top + 1)]
    buffer.edit(Change(Range.of(1, 0, 1, 0), "line 12\nline 13\n"))
    assert buffer.states() == [("open", 1)]


def test_a_related_place_whose_text_changed_points_at_nothing_else() -> None:
    buffer = Buffer(TEXT)
    other = (Related(URI, Range.of(2, 4, 2, 9), "here"), Related(URI, Range.of(4, 4, 4, 9), "and here"))
    buffer.ask(1, uri="file:///w/b.py", related=other)
    assert buffer.edit(Change(Range.of(2, 4, 2, 7), "three")) == {"file:///w/b.py"}
    [finding] = buffer.store
    assert [one.message for one in finding.related] == ["and here"]
    buffer.edit(Change(Range.of(4, 0, 5, 0), ""))
    [finding] = buffer.store
    assert finding.related == ()
