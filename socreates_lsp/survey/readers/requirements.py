"""``requirements.txt`` and its kin (pip.pypa.io, the format of requirements files)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.survey.facts import Dependency, Manifest
from socreates_lsp.survey.readers.pyproject import REQUIREMENT

if TYPE_CHECKING:
    from socreates_lsp.survey.where import Lines

_DEV = re.compile(r"dev|test|lint|doc|build|ci", re.IGNORECASE)


def read(lines: Lines) -> Manifest:
    """Every line that names a package; options, addresses and other files are passed over."""
    dev = bool(_DEV.search(lines.path.rpartition("/")[2]))
    found: list[Dependency] = []
    for number, line in enumerate(lines.lines, start=1):
        match = REQUIREMENT.match(line.partition("#")[0])
        if match is None or "://" in line or line.lstrip().startswith(("-", ".", "/")):
            continue
        version = match[2].partition("--")[0].strip(" \t\\@")
        found.append(Dependency(match[1], version, lines.place(number, match[1]), dev, bool(version)))
    return Manifest(lines.path, "pip", dependencies=tuple(found))
