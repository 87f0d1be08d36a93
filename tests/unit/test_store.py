"""The store of findings: ids are kept, what is found again stays, what is not leaves, and nothing else does."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.review.finding import Category, Kind, Ordinals, Reply, Source, Status, finding_id, kind_of
from socreates_lsp.review.store import FindingStore
from socreates_lsp.review.target import Target
from socreates_lsp.workspace.text import Change, Encoding, Range, Text
from tests.unit.samples import URI, about

TEXT = Text("a()\nb()\na()\nc()\n")
THREAD = (Reply("user", "It is meant so.", "2026-01-01T00:00:00+00:00"),)
ELSEWHERE = "file:///w/other.py"


def added(store: FindingStore, finding, text: Text | None = TEXT, root: str | None = "/w"):
    return store.add(finding, root=root, version=1, text=text)


def lines(store: FindingStore) -> list[int]:
    return [finding.range.start.line for finding in store]


# Ids


def test_an_id_is_sixteen_hex_digits_of_what_design_says() -> None:
    wanted = hashlib.sha256(b"pkg/app.py\0error-handling\0except E: pass\0002").hexdigest()[:16]
    assert finding_id("pkg/app.py", Category.ERROR_HANDLING, "except E:\n\t pass ", 2) == wanted
    assert re.fullmatch(r"[0-9a-f]{16}", wanted)


@given(st.text(), st.text())
def test_any_text_has_an_id(path: str, quote: str) -> None:
    assert len(finding_id(path, Category.DESIGN, quote, 0)) == 16


def test_equal_quotations_are_told_apart_by_their_ordinal() -> None:
    first, second = about(TEXT, 0), about(TEXT, 2)
    assert first.id != second.id
    assert second.id == finding_id("app.py", first.category, "a()", 1)
    assert [Ordinals(TEXT).of("a()", line) for line in (0, 2, 3)] == [0, 1, 2]


@pytest.mark.parametrize(("message", "kind"), [("Why?", "question"), ("何故？ ", "question"), ("Stop.", "warning")])
def test_a_kind_that_nothing_says_is_read_from_the_last_character(message: str, kind: str) -> None:
    assert kind_of(message) is Kind(kind)


# Found again


def test_a_question_found_again_takes_the_id_it_has_even_where_it_moved() -> None:
    store = FindingStore()
    first = added(store, about(TEXT, 2))
    after, shifts = TEXT.edited_with_shifts([Change(Range.of(0, 0, 1, 0), "x()\ny()\n")], Encoding.UTF16)
    store.carry(URI, shifts, TEXT, after)
    again = added(store, about(after, 3), after)
    assert about(after, 3).id != first.id, "it was born as the second of two, and is now the only one"
    assert again.id == first.id
    assert len(list(store)) == 1


def test_a_twin_that_takes_the_place_in_the_order_does_not_take_the_id() -> None:
    store = FindingStore()
    text = Text("b()\na()\n")
    old = added(store, about(text, 1), text)
    after, shifts = text.edited_with_shifts([Change(Range.of(0, 0, 0, 0), "a()\n")], Encoding.UTF16)
    store.carry(URI, shifts, text, after)
    new, same = (added(store, about(after, line), after) for line in (0, 2))
    assert same.id == old.id
    assert new.id != old.id
    assert sorted(lines(store)) == [0, 2]


def test_a_second_question_on_the_same_lines_joins_the_first_ones_why() -> None:
    store = FindingStore()
    first = added(store, about(TEXT, 1, message="What if it fails?", why="It can.", rule="one"))
    both = added(store, about(TEXT, 1, message="Who waits for it?", why="Nobody.", rule="two"))
    assert (both.id, both.message, both.why) == (first.id, first.message, "It can. Who waits for it? Nobody.")
    assert added(store, about(TEXT, 1, message="Who waits for it?", why="Nobody.", rule="two")).why == both.why
    assert len(list(store)) == 1


def test_another_category_on_the_same_lines_is_another_finding() -> None:
    store = FindingStore()
    added(store, about(TEXT, 1))
    added(store, about(TEXT, 1, category=Category.DESIGN))
    assert len(list(store)) == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Status.STALE, Status.OPEN),
        (Status.WITHDRAWN, Status.OPEN),
        (Status.RESOLVED, Status.OPEN),
        (Status.ANSWERED, Status.ANSWERED),
        (Status.DISMISSED, Status.DISMISSED),
    ],
)
def test_found_again_opens_what_was_gone_and_leaves_what_the_user_settled(before: Status, after: Status) -> None:
    store = FindingStore()
    first = added(store, about(TEXT, 1, thread=THREAD))
    store.set_status(first.id, before)
    again = added(store, about(TEXT, 1))
    assert (again.status, again.thread) == (after, THREAD)


def test_a_finding_whose_lines_are_gone_when_it_comes_is_stale_even_if_it_is_known() -> None:
    store = FindingStore()
    added(store, about(TEXT, 3))
    late = added(store, about(TEXT, 3), Text("a()\nb()\n"))
    assert late.status is Status.STALE
    assert late.range.end.line <= 1


def test_the_same_file_name_in_two_roots_makes_two_findings() -> None:
    store = FindingStore()
    one = added(store, about(TEXT, 1, uri="file:///w1/app.py"), root="/w1")
    two = added(store, about(TEXT, 1, uri="file:///w2/app.py"), root="/w2")
    assert one.id != two.id
    assert [finding.uri for finding in store] == ["file:///w1/app.py", "file:///w2/app.py"]
    assert added(store, about(TEXT, 1, uri="file:///w2/app.py"), root="/w2").id == two.id
    assert len(list(store)) == 2


def test_a_closed_document_is_believed_until_its_text_is_seen() -> None:
    store = FindingStore()
    added(store, about(TEXT, 2), text=None)
    assert lines(store) == [2]
    assert [one.range.start.line for one in store.anchored(URI, Text("x()\na()\nb()\na()\nc()\n"))] == [1]


# What a review replaces


def test_what_was_not_found_again_leaves() -> None:
    store = FindingStore()
    kept, gone = added(store, about(TEXT, 1)), added(store, about(TEXT, 3))
    assert store.replace_unfound(Target("/w", frozenset({URI})), Source.EXAMINER, frozenset({kept.id})) == [gone]
    assert list(store) == [kept]


@pytest.mark.parametrize(
    "other",
    [
        {"source": Source.MODEL},
        {"thread": THREAD},
        {"status": Status.ANSWERED},
        {"status": Status.DISMISSED},
        {"uri": ELSEWHERE},
    ],
)
def test_what_a_review_may_not_replace_stays(other) -> None:
    store = FindingStore()
    finding = added(store, about(TEXT, 1, **other))
    assert store.replace_unfound(Target("/w", frozenset({URI})), Source.EXAMINER, frozenset()) == []
    assert list(store) == [finding]


def test_a_selection_replaces_only_what_touches_its_lines() -> None:
    store = FindingStore()
    for line in range(4):
        added(store, about(TEXT, line))
    target = Target("/w", frozenset({URI}), {URI: (Range.of(1, 0, 2, 1),)})
    store.replace_unfound(target, Source.EXAMINER, frozenset())
    assert lines(store) == [0, 3]


def test_changes_replace_only_what_touches_the_lines_that_were_read() -> None:
    store = FindingStore()
    for line in range(4):
        added(store, about(TEXT, line))
    added(store, about(TEXT, 1, uri=ELSEWHERE, id="elsewhere"))
    target = Target("/w", frozenset({URI}), {URI: (Range.of(0, 0, 0, 1), Range.of(3, 0, 3, 1))})
    store.replace_unfound(target, Source.EXAMINER, frozenset())
    assert lines(store) == [1, 2, 1]


def test_a_workspace_replaces_everything_of_its_root_and_of_no_other() -> None:
    store = FindingStore()
    added(store, about(TEXT, 0))
    other = added(store, about(TEXT, 0, uri=ELSEWHERE), root="/v")
    store.replace_unfound(Target("/w"), Source.EXAMINER, frozenset())
    assert list(store) == [other]


# Clear, withdraw, roots that leave


def test_clear_takes_what_shows_and_has_no_thread() -> None:
    store = FindingStore()
    shown = added(store, about(TEXT, 0))
    stale = added(store, about(TEXT, 1))
    store.set_status(stale.id, Status.STALE)
    threaded = added(store, about(TEXT, 2, thread=THREAD))
    answered = added(store, about(TEXT, 3, status=Status.ANSWERED))
    elsewhere = added(store, about(TEXT, 1, uri=ELSEWHERE, id="elsewhere"))
    assert {finding.id for finding in store.clear(URI)} == {shown.id, stale.id}
    assert list(store) == [threaded, answered, elsewhere]
    assert store.clear() == [elsewhere]
    assert store.clear() == []


def test_a_root_that_leaves_takes_its_findings_along() -> None:
    store = FindingStore()
    gone = added(store, about(TEXT, 0))
    kept = added(store, about(TEXT, 0, uri=ELSEWHERE), root="/v")
    assert store.remove_root("/w") == [gone]
    assert list(store) == [kept]


def test_a_document_that_is_gone_for_good_takes_its_findings_along() -> None:
    store = FindingStore()
    gone = added(store, about(TEXT, 0))
    kept = added(store, about(TEXT, 0, uri=ELSEWHERE, id="elsewhere"))
    assert store.drop(URI) == [gone]
    assert list(store) == [kept]


def test_without_a_text_an_open_finding_is_stale_and_opens_with_it_again() -> None:
    store = FindingStore()
    added(store, about(TEXT, 1))
    assert [finding.status for finding in store.unplaced(URI)] == [Status.STALE]
    assert [finding.status for finding in store.anchored(URI, TEXT)] == [Status.OPEN]


def test_an_unknown_id_is_nothing() -> None:
    store = FindingStore()
    assert store.withdraw("0" * 16) is None
    assert store.get("0" * 16) is None
    assert store.born_in("0" * 16) is None


def test_a_withdrawn_finding_is_kept_as_such() -> None:
    store = FindingStore()
    finding = added(store, about(TEXT, 1))
    assert store.withdraw(finding.id) == replace(finding, status=Status.WITHDRAWN) == store.get(finding.id)
    assert store.uris() == {URI}


def test_the_version_is_that_of_the_last_move() -> None:
    store = FindingStore()
    finding = added(store, about(TEXT, 1))
    store.anchored(URI, Text(TEXT.content), 2)
    assert store.born_in(finding.id) == 1
    store.anchored(URI, Text(f"x()\n{TEXT.content}"), 3)
    assert store.born_in(finding.id) == 3


def test_looking_again_at_the_same_text_costs_nothing(monkeypatch) -> None:
    """A stale finding is searched for in the whole text; hover must not do so every time."""
    store = FindingStore()
    added(store, about(TEXT, 1))
    gone = Text("c()\n")
    first = store.anchored(URI, gone, 2)
    monkeypatch.setattr("socreates_lsp.review.entry.settled", None)
    assert store.anchored(URI, gone, 2)[0] is first[0]


# Twins, as the editor's user sees them


def test_deleting_the_cited_lines_does_not_move_the_question_to_lines_that_look_the_same() -> None:
    store = FindingStore()
    finding = added(store, about(TEXT, 0))
    after, shifts = TEXT.edited_with_shifts([Change(Range.of(0, 0, 1, 0), "")], Encoding.UTF16)
    store.carry(URI, shifts, TEXT, after)
    assert [one.status for one in store.anchored(URI, after, 2)] == [Status.RESOLVED]
    undone, shifts = after.edited_with_shifts([Change(Range.of(0, 0, 0, 0), "a()\n")], Encoding.UTF16)
    store.carry(URI, shifts, after, undone)
    assert store.anchored(URI, undone, 3) == [finding]


def test_two_equal_lines_keep_their_own_questions_through_edits() -> None:
    store = FindingStore()
    ids = [added(store, about(TEXT, line)).id for line in (0, 2)]
    text = TEXT
    for change in [
        Change(Range.of(0, 0, 0, 0), "# one\n# two\n"),
        Change(Range.of(3, 0, 3, 0), "\n\n\n"),
        Change(Range.of(0, 0, 1, 0), ""),
    ]:
        before = text
        text, shifts = text.edited_with_shifts([change], Encoding.UTF16)
        store.carry(URI, shifts, before, text)
        placed = store.anchored(URI, text)
        wanted = [number for number in range(len(text)) if text.line(number) == "a()"]
        assert [(one.id, one.range.start.line) for one in placed] == list(zip(ids, wanted, strict=True))
