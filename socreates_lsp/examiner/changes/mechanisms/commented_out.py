"""Code that ran before is a comment now."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import squeezed
from socreates_lsp.examiner.changes.spot import MOST_RELATED, Spot
from socreates_lsp.examiner.hit import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.file_change import FileChange
    from socreates_lsp.workspace.difference import Hunk

_MARK = re.compile(r"^\s*(?:#+|//+|--|;+|%+|/\*+|\*|<!--)\s?")


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """A line of comment equals a line of code that the same hunk removed. One question per file."""
    for file in changes.programs:
        stretches = [stretch for hunk in file.hunks for stretch in _stretches(_lines(file, hunk))]
        if stretches:
            (first, last), *others = stretches
            related = tuple(Place(file.path, a, b, options["note"]) for a, b in others[:MOST_RELATED])
            yield Spot(file.path, first, last, {"CODE": _MARK.sub("", file.new.line(first)).strip()}, related)


def _stretches(lines: list[int]) -> Iterator[tuple[int, int]]:
    """Lines next to each other as one stretch."""
    for index, line in enumerate(lines):
        if index and lines[index - 1] == line - 1:
            continue
        last = line
        while last + 1 in lines:
            last += 1
        yield line, last


def _lines(file: FileChange, hunk: Hunk) -> list[int]:
    code = {
        squeezed(line)
        for number, line in enumerate(hunk.removed, hunk.old_start)
        if file.old_code.lines[number].strip() and re.search(r"[(=;{\[]", line)
    }
    found: list[int] = []
    for number, line in enumerate(hunk.added, hunk.new_start):
        bare = squeezed(_MARK.sub("", line).removesuffix("*/").removesuffix("-->"))
        if (
            number in file.new_code.comments
            and not file.new_code.lines[number].strip()
            and len(bare) > 5
            and bare in code
        ):
            found.append(number)
    return found
