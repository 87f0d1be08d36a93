"""Lines of code in a wrapping: a number, emphasis, quotation marks, backticks, tags that break them. Pure.

Whoever judges the lines of a text sees them without it; what is said of them stays as it was written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.review.voice_pieces import is_code

if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBERED = re.compile(r"[ \t]{0,8}(?:>[ \t]?)?\d{1,6}(?:\t| {0,4}[|│→](?: |\Z))(?P<rest>.*)\Z")
"""The number of a line, as the files are given to a model, and the line."""
_AROUND = {"“": "”", "„": "“”", "«": "»", "‘": "’", '"': '"', "'": "'"}
_EMPHASIS = ("***", "___", "**", "__", "~~", "*", "_")
_MARKS = re.compile(r"[ \t]*(?:(?:[-*+•]|\d{1,9}[.)]|>)[ \t]+)?")
_TICKED = re.compile(r"[ \t]*(?:>[ \t]?)?(`{1,3})(?P<code>[^`]+)\1[ \t]*[.,;]?\Z")
_NAME = re.compile(r"[\w.$@/:*<>\[\]-]+(?:\(\))?")
_BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
_BREAK_OR_TICKS = re.compile(rf"`+|{_BREAK.pattern}", re.IGNORECASE)
_GLUED = re.compile(r"(?<=[a-z]{2}:)(?=[^\s\d:/\\])")
"""Behind a colon that announces what such a tag breaks."""
_MANY = 3
"""Lines in backticks that follow each other and are a block, if they are not all names."""


def parted(line: str) -> list[str]:
    """The lines that a line makes where a tag breaks it outside of backticks; a row of a table is one line."""
    if "<" not in line or line.lstrip().startswith("|") or not _BREAK.search(line):
        return [line]
    marks = list(_BREAK_OR_TICKS.finditer(line))
    last = {found[0]: found.start() for found in marks}
    parts: list[str] = []
    inside, begin = "", 0
    for found in marks:
        if found[0] == inside:
            inside = ""
        elif not inside and found[0][0] == "`":
            inside = found[0] if last[found[0]] > found.start() else ""
        elif not inside:
            parts.append(line[begin : found.start()].rstrip())
            begin = found.end()
    return [*_GLUED.split(parts[0], maxsplit=1), *parts[1:], line[begin:]] if parts else [line]


def bare_lines(lines: Sequence[str]) -> list[str]:
    """Each of the lines without its wrapping, with its indentation."""
    ticked = _blocks_in_backticks(lines)
    return [_bare(line, ticked[at]) for at, line in enumerate(lines)]


def _bare(line: str, ticked: str | None) -> str:
    if ticked is not None:
        return ticked
    numbered = NUMBERED.match(line)
    line = numbered["rest"] if numbered else line
    marks = _MARKS.match(line)
    start = marks.end() if marks else 0
    text = line[start:].rstrip()
    inner = _within(text)
    return line if inner is None else line[:start] + inner


def _within(text: str) -> str | None:
    """What stands between quotation marks or marks of emphasis that hold all of a text."""
    closers = _AROUND.get(text[:1])
    if closers and len(text) > 2 and text[-1] in closers and not any(one in text[1:-1] for one in closers):
        return text[1:-1]
    mark = next((one for one in _EMPHASIS if text.startswith(one) and text.endswith(one)), None)
    if mark is None or len(text) <= 2 * len(mark) or mark in text[len(mark) : -len(mark)]:
        return None
    return text[len(mark) : -len(mark)]


def _blocks_in_backticks(lines: Sequence[str]) -> list[str | None]:
    """Of lines that follow each other and are each one piece in backticks, what stands in it, if they are a block."""
    inner = [found["code"] if (found := _TICKED.match(line)) else None for line in lines]
    start = 0
    while start < len(inner):
        end = start
        while end < len(inner) and inner[end] is not None:
            end += 1
        if not is_block([one for one in inner[start:end] if one is not None]):
            inner[start:end] = [None] * (end - start)
        start = max(end, start + 1)
    return inner


def is_block(pieces: Sequence[str]) -> bool:
    """Whether pieces in backticks, one a line, are lines of code and not a list of names."""
    if len(pieces) < 2 or all(_NAME.fullmatch(one.strip()) for one in pieces):
        return False
    return len(pieces) >= _MANY or any(map(is_code, pieces))


def is_ticked(line: str, bare: str) -> bool:
    """Whether a line was taken out of the backticks of a block."""
    found = _TICKED.match(line)
    return found is not None and found["code"] == bare
