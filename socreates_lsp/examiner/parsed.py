"""A file and its syntax tree, with what every rule asks of it."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from ast_grep_py import SgRoot

from socreates_lsp.examiner.php_source import without_page
from socreates_lsp.examiner.syntax import SYNTAX, Syntax
from socreates_lsp.review.blanking import without_directives
from socreates_lsp.workspace.text import Position, Range, Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.definitions import Definitions
    from socreates_lsp.examiner.imports import Imports


_SURROGATE = re.compile("[\ud800-\udfff]")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_WHOLE = re.compile(r"_statement$|_definition$|declaration$|_item$|_directive$|^comment$|_comment$|^preproc_|^php_tag$")
"""Kinds of nodes that are read to their end, also within an error."""
_WORD = re.compile(r"\w+")


def key(node: SgNode) -> tuple[int, int, str]:
    """What identifies a node within its file (nodes themselves don't compare)."""
    span = node.range()
    return span.start.index, span.end.index, node.kind()


class ParsedFile:
    """A text parsed once. ``path`` is relative to the root with forward slashes."""

    def __init__(self, path: str, language: str, text: Text) -> None:
        """Parse. The language must be a key of SYNTAX: ast-grep panics over an unknown one."""
        self.path = path
        self.language = language
        self.text = text
        self.syntax: Syntax = SYNTAX[language]
        # The parsers take a lone \r for a space; one character for another keeps every offset.
        source = _LONE_RETURN.sub("\n", _without_surrogates(without_directives(text, language)))
        self.root: SgNode = SgRoot(without_page(source) if language == "php" else source, language).root()

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(map(len, self.text.lines))]

    def position(self, index: int) -> Position:
        """The position of an offset in code points (tree-sitter's own rows know only ``\\n``)."""
        line = min(bisect_right(self._starts, index) - 1, len(self.text) - 1)
        return Position(line, index - self._starts[line])

    def range_of(self, node: SgNode) -> Range:
        """Where a node stands, in code points."""
        span = node.range()
        return Range(self.position(span.start.index), self.position(span.end.index))

    def line_of(self, node: SgNode) -> int:
        """The line a node starts on, from 0."""
        return self.position(node.range().start.index).line

    def function_of(self, node: SgNode) -> SgNode | None:
        """The nearest function around a node, not the node itself."""
        return next((up for up in node.ancestors() if up.kind() in self.syntax.functions), None)

    def class_of(self, node: SgNode) -> SgNode | None:
        """The nearest class around a node."""
        return next((up for up in node.ancestors() if up.kind() in self.syntax.classes), None)

    def function_name(self, node: SgNode) -> str | None:
        """The name of the nearest named function around a node (an anonymous one takes its outer's)."""
        for up in node.ancestors():
            if up.kind() in self.syntax.functions:
                name = up.field("name") or _declared(up)
                if name is not None:
                    return name.text()
        return None

    @cached_property
    def definitions(self) -> Definitions:
        """Local definitions and uses."""
        from socreates_lsp.examiner.definitions import Definitions

        return Definitions(self)

    @cached_property
    def imports(self) -> Imports:
        """What the imported names stand for."""
        from socreates_lsp.examiner.imports import Imports

        return Imports(self)

    @cached_property
    def blocks(self) -> list[list[tuple[SgNode, str]]]:
        """The statements (cases, methods) of every block with their kinds; comments are left out."""
        from socreates_lsp.examiner.statements import siblings

        return siblings(self.root, self.language)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the text as it stands, and in small letters the words that long names are made of.

        ``getTotal_price`` is there, and so are ``get``, ``total`` and ``price``.
        """
        from socreates_lsp.examiner.words import words

        whole = set(_WORD.findall(self.text.content))
        return frozenset(whole.union(part for name in whole for part in words(name)))

    @cached_property
    def comment_lines(self) -> frozenset[int]:
        """The lines that hold a comment, or a part of one."""
        lines: set[int] = set()
        for kind in self.syntax.comments:
            for node in self.root.find_all(kind=kind):
                span = self.range_of(node)
                # A doc comment of Rust takes the line break behind it along.
                ends_before = span.end.column == 0 and span.end.line > span.start.line
                lines.update(range(span.start.line, span.end.line + (not ends_before)))
        return frozenset(lines)

    @cached_property
    def lost_at(self) -> int | None:
        """The first line (from 0) that the parser could make nothing of; None if it read all."""
        places = (self._lost_in(node) for node in self.root.find_all(kind="ERROR"))
        return min(map(self.line_of, places), default=None)

    def _lost_in(self, error: SgNode) -> SgNode:
        """What it stumbled over: an error begins with all that was read before in what it is in, such as a class."""
        place = error
        whole = True
        for child in error.children():
            if child.kind() == "ERROR":
                return child if whole else place
            if child.is_named() and _WHOLE.search(child.kind()):
                whole = True
            elif whole:
                place, whole = child, False
        return place

    @cached_property
    def error_ranges(self) -> list[Range]:
        """Where the parser lost its way."""
        return [self.range_of(node) for node in self.root.find_all(kind="ERROR")]


def comments_of(text: Text, language: str) -> Callable[[int], bool]:
    """What tells by an offset whether a comment stands there, or who knows what: there was no making sense of it."""
    root = SgRoot(_without_surrogates(text.content), language).root()
    spans = [
        (span.start.index, span.end.index)
        for kind in (*SYNTAX[language].comments, "ERROR")
        for node in root.find_all(kind=kind)
        for span in [node.range()]
    ]
    return lambda offset: any(start <= offset < end for start, end in spans)


def _without_surrogates(content: str) -> str:
    """Lone surrogates cannot cross into Rust (UnicodeEncodeError); one replacement each keeps every offset."""
    return content if content.isascii() else _SURROGATE.sub("\ufffd", content)


def _declared(function: SgNode) -> SgNode | None:
    """The name inside C's nested declarators, or of the variable that an anonymous function is bound to."""
    parent = function.parent()
    if parent is not None and parent.kind() in {"variable_declarator", "pair", "public_field_definition"}:
        return parent.field("name") or parent.field("key")
    declarator = function.field("declarator")
    while declarator is not None and (inner := declarator.field("declarator")) is not None:
        declarator = inner
    return declarator
