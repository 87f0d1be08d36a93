"""The hunks between two texts: replaying them gives the new text, whatever the texts are."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.workspace.difference import Hunk, hunks_between, text_lines
from socreates_lsp.workspace.text import Text

LINES = st.lists(st.sampled_from(["", "a", "b", "  c", "return x", "}", "é"]), max_size=30)


def replayed(old, hunks):
    new, at = [], 0
    for hunk in hunks:
        new += old[at : hunk.old_start]
        assert len(new) == hunk.new_start
        assert tuple(old[hunk.old_start : hunk.old_start + len(hunk.removed)]) == hunk.removed
        new += hunk.added
        at = hunk.old_start + len(hunk.removed)
    return new + old[at:]


@given(LINES, LINES)
def test_replaying_the_hunks_gives_the_new_text(old, new):
    before, after = Text("\n".join(old)), Text("\n".join(new))
    assert replayed(text_lines(before), hunks_between(before, after)) == text_lines(after)


@given(LINES)
def test_a_text_does_not_differ_from_itself_whatever_its_line_endings(lines):
    assert hunks_between(Text("\n".join(lines)), Text("\r\n".join(lines))) == ()


@given(LINES, LINES)
def test_no_hunk_touches_the_next_and_none_is_empty(old, new):
    hunks = hunks_between(Text("\n".join(old)), Text("\n".join(new)))
    assert all(hunk.removed or hunk.added for hunk in hunks)
    assert all(a.old_start + len(a.removed) < b.old_start for a, b in pairwise(hunks))


def test_a_moved_function_leaves_the_other_untouched():
    one, two = "def one():\n    return 1\n\n", "def two():\n    x = 2\n    return x\n\n"
    hunks = hunks_between(Text(one + two), Text(two + one))
    removed = [line for hunk in hunks for line in hunk.removed if line.strip()]
    assert removed == ["def one():", "    return 1"]


def test_only_what_changed_is_a_hunk():
    old = Text("a\nb\nc\nd\n")
    assert hunks_between(old, Text("a\nB\nc\nd\n")) == (Hunk(1, ("b",), 1, ("B",)),)
    assert hunks_between(old, Text("a\nb\nd\n")) == (Hunk(2, ("c",), 2, ()),)
    assert hunks_between(None, Text("a\n")) == (Hunk(0, (), 0, ("a",)),)
    assert hunks_between(old, None) == (Hunk(0, ("a", "b", "c", "d"), 0, ()),)
    assert hunks_between(Text(""), Text("")) == ()


def test_two_large_texts_without_a_common_line_are_one_hunk_and_quick():
    old, new = Text("a\n" * 20_000), Text("b\n" * 20_000)
    assert len(hunks_between(old, new)) == 1
