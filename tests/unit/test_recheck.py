"""Which findings a save looks at again, and which hit of a rule is the same question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socreates_lsp.review.finding import STANDING_QUESTION, Category, Finding, Kind, Related, Reply, Source, Status
from socreates_lsp.review.recheck import asked_again, by_model, by_rules
from socreates_lsp.workspace.text import Range, Text

URI = "file:///w/app.py"


def made(line: int, rule: str | None = "r", last: int | None = None, **rest) -> Finding:
    given = {
        "id": f"{rule}{line}",
        "kind": Kind.QUESTION,
        "category": Category.DESIGN,
        "message": "What?",
        "why": "So.",
    }
    place = Range.of(line, 0, line if last is None else last, 4)
    return Finding(
        uri=URI, range=place, confidence=0.5, rule=rule, **({"quote": "a()", "source": Source.EXAMINER} | given | rest)
    )


@pytest.mark.parametrize(
    ("finding", "rules", "model"),
    [
        (made(0, status=Status.STALE), True, False),
        (made(0), False, False),
        (made(1), True, False),
        (made(0, rule=None, status=Status.STALE), False, False),
        (made(0, source=Source.MODEL, status=Status.STALE), False, True),
        (made(1, source=Source.MODEL), False, False),
        (made(0, status=Status.DISMISSED), False, False),
        (made(1, status=Status.ANSWERED), False, False),
        (made(0, status=Status.RESOLVED), False, False),
    ],
)
def test_what_a_save_looks_at_again(finding: Finding, rules: bool, model: bool) -> None:
    text = Text("a()\na( )\n")
    finding = replace(finding, range=Range.of(finding.range.start.line, 0, finding.range.start.line, 3))
    assert (by_rules([finding], text), by_model([finding], text)) == ([finding] * rules, [finding] * model)


@pytest.mark.parametrize(("line", "same"), [(9, True), (10, True), (7, True), (12, True), (13, False), (4, False)])
def test_a_hit_is_the_same_question_where_it_is_near(line: int, same: bool) -> None:
    old = made(8, last=9, thread=(Reply("me", "So?", "now"),), status=Status.STALE)
    now = asked_again([old], [made(line, quote="new")], [])
    assert bool(now) is same
    if same:
        assert now[old.id] == made(line, id=old.id, thread=old.thread, quote="new")


def test_of_two_the_nearest_is_taken_and_each_once() -> None:
    one, two = made(4, id="one"), made(6, id="two")
    assert {key: hit.range.start.line for key, hit in asked_again([one, two], [made(5)], []).items()} == {"one": 5}
    now = asked_again([one, two], [made(6), made(4)], [])
    assert {key: hit.range.start.line for key, hit in now.items()} == {"one": 4, "two": 6}


def test_another_rule_or_the_place_of_another_finding_is_not_the_same() -> None:
    assert asked_again([made(4)], [made(4, rule="other")], []) == {}
    assert asked_again([made(4)], [made(5)], [made(5, id="it stands")]) == {}
    assert asked_again([made(4)], [made(5)], [made(5, rule="other")]) != {}


def test_a_place_related_to_it_counts_as_its_own() -> None:
    old = made(4, related=(Related(URI, Range.of(40, 0, 40, 3), "here too"),))
    assert asked_again([old], [made(40)], [])
    assert (
        asked_again([replace(old, related=(Related("file:///w/b.py", Range.of(40, 0, 40, 3), ""),))], [made(40)], [])
        == {}
    )


def test_a_standing_question_is_the_same_wherever_it_stands_if_its_words_are() -> None:
    old = made(0, rule=STANDING_QUESTION, message="Why?")
    hits = [made(90, rule=STANDING_QUESTION, message="How?"), made(90, rule=STANDING_QUESTION, message="Why?")]
    others = [made(90, rule=STANDING_QUESTION, message="How?", id="x")]
    assert asked_again([old], hits, others)[old.id].message == "Why?"
