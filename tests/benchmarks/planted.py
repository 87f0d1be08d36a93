"""How much the examiner sees: planted faults found, the same faults spelled differently, findings on clean twins.

    python -m tests.benchmarks.planted [--misses]

The set in ``planted/`` was written by somebody who did not know the rules, and must not be tuned to them.
``--misses`` prints every fault that was not found and every finding on a clean twin.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from socreates_lsp.examiner.examination import Document, FileJob, Report
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.review.finding import Finding

FOLDER = Path(__file__).parent / "planted"
NEAR = 1
"""So many lines a finding may be away from the fault's line."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Lines from 0, the last one included."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Fault:
    """One row of planted.yaml: lines from 1, in ``faults`` and in ``respelled``.

    A fault that is a whole loop reaches to ``last`` and ``respelled_last``; the others have one line.
    """

    language: str
    line: int
    kind: str
    respelled_line: int
    note: str
    last: int | None = None
    respelled_last: int | None = None

    @property
    def span(self) -> Span:
        return Span(self.line - 1, (self.last or self.line) - 1)

    @property
    def respelled_span(self) -> Span:
        return Span(self.respelled_line - 1, (self.respelled_last or self.respelled_line) - 1)


@dataclass(frozen=True, slots=True)
class Miss:
    """A fault nobody asked about: the file, the line from 1 and what it says."""

    path: Path
    line: int
    kind: str
    code: str


@dataclass(frozen=True, slots=True)
class Score:
    """What came of one language. ``false`` are the findings on the clean twin."""

    language: str
    planted: int
    misses: tuple[Miss, ...]
    respelled_misses: tuple[Miss, ...]
    false: tuple[Finding, ...]

    @property
    def found(self) -> int:
        return self.planted - len(self.misses)

    @property
    def respelled(self) -> int:
        return self.planted - len(self.respelled_misses)


def faults() -> list[Fault]:
    """All planted faults, in the order of the languages."""
    rows: list[dict[str, Any]] = yaml.safe_load((FOLDER / "planted.yaml").read_text(encoding="utf-8"))
    return [Fault(**row) for row in rows]


def source(language: str, name: str) -> Path:
    """The file ``faults``, ``clean`` or ``respelled`` of a language."""
    (path,) = (FOLDER / language).glob(f"{name}.*")
    return path


@cache
def examine(path: Path) -> Report:
    """All findings of the file, without the cap of a session."""
    return FileJob(Document(uris.from_path(str(path)), path.name), None, suppress=False)()


def distance(finding: Finding, fault: Span) -> int:
    """How many lines the finding, or the nearest of its places in the same file, is away from the fault."""
    ranges = [finding.range, *(place.range for place in finding.related if place.uri == finding.uri)]
    return min(max(place.start.line - fault.last, fault.first - place.end.line, 0) for place in ranges)


def unseen(findings: Sequence[Finding], spans: Sequence[Span]) -> set[Span]:
    """The faults that no finding is near to. One finding counts for one fault: the nearest comes first."""
    pairs = sorted((distance(finding, span), span, index) for index, finding in enumerate(findings) for span in spans)
    left, used = set(spans), set[int]()
    for away, span, index in pairs:
        if away <= NEAR and span in left and index not in used:
            left.discard(span)
            used.add(index)
    return left


def misses(path: Path, kinds: dict[Span, str]) -> tuple[Miss, ...]:
    """What was not found of the faults in the file."""
    code = path.read_text(encoding="utf-8").splitlines()
    left = unseen(examine(path).findings, list(kinds))
    return tuple(Miss(path, span.first + 1, kinds[span], code[span.first].strip()) for span in sorted(left))


def score(language: str, rows: Sequence[Fault]) -> Score:
    """Examine the three files of a language."""
    return Score(
        language,
        len(rows),
        misses(source(language, "faults"), {row.span: row.kind for row in rows}),
        misses(source(language, "respelled"), {row.respelled_span: row.kind for row in rows}),
        examine(source(language, "clean")).findings,
    )


def scores() -> list[Score]:
    """All languages."""
    return [score(language, list(rows)) for language, rows in groupby(faults(), key=lambda row: row.language)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    results = scores()
    print(f"{'':12}{'found':>12}{'respelled':>12}{'on the twin':>12}")
    for one in results:
        found, respelled = f"{one.found}/{one.planted}", f"{one.respelled}/{one.planted}"
        print(f"{one.language:12}{found:>12}{respelled:>12}{len(one.false):>12}")
    planted = sum(one.planted for one in results)
    found, respelled = sum(one.found for one in results), sum(one.respelled for one in results)
    print(f"{'together':12}{f'{found}/{planted}':>12}{f'{respelled}/{planted}':>12}", end="")
    print(f"{sum(len(one.false) for one in results):>12}")
    print(f"found {found / planted:.0%}, respelled {respelled / planted:.0%}")
    if options.misses:
        for one in results:
            print_misses(one)


def print_misses(one: Score) -> None:
    """Print what one language missed and asked for nothing."""
    for miss in one.misses + one.respelled_misses:
        print(f"missed {one.language}/{miss.path.name}:{miss.line}: {miss.kind}\n    {miss.code}")
    for finding in one.false:
        quoted = finding.quote.splitlines()[0].strip()
        path = source(one.language, "clean")
        print(f"false  {one.language}/{path.name}:{finding.range.start.line + 1}: {finding.rule}\n    {quoted}")


if __name__ == "__main__":
    main()
