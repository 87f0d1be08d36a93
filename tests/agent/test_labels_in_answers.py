"""Wherever a model writes the label of a standing question, no reader sees it, also while the answer is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.review.question_labels import Labels
from socreates_lsp.review.questions import standing_questions
from tests.agent.test_findings import Here, check

if TYPE_CHECKING:
    from socreates_lsp.agent.findings import Grounder

LABELS = Labels(standing_questions([("Does `load` close it?", "**"), ("Who reads this page?", "**")]))
LEAK = re.compile(r"(?<!\w)SQ[ -]?\d")

labels = st.sampled_from(["[SQ1]", "(SQ2)", "SQ1", "SQ1, SQ2", "**[SQ2]**", "`SQ1`", "[SQ9]", "Answers SQ2.", ""])
prose = st.sampled_from(["What if `load` fails?", "It stays open.", "And then", "", "Nobody closes it:", "so (as said"])
points = st.builds(
    "{}[question]{} app.py:2{} correctness {}\n> {}\n{} {}\n{} {}\nWhy: {} {}\n\n".format,
    st.sampled_from(["", "- ", "1. ", "### "]),
    labels,
    labels,
    labels,
    st.sampled_from(["    handle = open(path)", "return handle.read()", "not there"]),
    labels,
    prose,
    prose,
    labels,
    prose,
    labels,
)
answers = st.lists(st.one_of(points, st.builds("{} {} {}\n\n".format, prose, labels, prose)), max_size=4).map("".join)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Here:
    return Here(tmp_path_factory.mktemp("labels"))


def grounder(here: Here) -> Grounder:
    made = here.grounder()
    made.labels = LABELS
    return made


@given(answer=answers, cut=st.integers(0, 400))
@settings(max_examples=200, deadline=None)
def test_no_label_reaches_the_reader(here: Here, answer: str, cut: int) -> None:
    growing, whole = grounder(here), grounder(here)
    growing.heard(answer[:cut])
    early = [found.finding for found in growing.answered.found]
    growing.finished(answer)
    whole.finished(answer)
    check(here, growing)
    assert [found.finding for found in growing.answered.found][: len(early)] == early
    for answered in (growing.answered, whole.answered):
        said = [*answered.ungrounded, answered.prose]
        said += [text for found in answered.found for text in (found.finding.message, found.finding.why)]
        assert not any(map(LEAK.search, said)), said
