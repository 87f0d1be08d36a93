"""The questions about changes: every case of every rule, their form, and laws that hold for any change."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.examiner.changes.engine import between, examine, hits_of
from socreates_lsp.examiner.changes.rule import change_rules, read_change_rule
from socreates_lsp.examiner.changes.spot import Spot
from socreates_lsp.examiner.rule import RuleError
from socreates_lsp.review.finding import Kind

RULES = change_rules()
CASES = [pytest.param(rule, case, id=f"{rule.id}: {case.name}") for rule in RULES for case in rule.cases]


@pytest.mark.parametrize(("rule", "case"), CASES)
def test_case(rule, case):
    hits = list(hits_of(between(case.before, case.after), rule))
    assert bool(hits) == case.fires, [(hit.path, hit.first + 1, hit.message) for hit in hits]
    for hit in hits:
        line = case.after[hit.path].split("\n")[hit.first]
        assert line.strip(), "the place is a blank line"
        assert "{" not in re.sub(r"`[^`]*`|“[^”]*”", "", hit.message)
    if case.at is not None:
        path, _, part = case.at.partition(": ")
        assert any(hit.path == path and part in case.after[path].split("\n")[hit.first] for hit in hits)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_form(rule):
    assert rule.id.startswith("changes-")
    assert 0 < rule.confidence < 1
    assert rule.ask.endswith("?") == (rule.kind is Kind.QUESTION)
    assert rule.why.endswith(".")
    assert any(case.fires for case in rule.cases)
    assert any(not case.fires for case in rule.cases)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_nothing_is_asked_about_what_did_not_change(rule):
    for case in rule.cases:
        for texts in (case.before, case.after):
            assert list(hits_of(between(texts, texts), rule)) == []


def indented(text, path):
    """The text with twice the indentation, as a formatter would do it."""
    if path.endswith((".yaml", ".md")):
        return text
    return re.sub(r"^( +|\t+)", lambda found: found[0] * 2, text, flags=re.MULTILINE)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_reformatting_asks_nothing(rule):
    for case in rule.cases:
        after = {path: indented(text, path).replace("\n", "\r\n") for path, text in case.after.items()}
        assert list(examine(between(case.after, after))) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_moving_all_files_to_another_folder_asks_nothing_but_about_imports(rule):
    for case in rule.cases:
        after = {f"moved/{path}": text for path, text in case.after.items()}
        hits = list(examine(between(case.after, after)))
        assert [hit for hit in hits if hit.rule != "changes-import-gone"] == []


PIECES = st.sampled_from(
    [
        "def f(a, b=1):",
        "    try:",
        "        g(a)",
        "    except X as e:",
        "        raise",
        "    return a, b",
        "if (x) {",
        "} catch (e) {",
        "} finally {",
        "}",
        "func f(a int) error {",
        "\tif err != nil {",
        "\t\treturn err",
        "fn f() -> u8 { x? }",
        "x.unwrap()",
        "end",
        "rescue => e",
        "def f",
        "'''",
        '"""',
        "`",
        "/*",
        "*/",
        "# x",
        "// y",
        "<<<<<<< HEAD",
        "print(x)",
        "assert x",
        "if x:",
        "    pass",
        "f(1, *b)",
        "await f()",
        "(((",
        ")",
        "\x0c",
        "<<<EOT",
        "EOT;",
        "import a.b",
        "from . import x",
        "x = {",
        "#define f(x) (x)",
        "f(x",
        "\ufffd\ud800",
        "",
    ]
)
TEXTS = st.lists(PIECES, max_size=14).map("\n".join)
PATHS = st.sampled_from(
    [
        "a.py",
        "b/test_a.py",
        "a.js",
        "a.tsx",
        "a.go",
        "a.rs",
        "A.java",
        "a.php",
        "a.c",
        "a.cpp",
        "a.rb",
        "a.kt",
        "a.swift",
        "a.cs",
        "a.sh",
        "a.lua",
        "a.ex",
        "a.sql",
        "a.md",
        "a.json",
        "Makefile",
        "noname",
        "b/__init__.py",
    ]
)
FILES = st.dictionaries(PATHS, TEXTS, max_size=3)


@settings(max_examples=300, deadline=None)
@given(FILES, FILES)
def test_any_change_can_be_examined_and_every_place_is_there(before, after):
    for hit in examine(between(before, after)):
        lines = after[hit.path].split("\n")
        assert 0 <= hit.first <= hit.last < len(lines)
        for place in hit.related:
            assert 0 <= place.first <= place.last < len(after[place.path].split("\n"))


def test_a_rule_with_a_fault_is_named():
    with pytest.raises(RuleError, match=r"odd\.yaml.*unknown keys"):
        read_change_rule("id: x\nsurprise: 1\n", "odd.yaml")
    with pytest.raises(RuleError, match=r"odd\.yaml.*cases"):
        read_change_rule(
            "{id: x, category: testing, kind: question, confidence: 1, mechanism: m, ask: a?, why: b.}", "odd.yaml"
        )


def test_a_word_in_a_question_is_short_and_on_one_line():
    spot = Spot("a.py", 0, 0, {"X": "a\n  b " + "c" * 100})
    assert spot.phrase("Is `{X}` it?") == "Is `a b " + "c" * 55 + "…` it?"
    with pytest.raises(KeyError):
        spot.phrase("{Y}")
