"""The ladder: a question, a narrower one, where else to look, why. Nothing in it is invented."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.review.finding import Category, Finding, Kind, Related, Source
from socreates_lsp.review.ladder import Rung, climbed, elsewhere, name_in, narrower, next_rung, whole
from socreates_lsp.workspace.text import Range, Text

URI = "file:///w/app.py"


def made(quote: str, message: str = "What if it fails?", **rest) -> Finding:
    given = {"kind": Kind.QUESTION, "category": Category.ERROR_HANDLING, "why": "It can.", "source": Source.EXAMINER}
    place = Range.of(0, 0, 0, len(quote))
    return Finding(id="a", uri=URI, range=place, message=message, quote=quote, confidence=0.5, **(given | rest))


@pytest.mark.parametrize(
    ("quote", "message", "name"),
    [
        ("x = load(open(p))", "What if `open` fails?", "open"),
        ("x = load(open(p))", "What if `read` fails?", "load"),
        ("return requests.get(url)", "What if it hangs?", "requests.get"),
        ("if (a->b(c)) {", "Is it set?", "a->b"),
        ("return not found", "Is it?", "found"),
        ("def fetch(url):", "What is it?", "fetch"),
        ("'...'  + 7;", "What is it?", None),
        ("while (true) {", "Does it end?", None),
        ("a(b)", "What of `a(b)`?", "a"),
    ],
)
def test_the_name_that_a_finding_is_about(quote: str, message: str, name: str | None) -> None:
    assert name_in(made(quote, message)) == name


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(Category))
def test_a_narrower_question_names_only_what_the_quotation_holds(quote: str, message: str, category: Category) -> None:
    asked = narrower(made(quote, message, category=category))
    assert asked.endswith("?")
    assert all(name in quote for name in re.findall(r"`([^`]+)`", asked))
    assert "{" not in asked


@pytest.mark.parametrize("category", list(Category))
def test_each_category_has_a_narrower_question_of_its_own(category: Category) -> None:
    others = {narrower(made("f(x)", category=other)) for other in Category if other is not category}
    assert narrower(made("f(x)", category=category)) not in others
    assert "these lines" in narrower(replace(made("'...'"), range=Range.of(0, 0, 2, 1)))


def test_each_rung_adds_to_the_one_before() -> None:
    related = (Related(URI, Range.of(4, 0, 4, 1), "its twin"),)
    finding = made("f(x)", related=related, rule="py-x")
    question, ask, places, why = (climbed(finding, rung, Text("f(x)\n")) for rung in Rung)
    assert (question.before, question.places, "".join(question.after)) == ((), (), "")
    assert ask.before == ("If `f` fails, which line runs next, and what does it find?",)
    assert (ask.places, "".join(ask.after)) == ((), "")
    assert (places.places, "".join(places.after)) == (related, "")
    assert "It can." in why.after
    assert [one.named for one in (question, ask, places, why)] == [False, False, False, True]
    assert whole(finding).before == ("It can.",)


def test_without_related_places_the_nearest_lines_with_the_name_are_told() -> None:
    text = Text("f(x)\n" + "g\n" * 5 + "  f(1)\nff(2)\nf\nf\nf\n")
    places, note = elsewhere(made("f(x)"), text)
    assert [one.range.start.line for one in places] == [6, 8, 9]
    assert places[0].range == Range.of(6, 2, 6, 6)
    assert note == ""


def test_where_the_name_stands_nowhere_else_it_is_said() -> None:
    places, note = elsewhere(made("f(x)"), Text("f(x)\nff(x)\n"))
    assert places == ()
    assert note == "`f` stands on no other line here: where does it come from, and who relies on it?"
    assert elsewhere(made("f(x)"), None)[1] == "Where does `f` come from, and who relies on it?"
    assert elsewhere(made("..."), None) == ((), "")


def test_rungs_with_nothing_on_them_are_passed_over() -> None:
    assert next_rung(made("f(x)"), Rung.NARROWER) is Rung.ELSEWHERE
    assert next_rung(made("..."), Rung.NARROWER) is Rung.WHY
    assert next_rung(made("...", why=""), Rung.NARROWER) is None
    assert next_rung(made("f(x)"), Rung.WHY) is None
