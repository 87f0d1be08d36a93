"""Questions about lines that look the same: each has a line of its own, and comes back to it with an undo."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from socreates_lsp.review.finding import Kind, Source, Status, normalised
from socreates_lsp.review.store import FindingStore
from socreates_lsp.review.target import Target
from socreates_lsp.workspace.text import Change, Encoding, Range, Text
from tests.unit.samples import URI, about

CALLS = 'import requests\n\ndef a():\n    requests.get("x")\n\ndef b():\n    requests.get("x")\n'
"""Lines 3 and 6 are equal."""

LINES = st.sampled_from(["a()\n", "a()\n", "  a()\n", "b()\n", "a()\na()\n", "a() ; b()\n", "\n", "x a() a()\n"])
TEXTS = st.lists(LINES, min_size=2, max_size=12).map("".join)
PLACES = st.integers(0, 14)
INSERTED = st.lists(st.sampled_from(["a()\n", "b()\n", "\n", "a()", "x", " "]), max_size=4).map("".join)
EDITS = st.builds(
    Change,
    st.one_of(
        st.builds(lambda first, lines: Range.of(first, 0, first + lines, 0), PLACES, st.integers(0, 4)),
        st.builds(Range.of, PLACES, st.integers(0, 5), PLACES, st.integers(0, 5)),
        st.none(),
    ),
    INSERTED,
)


class Editor:
    """A buffer with its findings, and an undo."""

    def __init__(self, content: str) -> None:
        self.store = FindingStore()
        self.text = Text(content)
        self.version = 1
        self._undo: list[Change] = []

    def ask(self, first: int, last: int | None = None) -> str:
        """Ask about lines; the id."""
        finding = about(self.text, first, last)
        return self.store.add(finding, root="/w", version=self.version, text=self.text).id

    def edit(self, change: Change, *, undo: bool = False) -> None:
        """Apply one edit."""
        before = self.text
        span = Range.of(0, 0, *_ends(before)) if change.range is None else before.stretch(change.range, Encoding.UTF32)
        if not undo:
            self._undo.append(_inverse(before, span, change.text))
        self.text, shifts = before.edited_with_shifts([change], Encoding.UTF32)
        self.version += 1
        self.store.carry(URI, shifts, before, self.text, self.version)

    def undo(self) -> None:
        """Take the last edit back, as an editor does: by another edit."""
        self.edit(self._undo.pop(), undo=True)

    def places(self) -> dict[str, tuple[Status, Range]]:
        """Every finding, placed in the text of this moment."""
        return {one.id: (one.status, one.range) for one in self.store.anchored(URI, self.text, self.version)}

    def lines(self) -> list[int | None]:
        """The line of every finding; None if it is stale."""
        return [span.start.line if status is Status.OPEN else None for status, span in self.places().values()]

    def check(self) -> None:
        """What holds at every moment."""
        self.places()
        standing = [one for one in self.store if one.status is Status.OPEN]
        for one, other in combinations(standing, 2):
            assert normalised(one.quote) != normalised(other.quote) or one.range != other.range
        for one in standing:
            assert normalised(one.quote) in normalised(self.text.slice(one.range))


def _ends(text: Text) -> tuple[int, int]:
    return text.end.line, text.end.column


def _inverse(before: Text, span: Range, inserted: str) -> Change:
    after = before.with_stretch(span, inserted)
    # The end of what was put in, counted from the end of the text.
    rest = len(before.content) - _offset(before, span.end.line, span.end.column)
    end = len(after.content) - rest
    line = after.line_at(end) if end < len(after.content) else len(after) - 1
    return Change(Range(span.start, Range.of(0, 0, line, end - after.offset_of(line)).end), before.slice(span))


def _offset(text: Text, line: int, column: int) -> int:
    return text.offset_of(line) + column


def asked(editor: Editor, data) -> dict[str, tuple[Status, Range]]:
    """Ask about some lines that can be quoted; where each stands."""
    visible = [line for line in range(len(editor.text)) if editor.text.line(line).strip()]
    for line in data.draw(st.lists(st.sampled_from(visible or [0]), unique=True, max_size=8)):
        if editor.text.line(line).strip():
            editor.ask(line)
    return editor.places()


@given(TEXTS, st.lists(st.tuples(EDITS, st.booleans()), max_size=6), st.data())
def test_no_two_stand_on_one_place_and_an_undo_brings_each_home(content, edits, data) -> None:
    editor = Editor(content)
    born = asked(editor, data)
    assert all(status is Status.OPEN for status, _ in born.values())
    done = 0
    for edit, undone in edits:
        editor.edit(edit)
        done += 1
        if data.draw(st.booleans()):
            editor.check()
        if undone:
            editor.undo()
            done -= 1
            if data.draw(st.booleans()):
                editor.check()
    for _ in range(done):
        editor.undo()
        if data.draw(st.booleans()):
            editor.check()
    assert editor.text.content == content
    editor.check()
    assert editor.places() == born


@given(TEXTS, st.data(), st.integers(0, 12), st.integers(1, 6))
def test_a_block_that_is_cut_and_put_back_below_new_lines_has_its_questions_again(content, data, first, lines) -> None:
    """The text is not the one they were born in, so that nothing but their number and the edits tell."""
    editor = Editor(content)
    born = asked(editor, data)
    editor.edit(Change(Range.of(first, 0, first + lines, 0), ""))
    editor.check()
    editor.edit(Change(Range.of(0, 0, 0, 0), "new\n"))
    editor.check()
    cut = "".join(Text(content).lines[first : first + lines])
    editor.edit(Change(Range.of(first + 1, 0, first + 1, 0), cut))
    editor.check()
    assert editor.text.content == f"new\n{content}"
    wanted = {key: (span.start.line + 1, span.end.line + 1) for key, (_, span) in born.items()}
    assert {key: (span.start.line, span.end.line) for key, (_, span) in editor.places().items()} == wanted


@given(TEXTS, st.lists(EDITS, max_size=4), st.data())
@example("a()\na()\n", [Change(Range.of(0, 0, 1, 0), "")], None)
def test_a_second_review_finds_each_again_or_makes_it_new_and_none_is_lost(content, edits, data) -> None:
    editor = Editor(content)
    if data is not None:
        asked(editor, data)
    for edit in edits:
        editor.edit(edit)
    standing = {key: span for key, (status, span) in editor.places().items() if status is Status.OPEN}
    found = {
        editor.ask(line): editor.text.trimmed(line, line)
        for line in range(len(editor.text))
        if editor.text.line(line).strip()
    }
    editor.check()
    for key, span in standing.items():
        assert found.get(key, span) == span, "a question that stood went to another line"
    assert {key: span for key, (_, span) in editor.places().items() if key in found} == found


@pytest.mark.parametrize("look", [True, False])
@pytest.mark.parametrize("gone", [3, 6])
@pytest.mark.parametrize("lines", [1, 2])
def test_of_two_equal_lines_one_is_deleted_and_comes_back(gone: int, lines: int, look: bool) -> None:
    editor = Editor(CALLS)
    ids = [editor.ask(3), editor.ask(6)]
    first = gone + 1 - lines
    editor.edit(Change(Range.of(first, 0, gone + 1, 0), ""))
    if look:
        assert editor.lines() == ([None, 6 - lines] if gone == 3 else [3, None])
    editor.edit(Change(Range.of(0, 0, 0, 0), "# new\n"))
    back = "".join(Text(CALLS).lines[first : gone + 1])
    editor.edit(Change(Range.of(first + 1, 0, first + 1, 0), back))
    assert editor.lines() == [4, 7]
    assert [editor.ask(4), editor.ask(7)] == ids


def test_the_last_lines_are_deleted_and_come_back_behind_the_end() -> None:
    """What is stale is shown at the end of the text, which is nearer to the other line than to its own."""
    editor = Editor(CALLS)
    editor.ask(3)
    editor.ask(6)
    editor.edit(Change(Range.of(5, 0, 7, 0), ""))
    assert editor.lines() == [3, None]
    editor.edit(Change(Range.of(5, 0, 5, 0), 'def b():\n    requests.get("x")\n# more\n'))
    assert editor.lines() == [3, 6]


def test_a_line_that_is_deleted_does_not_hand_its_question_to_its_twin_right_below() -> None:
    editor = Editor("a()\nb()\na()\n")
    editor.ask(0)
    editor.edit(Change(Range.of(0, 0, 2, 0), ""))
    assert editor.lines() == [None]


def test_a_dismissed_question_whose_line_is_gone_is_not_what_a_review_finds_on_the_other_line() -> None:
    editor = Editor("b()\na()\na()\n")
    dismissed, other = editor.ask(1), editor.ask(2)
    editor.store.set_status(dismissed, Status.DISMISSED)
    editor.edit(Change(Range.of(1, 0, 2, 0), ""))
    editor.places()
    assert editor.ask(1) == other
    target = Target("/w", frozenset({URI}))
    assert editor.store.replace_unfound(target, Source.EXAMINER, frozenset({other})) == []


def test_a_file_that_is_gone_and_comes_back_has_its_questions_on_their_lines() -> None:
    editor = Editor(CALLS)
    editor.ask(3)
    editor.ask(6)
    editor.store.unplaced(URI)
    assert editor.lines() == [3, 6]
    assert all(one.kind is Kind.QUESTION for one in editor.store)
