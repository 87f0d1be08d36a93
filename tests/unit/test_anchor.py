"""A finding goes where its lines go, and is stale rather than wrong."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from socreates_lsp.review.anchor import carried, place_of, placed, places_of
from socreates_lsp.review.finding import Finding, Related, Status, normalised
from socreates_lsp.workspace.text import Change, Encoding, Range, Text
from tests.unit.samples import URI, about

TOKENS = st.sampled_from(
    [
        *("a", "b", "ab", "f(x)", "a.b", "_x", "*", " ", "  ", "\t", "\f", "\u2028", "\x85", "é", "😀", "\ud800"),
        *("\n", "\n", "\r\n", "\r", "\n    "),
    ]
)
CONTENTS = st.lists(TOKENS, min_size=1, max_size=25).map("".join)
PLACES = st.integers(0, 12)
EDITS = st.builds(
    Change, st.builds(Range.of, PLACES, PLACES, PLACES, PLACES), st.lists(TOKENS, max_size=6).map("".join)
)


def anchored(finding: Finding, text: Text, twins: int = 0) -> Finding:
    """One finding, placed with no look at others."""
    return placed(finding, place_of(finding.quote, text, finding.range.start.line, twins), text)


def some_lines(text: Text, data) -> tuple[int, int]:
    """Lines of a text that begin and end with something to see."""
    visible = [number for number in range(len(text)) if text.line(number).strip()]
    assume(visible)
    first = data.draw(st.sampled_from(visible))
    last = data.draw(st.sampled_from([number for number in visible if number >= first][:4]))
    return first, last


@given(CONTENTS, st.lists(EDITS, max_size=4), st.data())
def test_after_any_edit_the_range_holds_the_quotation_or_the_finding_is_stale(content, edits, data) -> None:
    text = Text(content)
    finding = about(text, *some_lines(text, data))
    after, shifts = text.edited_with_shifts(edits, Encoding.UTF16)
    placed = anchored(carried(finding, URI, shifts), after)
    span = placed.range
    assert 0 <= span.start.line <= span.end.line < len(after)
    if placed.status is Status.OPEN:
        assert normalised(finding.quote) in normalised(after.slice(span))
        assert span == after.trimmed(span.start.line, span.end.line)
        assert after.line(span.start.line).strip()
        assert after.line(span.end.line).strip()
    else:
        assert placed.status is Status.STALE
        assert not places_of(finding.quote, after)


@given(CONTENTS, st.data())
def test_a_finding_stands_where_it_was_born(content, data) -> None:
    text = Text(content)
    finding = about(text, *some_lines(text, data))
    assert anchored(finding, text) is finding


@given(CONTENTS, st.integers(-5, 40), st.text(max_size=5))
@example("", 0, "")
@example("a\n", 99, "a")
def test_looking_for_anything_anywhere_never_raises(content, near, quote) -> None:
    place = place_of(quote, Text(content), near)
    assert place is None or normalised(quote) in normalised(Text(content).slice(place))


@given(CONTENTS, st.data(), st.lists(st.sampled_from(["x", "", "x y", "\t"]), min_size=1, max_size=4))
def test_lines_put_above_take_a_finding_along_even_next_to_its_twins(content, data, above) -> None:
    text = Text(content)
    first, last = some_lines(text, data)
    finding = about(text, first, last)
    at = data.draw(st.integers(0, first))
    change = Change(Range.of(at, 0, at, 0), "".join(f"{line}\n" for line in above))
    after, shifts = text.edited_with_shifts([change], Encoding.UTF16)
    # A \r alone at the end of the line above and our new line do not join: it starts with no \n.
    assume(not any(line == "" for line in above[:1]))
    placed = anchored(carried(finding, URI, shifts), after)
    assert placed.status is Status.OPEN
    assert placed.range.start.line == first + len(above)
    assert placed.range.end.line == last + len(above)


def test_lines_put_above_do_not_turn_a_finding_to_the_twin_that_now_stands_on_its_old_line() -> None:
    text = Text("try:\n    a()\nexcept E:\n    pass\ntry:\n    b()\nexcept E:\n    pass\n")
    finding = about(text, 6, 7)
    change = Change(Range.of(0, 0, 0, 0), "import os\nimport re\nimport sys\nimport abc\n")
    after, shifts = text.edited_with_shifts([change], Encoding.UTF8)
    assert anchored(carried(finding, URI, shifts), after).range.start.line == 10


def test_a_finding_whose_lines_are_deleted_does_not_move_to_their_twin() -> None:
    text = Text("a()\nreturn None\nb()\nreturn None\n")
    finding = about(text, 1)
    after, shifts = text.edited_with_shifts([Change(Range.of(1, 0, 2, 0), "")], Encoding.UTF8)
    placed = anchored(carried(finding, URI, shifts), after, twins=1)
    assert placed.status is Status.STALE
    back, shifts = after.edited_with_shifts([Change(Range.of(1, 0, 1, 0), "return None\n")], Encoding.UTF8)
    placed = anchored(carried(placed, URI, shifts), back, twins=1)
    assert (placed.status, placed.range.start.line) == (Status.OPEN, 1)


def test_cut_and_paste_takes_a_finding_along() -> None:
    text = Text("one()\ntwo()\nthree()\n")
    finding = about(text, 0)
    changes = [Change(Range.of(0, 0, 1, 0), ""), Change(Range.of(2, 0, 2, 0), "    one()\n")]
    after, shifts = text.edited_with_shifts(changes, Encoding.UTF8)
    placed = anchored(carried(finding, URI, shifts), after)
    assert (placed.status, placed.range) == (Status.OPEN, Range.of(2, 4, 2, 9))


def test_a_new_text_as_a_whole_moves_findings_with_their_lines() -> None:
    text = Text("x = 1\ny = 2\nx = 1\n")
    finding = about(text, 2)
    after, shifts = text.edited_with_shifts([Change(None, "import os\nx = 1\ny = 2\nx = 1\n")], Encoding.UTF8)
    assert anchored(carried(finding, URI, shifts), after).range.start.line == 3


@pytest.mark.parametrize(
    ("quote", "line"),
    [("x = f()", "max = f()"), ("return a", "return ab"), ("a", "_a"), ("pass", "bypass"), ("é", "né")],
)
def test_a_part_of_a_word_is_no_place(quote: str, line: str) -> None:
    assert place_of(quote, Text(line), 0) is None
    assert place_of(quote, Text(f"{line}; {quote};"), 0) is not None


def test_white_space_is_forgiven_and_blank_lines_are_no_ends() -> None:
    text = Text("\na   b\n\n    c\n\n")
    assert place_of("a b\nc", text, 0) == Range.of(1, 0, 3, 5)
    assert place_of("a\nb", text, 0) == Range.of(1, 0, 1, 5)


def test_lines_that_hold_nothing_else_come_first_and_then_the_nearest() -> None:
    text = Text("y = x + 1\nx\nz\nx\n")
    assert place_of("x", text, 9) == Range.of(3, 0, 3, 1)
    assert place_of("x", text, 2) == Range.of(1, 0, 1, 1)
    assert place_of("x", text, 0) == Range.of(0, 0, 0, 9)
    assert place_of("x", Text("y = x\nz\nz\nx\n"), 1) == Range.of(3, 0, 3, 1)


@pytest.mark.parametrize("status", [Status.ANSWERED, Status.DISMISSED, Status.WITHDRAWN, Status.RESOLVED])
def test_what_is_settled_moves_but_keeps_its_status(status: Status) -> None:
    text = Text("a()\nb()\n")
    finding = about(text, 1, status=status)
    assert anchored(finding, Text("c()\na()\nb()\n")).range.start.line == 2
    assert anchored(finding, Text("c()\n")).status is status


def test_a_stale_finding_opens_again_when_its_lines_come_back() -> None:
    text = Text("a()\nb()\n")
    stale = anchored(about(text, 1), Text("a()\n"))
    assert (stale.status, stale.range) == (Status.STALE, Range.of(0, 0, 0, 3)), "where the text ends now"
    assert anchored(stale, text).status is Status.OPEN


def test_related_places_move_with_their_document() -> None:
    text = Text("a()\nb()\n")
    related = (Related(URI, Range.of(0, 0, 0, 3), "here"), Related("file:///w/b.py", Range.of(0, 0, 0, 3), "there"))
    _, shifts = text.edited_with_shifts([Change(Range.of(0, 0, 0, 0), "x\n")], Encoding.UTF8)
    moved = carried(about(text, 1, related=related), URI, shifts)
    assert [one.range.start.line for one in moved.related] == [1, 0]
    elsewhere = carried(about(text, 1, uri="file:///w/c.py", related=related), URI, shifts)
    assert elsewhere.range.start.line == 1
    assert [one.range.start.line for one in elsewhere.related] == [1, 0]
