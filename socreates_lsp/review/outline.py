"""The functions, classes and sections of a text and where they end, in any language, without a parser. Pure.

Brackets tell where the language has them (``bracket_blocks.py``), else indentation, else headings. Lines from 0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.review.bare_code import FILLER, bare_code
from socreates_lsp.review.block import Block, Kind
from socreates_lsp.review.bracket_blocks import BRACKETED, bracket_blocks
from socreates_lsp.workspace.text import split_lines, without_ending

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.workspace.text import Text

_PYTHON = re.compile(r"[ \t]*(?:(?P<c>class)|(?:async[ \t]+)?def)[ \t]+(?P<name>\w+)")
_WORDS = (
    r"def|defp|defmacro|defmacrop|function|macro|sub|func|fun|proc|procedure|(?:Public|Private|Friend|Static) (?:Sub|"
    r"Function)|Sub|Function"
)
_CLASSES = r"class|module|defmodule|defprotocol|defimpl|struct|mutable struct|(?:Public |Private )?(?:Class|Module)"
_BY_END = re.compile(
    rf"[ \t]*(?:local[ \t]+|private[ \t]+|protected[ \t]+)?(?:(?P<c>{_CLASSES})|{_WORDS})!?[ \t]+"
    r"(?:self\.)?(?P<name>\w[\w.:?!]*)"
)
_ASSIGNED = re.compile(r"[ \t]*(?:local[ \t]+)?(?P<name>[\w.]+)[ \t]*=[ \t]*function\b")
_DESCRIBED = re.compile(r"[ \t]*(?P<name>describe|context|test|it|namespace|task)\b.*\bdo\b")
_CLOSING = re.compile(r"\s*(?:end|End|fi|done|esac|else|elsif|elseif|rescue|ensure|catch|after|[)}\]])")
_CLOSED = re.compile(r"\s*(?:end\b|End (?:Sub|Function|Class|Module)|\})")
_DECORATOR = re.compile(r"[ \t]*(?:@\w|\[\w.*\][ \t]*$|#\[|#\w*!?\[|template\b)")

_BY_END_LANGUAGES = frozenset({"ruby", "lua", "elixir", "julia", "vb", "vim", "r"})

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t#]*$")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}[ \t]*$")
_LATEX = re.compile(r"\s*\\(part|chapter|section|subsection|subsubsection|paragraph)\*?\{(.*?)\}")
_LATEX_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
_TABLE = re.compile(r"[ \t]*\[+([^\]]+)\]+[ \t]*$")
_LARGEST, _LONGEST_LINE = 1_000_000, 5_000
"""Characters of a text and of a line beyond which it is generated, and nobody's function."""

_COMMENTS_ABOVE = 40
"""Lines of a comment above a function that belong to it."""


def outline(text: Text, language: str | None) -> list[Block]:
    """The blocks of a text in order, outer ones before those in them; empty where there is no telling. Never raises."""
    if language in _PROSE:
        lines = [text.line(number) for number in range(text.last_line + 1)]
        return _sections(list(_PROSE[language](lines)), text.last_line)
    if len(text.content) > _LARGEST or max(map(len, text.lines)) > _LONGEST_LINE:
        return []
    code = bare_code(text.content, language)
    if language in BRACKETED:
        found = bracket_blocks(code, language)
    elif language == "python":
        found = list(_indented(code))
    elif language in _BY_END_LANGUAGES:
        found = list(_ended(code))
    else:
        found = []
    lines = _bare(code)
    return sorted((_with_above(one, text, lines) for one in found), key=lambda one: (one.begin, -one.last))


def _bare(code: str) -> list[str]:
    return [without_ending(line) for line in split_lines(code)]


def _with_above(block: Block, text: Text, lines: Sequence[str]) -> Block:
    """The block with the decorators and comments right above it."""
    begin = block.begin
    while begin > 0 and block.begin - begin < _COMMENTS_ABOVE and text.line(begin - 1).strip():
        above = lines[begin - 1]
        if above.strip() and not _DECORATOR.match(above):
            break
        begin -= 1
    return block.starting(begin)


def indent(line: str) -> int:
    """The width of the white space at the start of a line, a tab to the next multiple of 4."""
    head = line[: len(line) - len(line.lstrip())]
    return len(head.expandtabs(4))


# By indentation


def _indented(code: str) -> Iterator[Block]:
    """Python: a block lasts as long as its lines are deeper than its first."""
    lines, outer = _bare(code), _depths(code)
    ends = _ends(lines, outer)
    for number, line in enumerate(lines):
        found = None if outer[number] else _PYTHON.match(line)
        if found is not None:
            head = number
            while head < len(lines) - 1 and (outer[head + 1] or lines[head].rstrip().endswith("\\")):
                head += 1
            kind = Kind.CLASS if found["c"] else Kind.FUNCTION
            yield Block(found["name"], kind, number, number, head, max(ends[number], head))


def _depths(code: str) -> list[int]:
    """How many brackets are open where each line starts; at least 1 where it starts inside a string."""
    depths: list[int] = []
    depth = 0
    for line in _bare(code):
        depths.append(max(depth, 1) if line.startswith(FILLER) else depth)
        depth = max(0, depth + sum(map(line.count, "([{")) - sum(map(line.count, ")]}")))
    return depths


def _ends(lines: Sequence[str], inner: Sequence[int]) -> list[int]:
    """For each line the last one that is deeper than it, with no other in between; found in one pass."""
    ends = list(range(len(lines)))
    open_lines: list[tuple[int, int]] = []
    last = 0
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        if not inner[number]:
            depth = indent(line)
            while open_lines and open_lines[-1][1] >= depth:
                ends[open_lines.pop()[0]] = last
            open_lines.append((number, depth))
        last = number
    for number, _ in open_lines:
        ends[number] = last
    return ends


def _ended(code: str) -> Iterator[Block]:
    """Ruby, Lua and their like: up to the ``end`` that stands as deep as the first line."""
    lines = _bare(code)
    open_blocks: list[tuple[int, int, str, Kind]] = []
    last = 0
    for number, line in enumerate(lines):
        if not line.strip() or line.startswith(FILLER):
            continue
        depth = indent(line)
        closes = _CLOSING.match(line)
        while open_blocks and (depth < open_blocks[-1][1] or (depth == open_blocks[-1][1] and not closes)):
            yield _block(open_blocks.pop(), last)
        if closes and open_blocks and depth == open_blocks[-1][1] and _CLOSED.match(line):
            yield _block(open_blocks.pop(), number)
        last = number
        found = _BY_END.match(line) or _ASSIGNED.match(line) or _DESCRIBED.match(line)
        if found is not None:
            is_class = found.groupdict().get("c") is not None or found.re is _DESCRIBED
            name = re.split(r"[.:]", found["name"])[-1] if not is_class else found["name"]
            open_blocks.append((number, depth, name.rstrip("?!"), Kind.CLASS if is_class else Kind.FUNCTION))
    while open_blocks:
        yield _block(open_blocks.pop(), last)


def _block(opened: tuple[int, int, str, Kind], last: int) -> Block:
    first, _, name, kind = opened
    return Block(name, kind, first, first, first, max(last, first))


# By headings


def _sections(headings: Sequence[tuple[int, int, int, str]], last_line: int) -> list[Block]:
    """Sections from headings (first line, last line, level, title): each up to the next of its level or above."""
    found: list[Block] = []
    for index, (first, head, level, title) in enumerate(headings):
        following = (one[0] for one in headings[index + 1 :] if one[2] <= level)
        found.append(Block(title, Kind.SECTION, first, first, head, next(following, last_line + 1) - 1))
    return found


def _markdown(lines: Sequence[str]) -> Iterator[tuple[int, int, int, str]]:
    fence = ""
    for number, line in enumerate(lines):
        marks = _FENCE.match(line)
        if marks is not None and (not fence or (line.strip()[:1] == fence[0] and len(marks[1]) >= len(fence))):
            fence = "" if fence else marks[1]
        elif not fence:
            heading = _HEADING.match(line)
            if heading is not None:
                yield number, number, len(heading[1]), heading[2] or ""
            elif number > 0 and re.fullmatch(r"=+[ \t]*|-{3,}[ \t]*", line) and re.match(r"\w", lines[number - 1]):
                yield number - 1, number, 1 if line[0] == "=" else 2, lines[number - 1].strip()


def _rst(lines: Sequence[str]) -> Iterator[tuple[int, int, int, str]]:
    levels: list[str] = []
    for number in range(1, len(lines)):
        title, mark = lines[number - 1], _UNDERLINE.match(lines[number])
        if mark is None or not re.match(r"\w|`", title) or len(lines[number].rstrip()) < len(title.rstrip()):
            continue
        over = number > 1 and lines[number - 2].rstrip() == lines[number].rstrip()
        style = mark[1] * (2 if over else 1)
        if style not in levels:
            levels.append(style)
        yield number - (2 if over else 1), number, levels.index(style), title.strip()


def _latex(lines: Sequence[str]) -> Iterator[tuple[int, int, int, str]]:
    for number, line in enumerate(lines):
        found = _LATEX.match(line)
        if found is not None:
            yield number, number, _LATEX_LEVELS.index(found[1]), found[2]


def _tables(lines: Sequence[str]) -> Iterator[tuple[int, int, int, str]]:
    for number, line in enumerate(lines):
        found = _TABLE.match(line)
        if found is not None:
            yield number, number, 0, found[1].strip()


_PROSE = {"markdown": _markdown, "rst": _rst, "latex": _latex, "toml": _tables, "ini": _tables}
