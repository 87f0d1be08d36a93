"""The ground of an answer: it stands through all that leaves its lines alone, and not a moment longer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.dialogue.held import NAMED, Ground, Held
from socreates_lsp.review.answers import Anchor, asked_again
from socreates_lsp.review.finding import Category, Finding, Kind, Reply, Source, Status
from socreates_lsp.review.ledger import Dismissal
from socreates_lsp.review.store import FindingStore
from socreates_lsp.review.talks import Talk, fields_of_talk, status_after, talk_of
from socreates_lsp.review.verdict import Verdict
from socreates_lsp.workspace.text import Change, Encoding, Range, Text

CITED = "with LOCK:"
OTHERS = ["a = 1", "", "b(a)", "    return a", "}", "with OTHER:"]
SAID = "The lock at db.py:3 protects this."


def ground(text: Text, line: int, last: int | None = None) -> Ground:
    anchor = Anchor.of("db.py", text, line, line if last is None else last, SAID)
    assert anchor is not None
    return Ground("file:///db.py", anchor, anchor.line)


LINES = st.lists(st.sampled_from(OTHERS), max_size=8)


@given(LINES, LINES, st.data())
def test_edits_of_other_lines_leave_it_standing(above: list[str], below: list[str], data: st.DataObject) -> None:
    lines = [*above, f"    {CITED}", *below]
    text = Text("".join(f"{line}\n" for line in lines))
    one = ground(text, len(above))
    for _ in range(data.draw(st.integers(1, 6))):
        at = next(number for number in range(len(text)) if CITED in text.line(number))
        inserted = "".join(f"{line}\n" for line in data.draw(LINES))
        if data.draw(st.booleans()):
            first = data.draw(st.integers(0, at))
            end = data.draw(st.integers(first, at))
        else:
            first = data.draw(st.integers(at + 1, text.last_line + 1))
            end = data.draw(st.integers(first, text.last_line + 1))
        text, shifts = text.edited_with_shifts([Change(Range.of(first, 0, end, 0), inserted)], Encoding.UTF32)
        assert not one.edited(text, shifts)
        assert one.stands
        assert CITED in text.line(one.line)
        assert one.anchor.place_in(text) is not None


@given(LINES, LINES, st.text(st.characters(categories=["L", "P"]), min_size=1, max_size=3), st.integers(0, 10))
def test_an_edit_of_the_line_takes_it_away_and_undo_brings_it_back(
    above: list[str], below: list[str], inserted: str, column: int
) -> None:
    text = Text("".join(f"{line}\n" for line in [*above, CITED, *below]))
    one = ground(text, len(above))
    place = (len(above), column, len(above), column)
    edited, shifts = text.edited_with_shifts([Change(Range.of(*place), inserted)], Encoding.UTF32)
    assert one.edited(edited, shifts)
    assert not one.stands
    back = Range.of(len(above), column, len(above), column + len(inserted))
    undone, shifts = edited.edited_with_shifts([Change(back, "")], Encoding.UTF32)
    assert undone.content == text.content
    assert one.edited(undone, shifts)
    assert (one.stands, one.line) == (True, len(above))


def test_of_equal_lines_it_is_the_one_that_was_cited() -> None:
    lines = ["def one():", "    with LOCK:", "        a()", "", "def two():", "    with LOCK:", "        b()"]
    one = ground(Text("\n".join(lines)), 1)
    del lines[1]
    assert one.look(Text("\n".join(lines)))
    assert not one.stands
    lines.insert(1, "    with LOCK:")
    lines.insert(0, "# above")
    assert one.look(Text("\n".join(lines)))
    assert (one.stands, one.line) == (True, 2)


def test_among_very_many_equal_lines_it_is_not_clear() -> None:
    text = Text("x()\n" * 50)
    assert ground(text, 7).anchor.place_in(text) is None


def test_among_very_many_equal_lines_edits_take_it_along() -> None:
    one = ground(Text("x()\n" * 50), 7)
    text, shifts = Text("x()\n" * 50).edited_with_shifts([Change(Range.of(2, 0, 2, 0), "y()\n")], Encoding.UTF32)
    assert not one.edited(text, shifts)
    assert (one.stands, one.line) == (True, 8)
    text, shifts = text.edited_with_shifts([Change(Range.of(8, 0, 8, 1), "z")], Encoding.UTF32)
    assert one.edited(text, shifts)
    assert not one.stands


@pytest.mark.parametrize("line", [0, 2])
def test_blank_lines_are_no_ground(line: int) -> None:
    assert Anchor.of("db.py", Text("\nx\n  \n"), line, line, SAID) is None


def test_a_long_answer_is_cut_where_it_is_put_again() -> None:
    assert asked_again("a\nb") == "You said: “a b” Is it still so?"
    assert len(asked_again("word " * 200)) < 240


# Talks

FINDING = Finding(
    "0123456789abcdef", Kind.QUESTION, Category.CONCURRENCY, "file:///app.py", Range.of(0, 0, 0, 3), "Who else writes?"
    , "Two may.", "x()", 0.7, Source.MODEL,
)  # fmt: skip


def talk(status: Status = Status.ANSWERED, anchors: tuple[Anchor, ...] = ()) -> Talk:
    about = Dismissal.of(FINDING, "app.py", Text("x()\n"), "", "2026-01-01T00:00:00+00:00")
    return Talk(about, status, (Reply("user", SAID, "2026-01-01T00:00:00+00:00"),), anchors)


@given(
    st.sampled_from([Status.OPEN, Status.ANSWERED, Status.WITHDRAWN, Status.RESOLVED]),
    st.lists(st.tuples(st.text(min_size=1).filter(str.strip), st.text()), max_size=4),
    st.booleans(),
)
def test_a_talk_comes_back_as_it_was(status: Status, said: list[tuple[str, str]], stood: bool) -> None:
    text = Text("a\nwith LOCK:\n")
    anchor = ground(text, 1).anchor
    thread = tuple(Reply(author[:40], words, "now") for words, author in said)
    whole = replace(talk(status, (anchor,)), thread=thread, stood=stood)
    assert talk_of(fields_of_talk(whole)) == whole


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(["status", "thread", "anchors", "stood", "quote", "path", "category", "line"]), JSON)
def test_whatever_stands_in_a_file_is_read_without_harm(name: str, value: object) -> None:
    read = talk_of({**fields_of_talk(talk()), name: value})
    assert read is None or read.status in {Status.OPEN, Status.ANSWERED, Status.WITHDRAWN, Status.RESOLVED}


@pytest.mark.parametrize(
    ("verdict", "text", "before", "anchored", "after"),
    [
        (Verdict.WITHDRAWN, "No.", Status.OPEN, False, Status.WITHDRAWN),
        (Verdict.RESOLVED, "Look again", Status.OPEN, False, Status.RESOLVED),
        (Verdict.STANDS, "It is guarded.", Status.OPEN, False, Status.OPEN),
        (Verdict.STANDS, "See db.py:3.", Status.OPEN, True, Status.ANSWERED),
        (Verdict.STANDS, "What of db.py:3?", Status.OPEN, True, Status.OPEN),
        (Verdict.STANDS, "It is intended!", Status.OPEN, False, Status.ANSWERED),
        (Verdict.STANDS, "Tell me more", Status.WITHDRAWN, False, Status.WITHDRAWN),
        (Verdict.STANDS, "Hm.", Status.ANSWERED, False, Status.ANSWERED),
    ],
)
def test_what_a_reply_comes_to(verdict: Verdict, text: str, before: Status, anchored: bool, after: Status) -> None:
    assert status_after(verdict, text, before, anchored=anchored) is after


@pytest.mark.parametrize(
    ("status", "stood", "source", "found"),
    [
        (Status.RESOLVED, True, Source.MODEL, Status.RESOLVED),
        (Status.RESOLVED, False, Source.MODEL, Status.OPEN),
        (Status.RESOLVED, True, Source.EXAMINER, Status.OPEN),
        (Status.WITHDRAWN, False, Source.EXAMINER, Status.WITHDRAWN),
    ],
)
def test_the_status_of_what_is_found_again(status: Status, stood: bool, source: Source, found: Status) -> None:
    whole = replace(talk(status), stood=stood)
    assert replace(whole, about=replace(whole.about, source=source)).status_when_found is found


# Law 3: what opens again stands on its quotation, or is stale

EDITS = st.lists(
    st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 2), st.sampled_from(["", "x()\n", "y()\n", "z\nz\n"])),
    max_size=8,
)


@given(EDITS)
def test_what_opens_again_stands_on_its_quotation_or_is_stale(edits: list[tuple[bool, int, int, str]]) -> None:
    store, uri, other = FindingStore(), FINDING.uri, "file:///db.py"
    texts = {uri: Text("a\nx()\nb\nc\n"), other: Text("u\nwith LOCK:\nv\nw\n")}
    store.add(replace(FINDING, range=Range.of(1, 0, 1, 3)), root=None, version=1, text=texts[uri])
    store.set_status(FINDING.id, Status.ANSWERED)
    held = Held(None, talk(), [ground(texts[other], 1)])
    for version, (in_other, line, lines, inserted) in enumerate(edits, 2):
        where = other if in_other else uri
        first = min(line, texts[where].last_line + 1)
        change = Change(Range.of(first, 0, first + lines, 0), inserted)
        before = texts[where]
        texts[where], shifts = before.edited_with_shifts([change], Encoding.UTF32)
        store.carry(where, shifts, before, texts[where])
        if in_other:
            held.grounds[0].edited(texts[other], shifts)
            finding = store.get(FINDING.id)
            assert finding is not None
            store.amend(held.shown(finding, texts[other]))
        (now,) = store.anchored(uri, texts[uri], version)
        stands = held.grounds[0].stands
        assert (now.status is Status.ANSWERED) is stands
        assert (now.asked_again == "", [one.message for one in now.related]) == (stands, [] if stands else [NAMED])
        if now.status is Status.OPEN:
            assert texts[uri].slice(now.range) == "x()"
        elif not stands:
            assert now.status in {Status.STALE, Status.RESOLVED}
