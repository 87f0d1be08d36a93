"""Set, call, undo: which pairs are undone, and that no source breaks the detector."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.examiner.detectors.undo_without_finally import detect
from socreates_lsp.examiner.parsed import ParsedFile
from socreates_lsp.examiner.rule import all_rules
from socreates_lsp.examiner.undoing import changes, undoes
from socreates_lsp.workspace.text import Text

RULE = next(rule for rule in all_rules() if rule.id == "undo-without-finally")
SOURCES = [(language, code) for language, cases in RULE.cases.items() for code in (*cases.match, *cases.clean)]


@pytest.mark.parametrize(
    ("source", "undone"),
    [
        ("self.busy = True\nself.busy = False", True),
        ("self.done = True\nself.done = False", False),
        ("self.ready = False\nself.ready = True", False),
        ("self.read_only = True\nself.read_only = False", True),
        ("old = x.mode\nx.mode = 1\nx.mode = old", True),
        ("old = y.mode\nx.mode = 1\nx.mode = old", False),
        ("old, sys.stdout = sys.stdout, out\nsys.stdout = old", True),
        ("mask = os.umask(0)\nos.umask(mask)", True),
        ("signal.alarm(5)\nsignal.alarm(0)", True),
        ("self.pending += 1\nself.pending -= 1", True),
        ("self.depth += 1\nself.depth -= 1", False),
        ("gc.disable()\ngc.enable()", True),
        ("os.environ['A'] = 'b'\nos.environ.pop('A')", True),
    ],
)
def test_what_undoes_what(source: str, undone: bool) -> None:
    found = list(changes(source, "python").values())
    assert any(undoes(one, two) for one, two in itertools.pairwise(found)) is undone


def test_the_place_is_what_sets_and_the_others_are_told() -> None:
    source = "class A:\n    def f(self):\n        self.busy = True\n        self.work()\n        self.busy = False\n"
    file = ParsedFile("a.py", "python", Text(source))
    (match,) = detect(file)
    assert file.line_of(match.node) == 2
    assert match.parts["WAY"] == "raises"
    assert [(file.line_of(node), note) for node, note in match.related] == [(3, "may fail"), (4, "put back here")]


def test_nobody_waits_behind_a_test() -> None:
    source = "def f():\n    sys.stdout = 1\n    work()\n    sys.stdout = old\n"
    assert list(detect(ParsedFile("a.py", "python", Text(source))))
    assert not list(detect(ParsedFile("tests/test_a.py", "python", Text(source))))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SOURCES), st.data())
def test_no_source_breaks_it(sample: tuple[str, str], data: st.DataObject) -> None:
    language, code = sample
    start = data.draw(st.integers(0, len(code)))
    end = data.draw(st.integers(start, len(code)))
    mutated = code[:start] + data.draw(st.text(max_size=8)) + code[end:]
    for match in detect(ParsedFile("a", language, Text(mutated))):
        assert match.phrase(RULE.ask, {})
