"""The examiner sees what a reviewer would ask about, and does not ask where nothing is wrong."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from tests.benchmarks import planted

LANGUAGES = sorted({fault.language for fault in planted.faults()})


@cache
def _scores() -> tuple[planted.Score, ...]:
    return tuple(planted.scores())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["faults", "clean", "respelled"])
def test_the_files_of_the_set_are_read_whole(language: str, name: str) -> None:
    report = planted.examine(planted.source(language, name))
    assert report.refused is None
    assert report.broken is None
    assert report.rules > 0


def test_at_least_85_percent_of_the_planted_faults_are_found() -> None:
    missed = [miss for score in _scores() for miss in score.misses]
    assert len(missed) <= 0.15 * len(planted.faults()), missed


def test_at_most_one_finding_on_all_clean_twins() -> None:
    false = [(score.language, finding.rule, finding.quote) for score in _scores() for finding in score.false]
    assert len(false) <= 1, false


def test_a_finding_counts_for_one_fault_within_one_line() -> None:
    (first, *_) = planted.examine(planted.source("python", "faults")).findings
    finding = replace(first, related=())
    start, end = finding.range.start.line, finding.range.end.line
    before, at = planted.Span(start - 1, start - 1), planted.Span(start, start)
    assert planted.unseen([finding], [before]) == set()
    assert planted.unseen([finding], [planted.Span(end + 1, end + 1)]) == set()
    assert planted.unseen([finding], [planted.Span(start - 9, start - 2)]) == {planted.Span(start - 9, start - 2)}
    assert planted.unseen([finding], [planted.Span(start - 9, end + 9)]) == set()
    assert planted.unseen([finding], [before, at]) == {before}


def test_a_related_place_counts() -> None:
    findings = planted.examine(planted.source("python", "faults")).findings
    finding = next(finding for finding in findings if finding.related)
    line = finding.related[0].range.start.line
    assert planted.unseen([finding], [planted.Span(line, line)]) == set()
