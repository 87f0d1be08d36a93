"""How quiet the examiner is on good code: findings per 10,000 lines, without the cap.

    python tests/benchmarks/quiet.py [--list] [PATH...]

Without paths: part of the standard library of the Python that runs this. ``--list`` prints every finding with its
line, to be read and judged.
"""

from __future__ import annotations

import argparse
import sysconfig
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.examiner.examination import Document, FileJob, Report
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.files import list_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STANDARD_LIBRARY = (
    "json asyncio http email logging argparse.py dataclasses.py pathlib.py tempfile.py heapq.py statistics.py"
)


def standard_library() -> list[Path]:
    """The modules that the aim is stated for (argparse and its like are packages in some versions)."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    names = STANDARD_LIBRARY.split()
    return [path for name in names if (path := folder / name).exists() or (path := path.with_suffix("")).exists()]


def reports(paths: Iterable[Path]) -> Iterator[tuple[Path, Report]]:
    """Examine all files at and below the paths."""
    for path in paths:
        try:
            files = list_files(path.parent, (path,)).files
        except TargetError as error:
            raise SystemExit(str(error)) from error
        for file in files:
            yield file, FileJob(Document(uris.from_path(str(file)), file.name), None, suppress=True)()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    lines, rules = 0, Counter[str]()
    for file, report in reports(options.paths or standard_library()):
        lines += report.lines if report.rules else 0
        for finding in report.findings:
            rules[finding.rule or "?"] += 1
            if options.list:
                quoted = finding.quote.splitlines()[0].strip()
                print(f"{file}:{finding.range.start.line + 1}: {finding.rule}\n    {quoted}\n    {finding.message}")
    per = 10_000 / max(lines, 1)
    for rule, count in rules.most_common():
        print(f"{count:5d}  {count * per:5.2f}  {rule}")
    print(f"{sum(rules.values())} findings in {lines} lines: {sum(rules.values()) * per:.1f} per 10,000 lines")


if __name__ == "__main__":
    main()
