"""Of three or more statements of one shape, one keeps a name that the others change.

Where ``if x < self.min_x: self.min_x = x`` stands for x and y, and the one for z says ``min_y`` once, somebody
copied and changed all names but one. Names are compared by their words, so that ``min_x`` and ``maxX`` share x.

Parts of a match: ``ODD`` (the name that stayed), ``KEY`` (the one beside it that changed), ``PAIR`` and
``PAIRED`` (what a sibling says in the same two places).
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from socreates_lsp.examiner.match import Match
from socreates_lsp.examiner.risks import is_test
from socreates_lsp.examiner.statements import ARMS, IFS, LOOPS, chain
from socreates_lsp.examiner.tokens import Token, shape, skeleton, tokens
from socreates_lsp.examiner.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_T = TypeVar("_T")
_FEWEST = 3
"""Two of a kind show no rule that a third could break."""
_MOST_COLUMNS = 40
_LONGEST = 2000
"""Characters of one sibling that are compared; longer ones are not copies of each other."""
_MOST_RELATED = 4
_QUOTES = "\"'`"
_NOT_COMPARED = ("import", "use_", "package", "preproc", "namespace_use")
_COMPOUND = ARMS | IFS | LOOPS | {"arm", "try_statement", "with_statement"}
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
_PLAIN = re.compile(r"[\w\s]+")


@dataclass(frozen=True, slots=True)
class _Sibling:
    """A statement, or one arm of an ``else if`` chain: a part of ``node``, offsets in code points."""

    node: SgNode
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Row:
    """A sibling with its tokens; their offsets count from the start of the sibling."""

    sibling: _Sibling
    tokens: list[Token]


@dataclass(frozen=True, slots=True)
class _Column:
    """What the siblings say at one place, and the token it stands in."""

    values: tuple[str, ...]
    token: int


@dataclass(frozen=True, slots=True)
class _Slip:
    """In ``row`` the ``column`` says ``said`` where by the ``key`` it would say ``meant``."""

    row: _Row
    columns: list[_Column]
    column: _Column
    key: _Column
    said: str
    meant: str

    @property
    def token(self) -> Token:
        """The name that stayed."""
        return self.row.tokens[self.column.token]


def detect(file: ParsedFile) -> Iterator[Match]:
    """One match for each name that stayed."""
    content, language = file.text.content, file.language

    comment = "#" if language == "python" else "//"

    def outline(one: _Sibling) -> tuple[str, str]:
        first_line = content[one.start : one.end].partition("\n")[0]
        return one.kind, _PLAIN.sub("", first_line.partition(comment)[0])

    def whole(one: _Sibling) -> str:
        return skeleton(content[one.start : one.end], language)

    for family in _families(file):
        for rough in _alike(family, outline):
            for alike in _alike(rough, whole):
                rows = [_Row(one, tokens(content[one.start : one.end], language)) for one in alike]
                for group in _alike(rows, lambda row: shape(row.tokens)):
                    yield from _judge(file, group)


def _families(file: ParsedFile) -> Iterator[list[_Sibling]]:
    """The statements of each block, and the arms of each chain."""
    for children in file.blocks:
        if len(children) >= _FEWEST:
            compared = (_sibling(node, kind) for node, kind in children if not kind.startswith(_NOT_COMPARED))
            yield [one for one in compared if one.end - one.start <= _LONGEST]
        for node, kind in children:
            if kind in IFS or (file.language == "rust" and kind == "expression_statement"):
                arms = chain(node) if kind not in IFS or node.field("alternative") is not None else []
                if len(arms) >= _FEWEST:
                    yield [_arm(node, head, body) for head, body in arms]


def _sibling(node: SgNode, kind: str) -> _Sibling:
    span = node.range()
    if kind == "expression_statement":
        inner = node.named_children()
        kind = inner[0].kind() if inner and inner[0].kind() in _COMPOUND else kind
    return _Sibling(node, kind, span.start.index, span.end.index)


def _arm(node: SgNode, head: SgNode, body: SgNode) -> _Sibling:
    return _Sibling(node, "arm", head.range().start.index, body.range().end.index)


def _alike(items: Iterable[_T], trait: Callable[[_T], Hashable]) -> list[list[_T]]:
    groups: defaultdict[Hashable, list[_T]] = defaultdict(list)
    for item in items:
        groups[trait(item)].append(item)
    return [group for group in groups.values() if len(group) >= _FEWEST]


def _judge(file: ParsedFile, rows: list[_Row]) -> Iterator[Match]:
    """At most one match for each sibling."""
    columns = list(_columns(rows))
    keys = {column.values: column for column in reversed(columns) if len(set(column.values)) == len(rows)}
    asked: set[int] = set()
    for column in columns:
        if len(set(column.values)) != len(rows) - 1:
            continue
        for key in keys.values():
            odd = _odd(column.values, key.values)
            if odd is not None and odd not in asked:
                slip = _Slip(rows[odd], columns, column, key, column.values[odd], key.values[odd])
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
    if kind not in _COMPOUND | _DEFINITIONS:
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


def _explained(file: ParsedFile, slip: _Slip) -> bool:
    """Whether a comment at the statement says that it is meant so; single statements of tests repeat at will."""
    sibling = slip.row.sibling
    if sibling.kind not in _COMPOUND | _DEFINITIONS and is_test(file.path):
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
        put = "_".join(new)
    if text[0] in _QUOTES:
        return put
    return (text[: found.start()] + put + text[found.end() :]).lstrip("$")


def _is_written(row: _Row, index: int) -> bool:
    """Whether a name is the last before an ``=``, or the owner of a method that changes it."""
    first, second, *_ = [token.text for token in row.tokens[index + 1 : index + 3]] + ["", ""]
    return (first == "=" and second != "=") or (first in {".", "-"} and _CHANGES.match(second) is not None)


def _columns(rows: list[_Row]) -> Iterator[_Column]:
    """The places where not all siblings say the same, word by word where names have equally many words."""
    seen = 0
    for index, token in enumerate(rows[0].tokens):
        if not token.named or all(row.tokens[index].text == token.text for row in rows):
            continue
        seen += 1
        if seen > _MOST_COLUMNS:
            return
        said = [words(row.tokens[index].text) for row in rows]
        if len(set(map(len, said))) > 1:
            said = [[one] for one in _middles(said)]
        varying = [values for values in zip(*said, strict=True) if len(set(values)) > 1]
        if len(varying) > 1:
            yield _Column(tuple(map(" ".join, said)), index)
        for values in varying:
            yield _Column(values, index)


def _middles(names: list[list[str]]) -> list[str]:
    """What is left of each name without the first and last words that all have in common."""
    shortest = min(map(len, names))
    front = next((n for n in range(shortest) if len({tuple(name[: n + 1]) for name in names}) > 1), shortest)
    rest = shortest - front
    back = next((n for n in range(rest) if len({tuple(name[len(name) - n - 1 :]) for name in names}) > 1), rest)
    return [" ".join(name[front : len(name) - back]) for name in names]


def _odd(values: tuple[str, ...], key: tuple[str, ...]) -> int | None:
    """The one sibling that says another's word; None if there are more or none."""
    differing = [index for index, pair in enumerate(zip(values, key, strict=True)) if pair[0] != pair[1]]
    if len(differing) != 1:
        return None
    said, meant = values[differing[0]], key[differing[0]]
    return differing[0] if said in key and said not in meant and meant not in said else None


def _match(rows: list[_Row], slip: _Slip) -> Match:
    other = rows[slip.key.values.index(slip.said)]
    parts: dict[str, SgNode | str] = {
        "ODD": slip.token.text,
        "KEY": slip.row.tokens[slip.key.token].text,
        "PAIR": other.tokens[slip.key.token].text,
        "PAIRED": other.tokens[slip.column.token].text,
    }
    related = tuple((row.sibling.node, "of the same shape") for row in rows[:_MOST_RELATED] if row is not slip.row)
    return Match(_leaf(slip.row, slip.token), parts, related)


def _leaf(row: _Row, token: Token) -> SgNode:
    """The smallest node around a token."""
    at = row.sibling.start + token.start
    node = row.sibling.node
    while True:
        inner = next((one for one in node.children() if one.range().start.index <= at < one.range().end.index), None)
        if inner is None or inner.range().end.index < at + len(token.text):
            return node
        node = inner
