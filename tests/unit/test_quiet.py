"""Quiet is the feature: on good code the examiner hardly ever asks."""

from __future__ import annotations

from tests.benchmarks.quiet import reports, standard_library


def test_at_most_eight_findings_in_ten_thousand_lines_of_the_standard_library() -> None:
    found = [report for _, report in reports(standard_library())]
    lines = sum(report.lines for report in found if report.rules)
    findings = sum(len(report.findings) for report in found)
    assert lines > 20_000
    assert findings * 10_000 / lines <= 8
