"""A survey of a folder without a model, and whether each of its claims stands where it says."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from socreates_lsp.settings.schema import READ_DENY
from socreates_lsp.survey.gathering import gather
from socreates_lsp.survey.report import report_of
from socreates_lsp.tools.view import View
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from socreates_lsp.survey.facts import Facts, Place
    from socreates_lsp.survey.report import Report


def surveyed(root: Path, focus: str | None = None, deny: tuple[str, ...] = READ_DENY) -> tuple[Facts, Report]:
    facts = gather(View(str(root), Workspace([uris.from_path(str(root))]), deny), focus)
    return facts, report_of(facts)


def places(report: Report) -> Iterator[Place]:
    for claims in report.sections.values():
        for claim in claims:
            yield from claim.places


def lies(root: Path, report: Report) -> list[Place]:
    """The places where nothing is, or other words than are claimed."""
    return [place for place in places(report) if not _stands(root, place)]


def _stands(root: Path, place: Place) -> bool:
    path, _, heading = place.path.partition("#")
    if not os.path.lexists(root / path):
        return False
    if heading:
        return place.quote in (root / path).read_text("utf-8")
    if place.line is None:
        return True
    lines = re.split("\r\n|\r|\n", (root / path).read_bytes().decode("utf-8-sig", "replace"))
    return place.line <= len(lines) and "".join(place.quote.split()) in "".join(lines[place.line - 1].split())


def lines_of(report: Report, section: str) -> list[str]:
    text = report.markdown().partition(f"## {section}\n")[2].partition("\n## ")[0]
    return [line for line in text.split("\n") if line.strip()]
