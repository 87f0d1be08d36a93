"""Of three or more statements of one shape, one keeps a name that the others change.

Where ``if x < self.min_x: self.min_x = x`` stands for x and y, and the one for z says ``min_y`` once, somebody
copied and changed all names but one. Names are compared by their words, so that ``min_x`` and ``maxX`` share x.

Parts of a match: ``ODD`` (the name that stayed), ``KEY`` (the one beside it that changed), ``PAIR`` and
``PAIRED`` (what a sibling says in the same two places).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from socreates_lsp.examiner.alike import COMPOUND, Column, Row, columns, groups, leaf
from socreates_lsp.examiner.match import Match
from socreates_lsp.examiner.risks import is_test
from socreates_lsp.examiner.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile
    from socreates_lsp.examiner.tokens import Token

_MOST_RELATED = 4
_MANY = 4
"""From so many mirrored statements on the one that was copied may stand anywhere above."""
_QUOTES = "\"'`"
_DEFINITIONS = frozenset(
    {
        "function_definition", "decorated_definition", "class_definition", "function_declaration",
        "method_definition", "method_declaration", "class_declaration", "function_item", "export_statement",
    }
)  # fmt: skip
_TYPES = frozenset(
    {
        "int", "integer", "long", "short", "byte", "bytes", "char", "float", "double", "bool", "boolean", "string",
        "str", "object", "void", "number", "uint", "unsigned", "signed", "int 32", "int 64",
    }
)  # fmt: skip
"""Words for types: a getter for chars may well read a short."""
_SIZED = re.compile(r"[uif](?:8|16|32|64|128|size)")
_CHANGES = re.compile(r"(?:append|push|add|insert|set|put|extend|update|remove|write|emplace)")
_ON_PURPOSE = re.compile(
    r"(?i)\b(?:same|also|too|as well|shar\w+|purpose|intention\w*|deliberate\w*|alias|fall ?back|instead|both|not?)\b"
)


@dataclass(frozen=True, slots=True)
class _Slip:
    """In ``row`` the ``column`` says ``said`` where by the ``key`` it would say ``meant``."""

    rows: list[Row]
    row: Row
    columns: list[Column]
    column: Column
    key: Column
    said: str
    meant: str

    @property
    def token(self) -> Token:
        """The name that stayed."""
        return self.row.tokens[self.column.token]


def detect(file: ParsedFile) -> Iterator[Match]:
    """One match for each name that stayed."""
    for rows in groups(file):
        yield from _judge(file, rows)


def _judge(file: ParsedFile, rows: list[Row]) -> Iterator[Match]:
    """At most one match for each sibling."""
    found = list(columns(rows))
    keys = {column.values: column for column in reversed(found) if len(set(column.values)) == len(rows)}
    asked: set[int] = set()
    for column in found:
        if len(set(column.values)) != len(rows) - 1:
            continue
        for key in keys.values():
            odd = _odd(column.values, key.values)
            if odd is not None and odd not in asked:
                slip = _Slip(rows, rows[odd], found, column, key, column.values[odd], key.values[odd])
                if _convincing(file.text.content, slip) and not _explained(file, slip):
                    asked.add(odd)
                    yield _match(rows, slip)


def _convincing(content: str, slip: _Slip) -> bool:
    """Whether the name that stayed is a slip rather than a choice.

    Either the odd name is written to, so that two siblings set the same thing, or the word that one would expect
    stands in several places beside it, or it is all that changes in the statements and the name that it would
    give is known in the file.
    """
    kind, said, meant = slip.row.sibling.kind, slip.said, slip.meant
    literal = slip.token.text[0] in _QUOTES or slip.token.text[0].isdigit()
    if said in _TYPES or meant in _TYPES or _SIZED.fullmatch(slip.token.text) or _says(slip.token, _stem(meant)):
        return False
    pure = all(other.values in (slip.column.values, slip.key.values) for other in slip.columns)
    if kind not in COMPOUND | _DEFINITIONS:
        if _is_mirrored(content, slip):
            return True
        return pure and not literal and not said.isdigit() and _exists_outside(content, slip)
    places = {other.token for other in slip.columns if other.token != slip.column.token}
    support = sum(_says(slip.row.tokens[place], _stem(meant)) for place in places)
    rivals = sum(other.values == slip.column.values for other in slip.columns)
    exists = _exists(content, slip)
    if kind in _DEFINITIONS:
        known = exists if literal else _is_known(content, slip)
        return known and support >= 2 and rivals < support and _stem(meant) in _name_of(slip.row.sibling.node)
    if literal:
        return exists and (pure or (support >= 2 and not said.isdigit()))
    if rivals > support:
        return False
    if _is_written(slip.row, slip.column.token) and exists:
        return True
    if support >= 2:
        return exists or not slip.token.text[0].isupper()
    return pure and _is_known(content, slip)


def _is_mirrored(content: str, slip: _Slip) -> bool:
    """Whether statements one a line say the same name on both sides, and this one says that of one above.

    ``self.left = o.left`` and so on: two names are in each and nothing else changes, so the one that is expected
    need not be known from anywhere else.
    """
    rows, places = slip.rows, {slip.column.token, slip.key.token}
    odd = next(index for index, row in enumerate(rows) if row is slip.row)
    copied = slip.column.values[odd - 1 : odd] if len(rows) < _MANY else slip.column.values[:odd]
    if slip.said not in copied or {one.token for one in slip.columns} != places:
        return False
    start = slip.row.sibling.start + slip.token.start
    end = start + len(slip.token.text)
    behind = content[end : end + 1]
    part = content[start - 1] in ".>:" or slip.token.text[0] in _QUOTES or behind == "("
    # A name of its own that is defined nowhere cannot be meant.
    if slip.said.replace(" ", "").isdigit() or not (part or _exists_outside(content, slip)):
        return False
    if slip.column.token < slip.key.token or any(
        _name(row, slip.column) != _name(row, slip.key) for row in rows if row is not slip.row
    ):
        return False
    between = (content[one.sibling.end : other.sibling.start] for one, other in pairwise(rows))
    return all(not gap.strip("; \t\r\n") and gap.count("\n") == 1 for gap in between)


def _name(row: Row, column: Column) -> list[str]:
    """The words of a name without those of a getter."""
    said = words(row.tokens[column.token].text)
    return said[1:] if len(said) > 1 and said[0] in {"get", "is", "has"} else said


def _explained(file: ParsedFile, slip: _Slip) -> bool:
    """Whether a comment at the statement says that it is meant so; single statements of tests repeat at will."""
    sibling = slip.row.sibling
    if sibling.kind not in COMPOUND | _DEFINITIONS and is_test(file.path):
        return True
    odd = file.position(sibling.start + slip.token.start).line
    if odd in file.comment_lines:
        return True
    around = range(file.position(sibling.start).line - 1, file.position(sibling.end).line + 1)
    return any(_ON_PURPOSE.search(file.text.line(line)) for line in around if line in file.comment_lines)


def _name_of(definition: SgNode) -> str:
    """The words of the name of a function or class; "" if it has none."""
    inner = definition.field("definition") or definition.field("declaration") or definition
    name = inner.field("name")
    return "" if name is None else " ".join(words(name.text()))


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


def _says(token: Token, stem: str) -> bool:
    said = " ".join(words(token.text))
    return f" {stem}" in f" {said}" or (len(stem) >= 4 and stem in said)


def _exists(content: str, slip: _Slip) -> bool:
    """Whether the expected name stands anywhere in the file, in whatever case."""
    expected = _expected(slip.token.text, slip.said, slip.meant)
    if expected is None:
        return False
    return re.search(rf"(?<![^\W_]){re.escape(expected)}(?![^\W_])", content, re.IGNORECASE) is not None


def _is_known(content: str, slip: _Slip) -> bool:
    """Whether exactly the expected name stands anywhere, not as the whole of a string."""
    expected = _expected(slip.token.text, slip.said, slip.meant)
    return expected is not None and _exact(expected).search(content) is not None


def _exists_outside(content: str, slip: _Slip) -> bool:
    """Whether exactly the expected name stands somewhere else than in the odd statement."""
    expected = _expected(slip.token.text, slip.said, slip.meant)
    if expected is None:
        return False
    word, sibling = _exact(expected), slip.row.sibling
    return word.search(content, 0, sibling.start) is not None or word.search(content, sibling.end) is not None


def _exact(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'\"`]){re.escape(name)}(?![\w'\"`])")


def _expected(text: str, said: str, meant: str) -> str | None:
    """The text with one word in place of another, in the manner of the one it replaces; of a string, that word."""
    found = re.search(r"[_\W]*".join(map(re.escape, said.split())), text, re.IGNORECASE)
    if found is None:
        return None
    old, new = found[0], meant.split()
    if old.isupper():
        put = "_".join(new).upper()
    elif old[0].isupper() or (old.isalnum() and old != old.lower()):
        put = "".join(word.capitalize() for word in new)
        put = put if old[0].isupper() else put[0].lower() + put[1:]
    else:
        put = ("" if " " in said and "_" not in old else "_").join(new)
    if text[0] in _QUOTES:
        return put
    return (text[: found.start()] + put + text[found.end() :]).lstrip("$")


def _is_written(row: Row, index: int) -> bool:
    """Whether a name is the last before an ``=``, or the owner of a method that changes it."""
    first, second, *_ = [token.text for token in row.tokens[index + 1 : index + 3]] + ["", ""]
    return (first == "=" and second != "=") or (first in {".", "-"} and _CHANGES.match(second) is not None)


def _odd(values: tuple[str, ...], key: tuple[str, ...]) -> int | None:
    """The one sibling that says another's word; None if there are more or none."""
    differing = [index for index, pair in enumerate(zip(values, key, strict=True)) if pair[0] != pair[1]]
    if len(differing) != 1:
        return None
    said, meant = values[differing[0]], key[differing[0]]
    return differing[0] if said in key and said not in meant and meant not in said else None


def _match(rows: list[Row], slip: _Slip) -> Match:
    other = rows[slip.key.values.index(slip.said)]
    parts: dict[str, SgNode | str] = {
        "ODD": slip.token.text,
        "KEY": slip.row.tokens[slip.key.token].text,
        "PAIR": other.tokens[slip.key.token].text,
        "PAIRED": other.tokens[slip.column.token].text,
    }
    related = tuple((row.sibling.node, "of the same shape") for row in rows[:_MOST_RELATED] if row is not slip.row)
    return Match(leaf(slip.row, slip.token), parts, related)
