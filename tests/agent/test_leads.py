"""Leads: which points confirm one, and which lines of an answer drop one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.agent.candidates import Candidates, most_points
from socreates_lsp.agent.leads import MOST, Lead, Leads
from socreates_lsp.agent.points import Shown
from socreates_lsp.review.finding import Category, Finding, Kind, Source
from socreates_lsp.review.reviewer import Found
from socreates_lsp.workspace.text import Range

URI = "file:///w/app.py"


def finding(line: int, message: str, category: Category = Category.RESOURCES, **more: object) -> Finding:
    fields = {
        "id": f"{line}-{category}",
        "kind": Kind.QUESTION,
        "category": category,
        "uri": URI,
        "range": Range.of(line, 0, line, 10),
        "message": message,
        "why": "",
        "quote": f"line {line}",
        "confidence": 0.6,
        "source": Source.MODEL,
        **more,
    }
    return Finding(**fields)  # type: ignore[arg-type]


LEAKS = finding(2, "Who closes what `open` opens here?", rule="python-not-closed", source=Source.EXAMINER, id="a" * 16)
SLOW = finding(7, "How long may `get` take?", rule="python-no-timeout", source=Source.EXAMINER, id="b" * 16)
RUFF = Lead("app.py", URI, 4, "ruff-F821", "Undefined name `helper`")


def leads() -> Leads:
    return Leads([Lead.of(LEAKS, "app.py"), Lead.of(SLOW, "app.py"), RUFF])


@pytest.mark.parametrize(
    ("point", "rule"),
    [
        (finding(2, "What becomes of the handle when `read` raises?"), "python-not-closed"),
        (finding(2, "Who closes what `open` opens, and when?", Category.ERROR_HANDLING), "python-not-closed"),
        (finding(2, "Which encoding has the file?", Category.CORRECTNESS), None),
        (finding(3, "Who closes what `open` opens here?"), None),
        (finding(2, "Who closes it?", uri="file:///w/other.py"), None),
        (finding(4, "Where does `helper` come from?", Category.CORRECTNESS), "ruff-F821"),
        (finding(4, "What if the list is empty?", Category.CORRECTNESS), None),
    ],
)
def test_a_point_about_the_same_confirms_a_lead(point: Finding, rule: str | None) -> None:
    confirmed = leads().confirmed(point)
    assert confirmed.rule == rule
    assert confirmed.message == point.message
    assert (confirmed.id == point.id) == (rule is None or rule.startswith("ruff"))


@pytest.mark.parametrize(
    ("line", "dropped"),
    [
        ("Dropped lead-1: the caller closes it at app.py:9.", [LEAKS]),
        ("- **Dropped lead-2:** there is a default.", [SLOW]),
        ("[dropped] lead-1 - it is closed below.", [LEAKS]),
        ("dropped lead 1, lead 2: both are tests.", [LEAKS, SLOW]),
        ("Lead-1: dropped, because the caller closes it.", [LEAKS]),
        ("lead-2 is withdrawn: the session has a timeout.", [SLOW]),
        ("Dropped python-no-timeout: the session has a timeout.", [SLOW]),
        ("Dropped app.py:3: closed by the caller.", [LEAKS]),
        ("[dropped] `app.py:8` — a default.", [SLOW]),
        ("lead-2: dropped, callers count on None.", [SLOW]),
        ("I drop lead-2: callers count on None.", [SLOW]),
        ("I am dropping lead-2 since callers count on None.", [SLOW]),
        ("Discarded lead-2: a test.", [SLOW]),
        ("lead-2 is a false positive: a test.", [SLOW]),
        ("lead-2 does not hold: a test.", [SLOW]),
        ("lead-2 (app.py:8) dropped: a test.", [SLOW]),
        ("Lead 2: not an issue, callers count on None.", [SLOW]),
        ("Dropped leads:\n- lead-2: a test.\n- lead-1: another one.", [SLOW, LEAKS]),
        ("Dropped: app.py:8 - a test.", [SLOW]),
        ("[dropped] lead-1 error-handling\n> line 2\nThe caller closes it.", [LEAKS]),
    ],
)
def test_a_line_drops_leads_with_a_reason(line: str, dropped: list[Finding]) -> None:
    some = leads()
    found = some.dropped(f"Before.\n\n{line}\n\nAfter.")
    assert [one for one, _ in found] == dropped
    assert all("lead" not in reason.lower() for _, reason in found)
    assert some.dropped(line) == [], "each once"
    assert some.standing == 2 - len(dropped)
    cleaned = leads().without_marks(f"Before.\n\n{line}\n\nAfter.").split("\n")
    assert [part for part in cleaned if part] == ["Before.", "After."]


@pytest.mark.parametrize(
    ("line", "stays"),
    [
        ("Dropped lead-1", False),
        ("Dropped lead-9: there is none.", False),
        ("Confirmed lead-2: it is real.", False),
        ("Keep lead-2.", False),
        ("The candidate on app.py:5 was refuted: the collector closes it.", False),
        ("Refuted:\n- app.py:5: it is closed.", False),
        ("[refuted] app.py:5 correctness\n> line 4\nIt is closed.", False),
        ("app.py:5: no issue", False),
        ("Dropped connections: what happens to them at app.py:3?", True),
        ("[question] app.py:3 correctness", True),
        ("app.py:8: dropped connections are never tried again.", True),
        ("app.py:3 drops the first element of the list: who misses it?", True),
        ("The real problem is at app.py:3: it leaks", True),
        ("app.py:3 - invalid input reaches eval", True),
        ("The reject handler at app.py:3 is never called.", True),
    ],
)
def test_a_verdict_is_no_point_and_a_point_is_no_verdict(line: str, stays: bool) -> None:
    some = leads()
    some.dropped("Dropped lead-1: x")
    assert some.dropped(line) == []
    assert some.without_marks(f"{line}\n\nAfter.").split("\n")[0] == (line.split("\n", maxsplit=1)[0] if stays else "")


def test_the_header_of_a_point_may_name_its_lead() -> None:
    some = leads()
    assert some.without_marks("[question] app.py:3 error-handling (lead-1)\n> lead-1") == (
        "[question] app.py:3 error-handling\n> lead-1"
    )
    assert some.confirmed(finding(2, "Which encoding?", Category.CORRECTNESS)).rule == "python-not-closed"
    other = leads()
    assert (
        other.without_marks("[question] lead-3 correctness\n> def go():")
        == "[question] app.py:5 correctness\n> def go():"
    )
    assert other.confirmed(finding(0, "Where is it?", Category.CORRECTNESS)).rule == "ruff-F821"


@pytest.mark.parametrize("text", ["*", "_", " ", "a-", "lead-1 ", "app.py:3 ", "(", "dropped ", "[dropped] "])
def test_no_answer_makes_reading_verdicts_slow(text: str) -> None:
    whole = f"a{text * 20_000}b"
    assert leads().dropped(whole) is not None
    assert isinstance(leads().without_marks(whole), str)


def test_labels_become_places_for_the_reader_and_quotations_stay() -> None:
    text = "As lead-1 says, and Lead 2.\n> lead-1 = 4\nlead-77"
    assert leads().without_marks(text) == "As app.py:3 says, and app.py:8.\n> lead-1 = 4\nlead-77"
    assert Leads().without_marks(text) == text


lines = st.sampled_from(
    [
        "Dropped lead-1: no.",
        "lead-2 is fine",
        "[question] app.py:3",
        "> lead-1",
        "",
        "Dropped",
        "x",
        "dropped lead-2: y",
    ]
)


@given(st.lists(lines), st.lists(lines))
def test_what_is_whole_of_an_answer_stays_as_it_is(begun: list[str], more: list[str]) -> None:
    prefix = "".join(f"{line}\n" for line in begun)
    whole = prefix + "\n".join(more)
    assert leads().without_marks(whole).startswith(leads().without_marks(prefix))
    assert leads().without_marks(whole).count("\n") == whole.count("\n")


def test_leads_are_bounded() -> None:
    some = Leads(Lead("app.py", URI, line, "r", "m") for line in range(50))
    assert len(some.described(10_000)) == MOST
    some.add([RUFF])
    assert len(some.described(10_000)) == MOST


def test_leads_take_places_which_points_that_confirm_them_take_over() -> None:
    some = leads()
    shown = Shown(3, 0.0, some)
    points = [Found(finding(line, f"Question {line}", Category.DESIGN)) for line in (20, 21, 22)]
    confirming = Found(finding(2, "Who closes the handle?"))
    seen = [one.finding for one in shown.more([*points, confirming])]
    assert [one.range.start.line for one in seen] == [20, 2], "two leads and one point fill three places"
    assert seen[1].id == LEAKS.id
    assert len(shown.left_out) == 2
    some.dropped("Dropped lead-2: no.")
    assert [one.finding.range.start.line for one in shown.new(None)] == [21]
    assert len(shown.left_out) == 1


def test_as_many_points_as_fit_the_target() -> None:
    assert [most_points(lines, 12) for lines in (1, 10, 100, 200, 500, 5000)] == [4, 4, 4, 6, 12, 12]
    assert most_points(200, 4) == 4
    assert most_points(5000, 0) == 12


def test_candidates_that_nobody_asks_about_are_refuted() -> None:
    here = [Found(finding(line, f"Is line {line} ever reached by anybody?")) for line in (1, 5, 9)]
    candidates = Candidates(tuple(here), ("What becomes of the temporary folder afterwards?",))
    merged = replace(finding(5, "Both?"), related=())
    reworded = finding(40, "What becomes of the temporary folder afterwards, then?")
    left = candidates.refuted([merged, reworded])
    assert [one.finding.range.start.line for one in left.found] == [1, 9]
    assert left.ungrounded == ()
    assert len(candidates) == 4
    best = candidates.best_unverified(2)
    assert [one.finding.range.start.line for one in best] == [1, 5]
    assert all(one.finding.confidence < 0.6 and "Not verified" in one.finding.why for one in best)
