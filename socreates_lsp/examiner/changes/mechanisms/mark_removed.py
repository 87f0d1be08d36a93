"""A mark that guards a whole function or route is gone from it: a permission, a lock, a transaction."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import calls, squeezed, words
from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.file_change import FileChange
    from socreates_lsp.workspace.difference import Hunk


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """Options: ``mark`` matches the guard in a removed line of code. It is missed if the line alone is gone and the
    code below it stays, or if the line stays without the guard; not if the guard was added anywhere in the file.
    """
    mark = re.compile(options["mark"])
    for file in changes.sources:
        added = [file.new_code.lines[n] for n in file.added]
        if any(mark.search(line) for line in added):
            continue
        for hunk in file.hunks:
            for number in range(hunk.old_start, hunk.old_start + len(hunk.removed)):
                found = mark.search(file.old_code.lines[number])
                if found is None or changes.added_lines[squeezed(file.old.line(number))]:
                    continue
                place = _still_there(file, hunk, number, found)
                if place is not None:
                    around = changes.function_at(file.path, place)
                    gone = file.old.line(number)[found.start() : found.end()].strip(" ,(")
                    name = around.name if around is not None and around.begin >= place - 1 else _subject(file, place)
                    yield Spot(file.path, place, place, {"GONE": gone, "SUBJECT": name})


def _subject(file: FileChange, line: int) -> str:
    return next(iter(calls(file.new_code.lines[line])), None) or file.new.line(line).strip()


def _still_there(file: FileChange, hunk: Hunk, number: int, found: re.Match[str]) -> int | None:
    """The line that the guard stood on or above, as it is now; None if that is gone too."""
    old = file.old_code.lines
    rest = (old[number][: found.start()] + old[number][found.end() :]).strip(" ,;()[]@#{}:")
    if len(words(rest)) >= 2:
        wanted = words(rest)
        for line in range(hunk.new_start, hunk.new_start + len(hunk.added)):
            if len(wanted & words(file.new_code.lines[line])) >= 0.7 * len(wanted):
                return line
        return None
    below = next((n for n in range(number + 1, len(old)) if old[n].strip() and n not in file.removed), None)
    end = hunk.old_start + len(hunk.removed)
    between = [n for n in range(number + 1, min(below or end, end)) if old[n].strip()]
    if below is not None and _is_subject(old[below]) and all(re.match(r"\s*[@\[#]", old[n]) for n in between):
        return file.near(number)
    return _same_line(file, hunk, between)


def _is_subject(line: str) -> bool:
    return not re.match(r"\s*[)}\]]", line)


def _same_line(file: FileChange, hunk: Hunk, between: list[int]) -> int | None:
    """The first of some removed lines that was added again, only indented otherwise."""
    again = {squeezed(file.new.line(n)): n for n in range(hunk.new_start, hunk.new_start + len(hunk.added))}
    return next((again[key] for n in between if (key := squeezed(file.old.line(n))) in again), None)
