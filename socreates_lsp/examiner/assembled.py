"""Strings that are put together from parts, read the same way from every language: ``+``, formats, builders.

Only strings are read here; what the string is for is the rule's business.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_LITERALS = frozenset(
    {
        "string_literal", "interpreted_string_literal", "raw_string_literal", "text_block", "concatenated_string",
        "char_literal", "character_literal", "rune_literal", "number_literal", "int_literal", "integer_literal",
        "decimal_integer_literal", "float_literal", "true", "false", "null", "nil",
    }
)  # fmt: skip
_WRAPPERS = frozenset(
    {"parenthesized_expression", "reference_expression", "cast_expression", "pointer_expression", "try_expression"}
)
_UNWRAPS = re.compile(r"^(c_str|data|toString|String|to_string|to_owned|as_str|into|str|build|clone|trim|as_ref|view)$")
_FORMATS = re.compile(
    r"^(fmt\.Sprintf|fmt\.Appendf|String\.format|MessageFormat\.format|format|fmt::format|std::format|formatted"
    r"|absl::StrFormat)$"
)
_JOINS = re.compile(
    r"^(fmt\.Sprint|strings\.Join|String\.join|String\.valueOf|concat|absl::StrCat|join|std::string|StringBuilder"
    r"|StringBuffer|StringJoiner|String|String::from|std::ostringstream)$"
)
_HARMLESS = re.compile(
    r"^(?:strconv\.(?:Itoa|Format\w+|Quote\w*)|std::to_string|to_string|Integer\.toString|Long\.toString|strings\.Repeat"
    r"|len|size\w*|length|Integer\.parseInt|Long\.parseLong|pq\.Quote\w+|\w*(?:[qQ]uote|[eE]scape|[sS]aniti|[pP]laceholder"
    r"|DatabaseUtils\.)\w*)$"
)
_CONSTANT = re.compile(r"^(?:\w+(?:\.|::))*_?[A-Z][A-Z0-9_]*$")
_ESCAPED = re.compile(r"(?i)quoted|escaped|saniti[sz]ed|encoded|placeholders?$|marks$|^q(?:marks|s)$|^binds?$")
"""What such a name holds has been made safe, or is nothing but question marks."""
_APPENDS = re.compile(r"^(?:append|WriteString|push_str|Append|append_format)$")
_C_WRITES = re.compile(r"^(?:v?s(?:n|w)?printf(?:_s)?|strn?cat|strn?cpy|strl(?:cat|cpy)|v?asprintf|g_snprintf)$")
_HOLE = re.compile(r"%[-+ #0]*\d*(?:\.\*|\.\d+)?[svq]|\{(?:\d*|[a-z_]\w*)(?::[^}?]*)?\}|\{\w*:\?\}")
_NUMERIC = re.compile(
    r"\b(?:int|long|Integer|Long|short|u?int\d*(?:_t)?|size_t|usize|[iu](?:8|16|32|64|size)|bool|boolean|unsigned)\b"
)
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Assembled:
    """``literals`` are the fixed pieces, as they are written; ``open`` the pieces whose text nobody here knows."""

    literals: tuple[str, ...]
    open: tuple[SgNode, ...]


def assembled(file: ParsedFile, node: SgNode) -> Assembled:
    """What a string expression, or the variable that holds it, is put together from."""
    reader = _Reader(file)
    reader.read(node, _DEEPEST)
    return Assembled(tuple(reader.literals), tuple(reader.open) if reader.joined else ())


class _Reader:
    """Collects the pieces of one string."""

    def __init__(self, file: ParsedFile) -> None:
        self.file = file
        self.literals: list[str] = []
        self.open: list[SgNode] = []
        self.joined = False

    def read(self, node: SgNode, depth: int) -> None:
        kind = node.kind()
        if kind in _LITERALS:
            self.literals.append(node.text())
        elif kind in _WRAPPERS and node.named_children():
            self.read(node.named_children()[-1], depth)
        elif kind == "binary_expression":
            self._read_sum(node, depth)
        elif kind == "macro_invocation":
            self._read_macro(node)
        elif kind in self.file.syntax.calls:
            self._read_call(node, depth)
        elif kind in self.file.syntax.identifiers and depth:
            self._read_name(node, depth)

    def _read_sum(self, node: SgNode, depth: int) -> None:
        operator = node.field("operator")
        if operator is None or operator.text() not in {"+", "<<"}:
            return
        sides = [side for side in (node.field("left"), node.field("right")) if side is not None]
        for side in sides:
            if side.kind() == "binary_expression":
                self._read_sum(side, depth)
            else:
                self._piece(side, depth)

    def _piece(self, node: SgNode, depth: int) -> None:
        """One operand or argument of something that joins."""
        while node.kind() in _WRAPPERS and node.named_children():
            node = node.named_children()[-1]
        before = len(self.literals) + len(self.open)
        self.read(node, depth)
        self.joined = True
        if len(self.literals) + len(self.open) == before and self._is_open(node):
            self.open.append(node)

    def _is_open(self, node: SgNode) -> bool:
        kind = node.kind()
        if kind in _LITERALS or _CONSTANT.match(node.text()):
            return False
        if kind in self.file.syntax.calls or kind == "macro_invocation":
            return not _HARMLESS.match(_callee(self.file, node))
        return not _ESCAPED.search(node.text()) and not self._is_number(node)

    def _is_number(self, node: SgNode) -> bool:
        from socreates_lsp.examiner.declarations import declarations

        found = declarations(self.file, node) if node.kind() in self.file.syntax.identifiers else []
        types = [kind for one in found if (kind := one.node.field("type")) is not None]
        return bool(types) and all(_NUMERIC.search(kind.text()) and "[" not in kind.text() for kind in types)

    def _read_macro(self, node: SgNode) -> None:
        macro = node.field("macro")
        tree = next((child for child in node.children() if child.kind() == "token_tree"), None)
        if macro is None or tree is None or macro.text() not in {"format", "concat", "format_args"}:
            return
        parts = tree.named_children()
        if not parts or parts[0].kind() not in _LITERALS:
            return
        self.literals.append(parts[0].text())
        inline = re.findall(r"\{([a-z_]\w*)(?::[^}]*)?\}", parts[0].text())
        given = [one for one in parts[1:] if one.kind() == "identifier" and not _CONSTANT.match(one.text())]
        numbers = [one for one in given if self._is_number(one)]
        if _HOLE.search(parts[0].text()) and (len(given) > len(numbers) or inline):
            self.joined = True
            self.open += given or [parts[0]]

    def _read_call(self, node: SgNode, depth: int) -> None:
        name = _callee(self.file, node)
        last = re.split(r"\.|::", name)[-1]
        owner = _owner(node)
        arguments = _arguments(node)
        if _FORMATS.match(name) or (last == "formatted" and owner is not None):
            self._read_format(owner if last == "formatted" else None, arguments, depth)
        elif _JOINS.match(name) and len(arguments) > 0:
            for argument in arguments:
                self._piece(argument, depth)
        elif _UNWRAPS.match(last) and owner is not None:
            self.read(owner, depth)
        elif _APPENDS.match(last) and owner is not None:
            self.read(owner, depth)
            for argument in arguments:
                self._piece(argument, depth)

    def _read_format(self, owner: SgNode | None, arguments: list[SgNode], depth: int) -> None:
        pieces = [owner, *arguments] if owner is not None else arguments
        pattern = next((one for one in pieces if one.kind() in _LITERALS), None)
        if pattern is None:
            if pieces:
                self.read(pieces[0], depth)
            return
        self.literals.append(pattern.text())
        if _HOLE.search(pattern.text()):
            for argument in pieces[pieces.index(pattern) + 1 :]:
                self._piece(argument, depth - 1)

    def _read_name(self, node: SgNode, depth: int) -> None:
        definitions = self.file.definitions.of(node)
        for definition in definitions:
            if definition.augmented:
                self.joined = True
                self._piece(definition.value, depth - 1)
            else:
                self.read(definition.value, depth - 1)
        for call in self._writers(node):
            name = _callee(self.file, call)
            arguments = _arguments(call)
            if name in {"sprintf", "asprintf"} or name.endswith("printf"):
                self._read_format(None, arguments[1:], depth)
            else:
                for argument in arguments if _owner(call) is not None else arguments[1:2]:
                    self._piece(argument, depth - 1)

    def _writers(self, node: SgNode) -> Iterator[SgNode]:
        """The calls that add to the string that a name holds, before it is used."""
        end = node.range().start.index
        for use in self.file.definitions.uses(node):
            if use.range().start.index >= end:
                continue
            call = next((up for up in list(use.ancestors())[:4] if up.kind() in self.file.syntax.calls), None)
            if call is None:
                self._read_streams(use)
                continue
            last = re.split(r"\.|::", _callee(self.file, call))[-1]
            owner, arguments = _owner(call), _arguments(call)
            if owner is not None and owner.text() == node.text() and _APPENDS.match(last):
                yield from _chain(self.file, call)
            elif _C_WRITES.match(last) and arguments and _base(arguments[0]) == node.text():
                yield call

    def _read_streams(self, use: SgNode) -> None:
        """C++: ``out << "a" << b`` adds to what ``out`` holds."""
        top: SgNode | None = None
        for up in use.ancestors():
            if up.kind() != "binary_expression":
                break
            top = up
        if top is not None and "<<" in top.text() and self.file.language == "cpp":
            self._read_stream(top, use.text())

    def _read_stream(self, node: SgNode, name: str) -> None:
        for side in (node.field("left"), node.field("right")):
            if side is not None and side.kind() == "binary_expression":
                self._read_stream(side, name)
            elif side is not None and side.text() != name:
                self._piece(side, 1)


def _base(target: SgNode) -> str:
    """The buffer that is written to: ``buf`` of ``&buf`` and of ``buf + n``."""
    return target.text().lstrip("&").partition("+")[0].strip()


def _chain(file: ParsedFile, call: SgNode) -> Iterator[SgNode]:
    """``sb.append(a).append(b)``: the calls from the inner to the outer one."""
    yield call
    for up in call.ancestors():
        if up.kind() in file.syntax.calls and _APPENDS.match(re.split(r"\.|::", _callee(file, up))[-1]):
            yield up
        elif up.kind() not in {"field_expression", "selector_expression"}:
            return


def _callee(file: ParsedFile, node: SgNode) -> str:
    """What is called, without arguments: ``fmt.Sprintf``; the last word alone where the owner is no plain name."""
    if node.kind() == "macro_invocation":
        macro = node.field("macro")
        return "" if macro is None else macro.text()
    callee = node.field(file.syntax.calls[node.kind()])
    owner = node.field("object")
    if callee is None:
        return ""
    text = f"{owner.text()}.{callee.text()}" if owner is not None and owner.kind() == "identifier" else callee.text()
    if re.fullmatch(r"[\w.:]+", text):
        return text if owner is None or owner.text()[:1].isupper() else callee.text()
    return re.split(r"\.|::|->", text)[-1]


def _owner(node: SgNode) -> SgNode | None:
    inner = node.field("function")
    for one in (node, inner):
        if one is not None:
            found = one.field("object") or one.field("operand") or one.field("argument") or one.field("value")
            if found is not None:
                return found
    return None


def _arguments(node: SgNode) -> list[SgNode]:
    given = node.field("arguments")
    return [] if given is None else [one for one in given.named_children() if not one.kind().endswith("comment")]
