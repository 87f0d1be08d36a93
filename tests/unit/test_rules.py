"""Every rule of the package: its form, and all its cases."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from socreates_lsp.examiner.engine import matches
from socreates_lsp.examiner.parsed import ParsedFile
from socreates_lsp.examiner.rule import Rule, RuleError, all_rules, read_rule, rules_for
from socreates_lsp.examiner.syntax import SYNTAX
from socreates_lsp.review.finding import Kind
from socreates_lsp.workspace.text import Text

RULES = all_rules()
CASES = [
    pytest.param(rule, language, code, wanted, id=f"{rule.id}-{language}-{word}-{number}")
    for rule in RULES
    for language, cases in rule.cases.items()
    for word, wanted, codes in (("match", True, cases.match), ("clean", False, cases.clean))
    for number, code in enumerate(codes)
]


@pytest.mark.parametrize(("rule", "language", "code", "wanted"), CASES)
def test_case(rule: Rule, language: str, code: str, wanted: bool) -> None:
    found = list(matches(ParsedFile("case", language, Text(code)), rule))
    assert bool(found) is wanted, [match.node.text() for match in found] or "it does not fire"
    for match in found:
        message = match.phrase(rule.ask, {"FUNCTION": "f"})
        assert "{" not in message.split("`")[0]
        assert "\n" not in message


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_form(rule: Rule) -> None:
    assert (rule.kind is Kind.QUESTION) == rule.ask.endswith("?")
    assert rule.why.endswith(".")
    assert 0.3 <= rule.confidence <= 1
    assert set(rule.cases) <= set(rule.languages)
    for language, cases in rule.cases.items():
        assert cases.match, language
        assert cases.clean, language
    assert sum(len(cases.match) for cases in rule.cases.values()) >= 2
    for place in rule.evidence:
        assert {"package", "version", "registry", "path", "line"} <= set(place)
    assert rule.evidence or rule.grave, "a rule needs evidence from real code, or a grave fault"


def test_there_are_enough_rules_in_every_language() -> None:
    counts = Counter(language for rule in RULES for language in rule.languages if not rule.detector)
    assert len(RULES) >= 40
    assert counts["python"] >= 15
    assert counts["javascript"] >= 8
    assert counts["typescript"] >= 8
    assert min(counts[language] for language in ("go", "rust", "java", "php", "c", "cpp")) >= 3


@pytest.mark.parametrize("language", sorted(SYNTAX))
def test_rules_of_a_language_are_those_that_name_it(language: str) -> None:
    assert {rule.id for rule in rules_for(language)} == {rule.id for rule in RULES if language in rule.languages}


@pytest.mark.parametrize("language", sorted(SYNTAX))
def test_a_review_reads_rules_as_they_are_without_their_proof(language: str) -> None:
    whole = {rule.id: rule for rule in RULES}
    for rule in rules_for(language):
        assert rule == replace(whole[rule.id], cases=rule.cases, evidence=(), grave=None)


def test_ids_are_unique_and_begin_with_their_folder() -> None:
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"category": "colour"}, "colour"),
        ({"languages": ["klingon"]}, "klingon"),
        ({"surprise": 1}, "surprise"),
        ({"detector": "odd-one-out"}, "exactly one"),
        ({"kind": "rant"}, "rant"),
    ],
)
def test_a_rule_file_that_breaks_the_form_is_refused_by_name(change: dict[str, object], word: str) -> None:
    import yaml

    good = {
        "id": "x", "languages": ["python"], "category": "design", "kind": "question", "confidence": 0.5,
        "find": {"kind": "call"}, "ask": "Why?", "why": "So.", "cases": {"match": ["f()"], "clean": ["x"]},
    }  # fmt: skip
    assert read_rule(yaml.dump(good), "good.yaml").id == "x"
    with pytest.raises(RuleError, match=word) as caught:
        read_rule(yaml.dump({**good, **change}), "bad.yaml")
    assert "bad.yaml" in str(caught.value)
