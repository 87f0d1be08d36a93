"""A line that a change added matches an expression: leftovers of debugging, skipped tests, markers of a conflict."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import matching_bracket, squeezed
from socreates_lsp.examiner.changes.spot import MOST_RELATED, Spot
from socreates_lsp.examiner.hit import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.file_change import FileChange
    from socreates_lsp.examiner.changes.functions import Function

_SAME_AS = {"typescript": "javascript", "tsx": "javascript", "html": "javascript", "cpp": "c", "objective-c": "c"}
_LONGEST = 1000
"""Characters from which a line is taken for something that no person wrote."""

_STARTS_HERE = re.compile(
    r"""if\s+__name__\s*==|\bstatic\s+(?:async\s+)?\w+\s+[Mm]ain\s*\(|^package\s+main\b|^#!|\bfun\s+main\s*\(|^\s*fn\s+main\b|^\s*(?:int|void)\s+main\s*\(""",
    re.MULTILINE,
)


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """Options: ``patterns`` by language (``any`` for all), read in ``code``, ``comment`` or ``text`` (``in``) of the
    files named by ``where`` (``sources``, ``tests``, ``programs``, ``files``). ``usual``: quiet where the file does
    the same elsewhere, or is a program of its own. ``existed``: only where the marked thing was there before.
    ``except-path`` and ``except-function`` are expressions. With a ``note`` there is one question per file, and the
    other lines are related.
    """
    avoided = re.compile(options.get("except-path", r"(?!)"))
    for file in _files(changes, options["where"]):
        pattern = _pattern(file.language, options["patterns"])
        if (
            pattern is None
            or avoided.search(file.path)
            or (options.get("usual") and _is_usual(file, pattern, options["in"]))
        ):
            continue
        places = list(_places(changes, file, pattern, options))
        if options.get("note"):
            related = tuple(Place(file.path, line, line, options["note"]) for line, _ in places[1 : MOST_RELATED + 1])
            places = places[:1]
        else:
            related = ()
        for line, shown in places:
            yield Spot(file.path, line, line, {"FOUND": shown}, related)


def _places(
    changes: Changeset, file: FileChange, pattern: re.Pattern[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, str]]:
    """The lines that were added and not moved, with what was found."""
    for line in sorted(file.added):
        text = _line(file, line, options["in"])
        found = pattern.search(text) if len(text) < _LONGEST else None
        if found is None or changes.removed_lines[squeezed(file.new.line(line))]:
            continue
        around = changes.function_at(file.path, line)
        if around is not None and re.search(options.get("except-function", r"(?!)"), around.name):
            continue
        if options.get("existed") and not _existed(file, line, around):
            continue
        yield line, _shown(file, line, found, options["in"])


def _existed(file: FileChange, line: int, around: Function | None) -> bool:
    """Whether what the line marks was there before: its function, or a line with the same string in it."""
    if around is not None and any((one.owner, one.name) == (around.owner, around.name) for one in file.old_functions):
        return True
    title = re.search(r"(['\"`])(.+?)\1", file.new.line(line))
    hunk = file.hunk_of_new(line)
    return title is not None and hunk is not None and any(title[0] in removed for removed in hunk.removed)


def _files(changes: Changeset, where: str) -> tuple[FileChange, ...]:
    if where == "tests":
        return tuple(file for file in changes.programs if file.is_test)
    return {"sources": changes.sources, "programs": changes.programs, "files": changes.files}[where]


def _pattern(language: str | None, patterns: Mapping[str, str]) -> re.Pattern[str] | None:
    source = patterns.get(language or "") or patterns.get(_SAME_AS.get(language or "", "")) or patterns.get("any")
    return None if source is None else _compiled(source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _line(file: FileChange, line: int, part: str) -> str:
    if part == "code":
        return file.new_code.lines[line]
    return file.new_code.comments.get(line, "") if part == "comment" else file.new.line(line)


def _shown(file: FileChange, line: int, found: re.Match[str], part: str) -> str:
    """What was found, to the end of the call that it opens."""
    if part != "code":
        return found[0].strip()
    code, end = file.new_code, found.end()
    if found[0].count("(") > found[0].count(")"):
        opening = code.starts[line] + found.start() + found[0].rindex("(")
        closing = matching_bracket(code.content, opening)
        if closing is not None:
            end = closing + 1 - code.starts[line]
    return code.text.content[code.starts[line] + found.start() : code.starts[line] + end].strip()


def _is_usual(file: FileChange, pattern: re.Pattern[str], part: str) -> bool:
    """Whether this is what the file does anyway: it did before, or it is a program that talks to a terminal."""
    if _STARTS_HERE.search(file.new.content):
        return True
    before = range(len(file.old)) if file.old.content else range(0)
    return any(pattern.search(file.old_code.lines[n] if part == "code" else file.old.line(n)) for n in before)
