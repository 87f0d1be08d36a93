"""``joined: {of: X, like: REGEX, safe: REGEX, as: NAME}``: the captured text is put together, with an open piece in it.

Templates, concatenation, ``+=``, formats and joins are read, here or where the name was set (three steps). A piece
is open when it is neither a literal nor a name for literals, nor found by ``safe`` (its text), but always when
``unsafe`` finds it. ``like`` must be found in the whole text, in which each piece that is not literal reads ``\\0``;
``unless`` must not. ``as`` binds the first open piece. JavaScript, TypeScript and PHP.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_LITERALS = frozenset(
    {
        "string", "number", "integer", "float", "true", "false", "null", "undefined", "boolean", "string_fragment",
        "string_content", "escape_sequence", "regex",
    }
)  # fmt: skip
_TEMPLATES = frozenset({"template_string", "encapsed_string", "heredoc", "heredoc_body", "template_substitution"})
_WRAPPERS = frozenset(
    {"parenthesized_expression", "argument", "await_expression", "as_expression", "non_null_expression"}
)
_LISTS = frozenset({"array", "array_creation_expression", "array_element_initializer"})
_CHOICES = frozenset({"ternary_expression", "conditional_expression"})
_FORMATS = re.compile(r"^(?:util\.format|format|\\?v?sprintf|(?s:.)*\.(?:concat|join)|\\?implode|\\?join)$")
_STEPS = 3


@dataclass(slots=True)
class _Text:
    """``words`` are the pieces in order, None for one that is not literal; those are in ``pieces``."""

    words: list[str | None] = field(default_factory=list["str | None"])
    pieces: list[SgNode] = field(default_factory=list["SgNode"])
    joined: bool = False


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether such a text is built here."""
    node = match.get(argument["of"])
    if node is None:
        return False
    text = _Text()
    _read(file, node, text, _STEPS)
    if not text.joined or not text.pieces:
        return False
    words = "".join("\0" if word is None else word for word in text.words)
    if not re.search(argument.get("like", ""), words) or re.search(argument.get("unless", r"(?!)"), words):
        return False
    safe, unsafe = re.compile(argument.get("safe", r"(?!)")), re.compile(argument.get("unsafe", r"(?!)"))
    opened = [one for one in text.pieces if unsafe.search(one.text()) or not safe.search(one.text())]
    if opened and "as" in argument:
        match.parts[argument["as"]] = opened[0]
    return bool(opened)


def _read(file: ParsedFile, node: SgNode, text: _Text, steps: int) -> None:
    kind = node.kind()
    if kind in _LITERALS:
        text.words.append(node.text().strip("'\"`") if kind == "string" else node.text())
    elif kind in _TEMPLATES or kind in _LISTS:
        _read_template(file, node, text, steps)
    elif kind in _WRAPPERS and node.named_children():
        _read(file, node.named_children()[0], text, steps)
    elif kind in _CHOICES:
        for part in ("consequence", "body", "alternative"):
            branch = node.field(part)
            if branch is not None:
                _read(file, branch, text, steps)
    elif kind == "binary_expression" and _operator(node) in {"+", ".", "??", "||", "?:"}:
        _read_sum(file, node, text, steps)
    elif not (kind in file.syntax.calls and _read_call(file, node, text, steps)) and not (
        (kind in file.syntax.identifiers or node.text().startswith(("this.", "$this->")))
        and _read_name(file, node, text, steps)
    ):
        text.words.append(None)
        text.pieces.append(node)


def _read_template(file: ParsedFile, node: SgNode, text: _Text, steps: int) -> None:
    for child in node.named_children():
        if child.kind() not in {"heredoc_start", "heredoc_end"}:
            text.joined = text.joined or (node.kind() not in _LISTS and child.kind() not in {*_LITERALS, *_TEMPLATES})
            _read(file, child, text, steps)


def _read_sum(file: ParsedFile, node: SgNode, text: _Text, steps: int) -> None:
    """Left-nested sums are read without recursion: a long one would go too deep."""
    sides: list[SgNode] = []
    at: SgNode | None = node
    while at is not None and at.kind() == "binary_expression" and _operator(at) in {"+", ".", "??", "||", "?:"}:
        text.joined = text.joined or _operator(at) in {"+", "."}
        right = at.field("right")
        if right is not None:
            sides.append(right)
        at = at.field("left")
    if at is not None:
        sides.append(at)
    for side in reversed(sides):
        _read(file, side, text, steps)


def _read_call(file: ParsedFile, node: SgNode, text: _Text, steps: int) -> bool:
    callee = node.field("function")
    arguments = node.field("arguments")
    if callee is None or arguments is None or not _FORMATS.match(callee.text()):
        return False
    text.joined = True
    owner = callee.field("object")
    for part in ([owner] if owner is not None and callee.text() != "util.format" else []) + arguments.named_children():
        _read(file, part, text, steps)
    return True


def _read_name(file: ParsedFile, node: SgNode, text: _Text, steps: int) -> bool:
    definitions = file.definitions.of(node) if steps else []
    if not definitions or any(one.member is not None for one in definitions):
        return False
    for one in definitions:
        text.joined = text.joined or one.augmented
        _read(file, one.value, text, steps - 1)
    return True


def _operator(node: SgNode) -> str:
    operator = node.field("operator")
    return "" if operator is None else operator.text()
