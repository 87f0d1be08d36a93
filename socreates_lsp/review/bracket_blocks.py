"""The functions and classes of code with braces: what stands before a brace tells what it opens. Pure.

Takes code without comments and strings (``bare_code.py``). Lines from 0.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from socreates_lsp.review.block import Block, Kind
from socreates_lsp.review.block_heads import BY_SHAPE, C_LIKE, SCRIPTS, SECTIONED, TERMINATED, UNFINISHED, told_by
from socreates_lsp.workspace.text import split_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

BRACKETED = BY_SHAPE | TERMINATED | SECTIONED | {"go", "kotlin", "swift", "scala", "zig", "perl", "powershell"}
"""Languages whose blocks have braces."""

_TOKEN = re.compile(r"[][(){};,]")
_OPENERS = {")": "(", "]": "[", "}": "{"}
_LONGEST_HEADER = 1000
_MOST_KEPT = 8
"""Braces in one statement after which it is not looked at as a whole any more."""

_NAMELESS = re.compile(r"=>\Z|\A\s*(?:async\s+)?function\b")
_WRAPPED = re.compile(
    r"\b(?:const|let|var)\s+(?P<name>[\w$]+)[^=;(){}]*=\s*(?:[\w$]+\.)*(?:use[A-Z]\w*|memo|forwardRef|debounce|throttle|"
    r"observer|wrap\w*)\s*(?:<[^;]*>)?\s*\Z"
)
_GOES_ON = frozenset(">|&[=?")
_OPENING = re.compile(r"\s*<\?(?:php\b)?")
_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(\w*)")


@dataclass(slots=True)
class _Frame:
    """An open bracket: where it is, where the statement around it and the one in it start, what it opens."""

    bracket: str
    header: int
    block: tuple[str, Kind, int, int] | None = None


def bracket_blocks(code: str, language: str) -> list[Block]:
    """The blocks of code, in the order of their ends. Never raises."""
    if language in C_LIKE or language == "csharp":
        code = _without_directives(code)
    return _Scan(code, language).run()


class _Scan:
    def __init__(self, code: str, language: str) -> None:
        self.code = code
        self.language = language
        self.starts = [0, *accumulate(map(len, split_lines(code)))]
        self.found: list[Block] = []
        self.stack = [_Frame("", 0)]
        self.inner: list[int] = [0]
        self.kept = 0

    def run(self) -> list[Block]:
        for token in _TOKEN.finditer(self.code):
            character, at = token[0], token.start()
            if character in "([{":
                frame = _Frame(character, self.inner[-1])
                if character == "{" or (character == "(" and self._is_arrow(at)):
                    frame.block = self._opened(at)
                self.stack.append(frame)
                self.inner.append(at + 1)
            elif character in ")]}":
                self._close(character, at)
            elif character == ";" or self.stack[-1].bracket in {"(", "["}:
                self.inner[-1] = at + 1
        end = len(self.starts) - 2
        while len(self.stack) > 1:
            self._keep(self.stack.pop(), end)
        return self.found

    def _close(self, character: str, at: int) -> None:
        opener = _OPENERS[character]
        if not any(frame.bracket == opener for frame in self.stack[-64:]):
            return
        frame = self.stack.pop()
        self.inner.pop()
        while frame.bracket != opener:
            frame = self.stack.pop()
            self.inner.pop()
        self._keep(frame, self._line(at))
        if character != "}":
            return
        after = self.code[at + 1 : at + 80]
        goes_on = frame.block is None and (after.lstrip()[:1] in _GOES_ON or after.lstrip(" ")[:1] == "{")
        unfinished = frame.block is None and UNFINISHED.search(self.code, frame.header, self._before(frame, at))
        self.kept = self.kept + 1 if goes_on or unfinished else 0
        if not 0 < self.kept <= _MOST_KEPT:
            self.inner[-1] = at + 1

    def _is_arrow(self, at: int) -> bool:
        """Whether a round bracket is the body of an arrow function."""
        return self.language in SCRIPTS and self.code[max(at - 8, 0) : at].rstrip().endswith("=>")

    def _wrapped(self) -> str | None:
        """The name of what a function without one is given to: ``load`` in ``const load = useCallback(() => {``."""
        frame = self.stack[-1]
        if frame.bracket != "(":
            return None
        found = _WRAPPED.search(self.code, max(frame.header, self.inner[-1] - _LONGEST_HEADER), self.inner[-1] - 1)
        return None if found is None else found["name"]

    def _before(self, frame: _Frame, at: int) -> int:
        """Where the brace of a frame that closes at ``at`` was opened, if it is near; else where its header starts."""
        opened = self.code.find("{", frame.header, min(at, frame.header + _LONGEST_HEADER))
        return opened if opened >= 0 else frame.header

    def _line(self, at: int) -> int:
        return bisect_right(self.starts, at) - 1

    def _keep(self, frame: _Frame, last: int) -> None:
        if frame.block is not None:
            name, kind, first, head = frame.block
            self.found.append(Block(name, kind, first, first, head, max(last, head)))

    def _opened(self, at: int) -> tuple[str, Kind, int, int] | None:
        """What a brace opens: its name, kind, first line and the last line of its signature; None for anything else."""
        begin = max(self.inner[-1], at - _LONGEST_HEADER)
        header = self.code[begin:at]
        flat = _flat(header)
        bare = flat.rstrip()
        top = len(self.stack) == 1
        told = told_by(bare, self.language)
        if told is None and self.language in SCRIPTS and _NAMELESS.search(bare) and (wrapped := self._wrapped()):
            told = wrapped, Kind.FUNCTION, 0
        if told is None:
            if not (top and self.language in SECTIONED):
                return None
            line = self.code.rfind("\n", begin, begin + len(bare)) + 1
            told = (" ".join(header[max(line - begin, 0) :].split()), Kind.SECTION, max(line - begin, 0))
        name, kind, start = told
        if self.language in TERMINATED and self.stack[-1].bracket != "(":
            opening = _OPENING.match(header) if self.language == "php" else None
            start = 0 if opening is None else opening.end()
        start += len(header[start:]) - len(header[start:].lstrip())
        return name, kind, self._line(begin + start), self._line(begin + max(len(bare) - 1, start))


def _flat(header: str) -> str:
    """A header with blanks for all that is in its brackets."""
    if "(" not in header and "[" not in header and "{" not in header:
        return header
    out: list[str] = []
    depth = 0
    for character in header:
        if character in ")]}" and depth:
            depth -= 1
        out.append(character if not depth else " ")
        if character in "([{":
            depth += 1
    return "".join(out)


def _without_directives(code: str) -> str:
    """Blanks for the lines of the preprocessor, and for branches that open again what the first one opened."""
    lines = split_lines(code)
    branches: list[list[int]] = []
    goes_on = False
    for number, line in enumerate(lines):
        found = None if goes_on else _DIRECTIVE.match(line)
        if found is not None:
            if found[1].startswith("if"):
                branches.append([number])
            elif found[1].startswith("el") and branches:
                branches[-1].append(number)
            elif found[1] == "endif" and branches:
                marks = [*branches.pop(), number]
                for start, end in pairwise(marks[1:]):
                    if not _is_balanced(lines[start:end]):
                        lines[start:end] = map(_blank, lines[start:end])
        is_directive = goes_on or found is not None
        goes_on = is_directive and line.rstrip("\r\n").endswith("\\")
        if is_directive:
            lines[number] = _blank(line)
    return "".join(lines)


def _is_balanced(lines: Sequence[str]) -> bool:
    depth = 0
    for brace in re.findall(r"[{}]", "".join(lines)):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def _blank(line: str) -> str:
    return re.sub(r"[^\r\n]", " ", line)
