"""Whether a Python expression surely holds text, a set or a path: by how it is made, annotated or used in its function.

A method's name alone says little: ``strip`` of a class of one's own may well work in place, as that of rich's ``Text``
does. So what is not known is none of these.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.examiner.parsed import key

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_DEEPEST = 4
"""So many steps are followed from a name to what it was set to."""

_LITERALS = {
    "text": frozenset({"string", "concatenated_string"}),
    "set": frozenset({"set", "set_comprehension"}),
    "path": frozenset[str](),
}
_MAKERS = {
    "text": re.compile(
        r"str|bytes|repr|ascii|chr|input|format|re\.subn?|os\.path\.\w*(?:name|path|join)|os\.getcwd"
        r"|(?:json|yaml)\.dumps|getpass\.getpass|textwrap\.\w+|(?:html|re|shlex)\.\w*(?:escape|quote)"
    ),
    "set": re.compile(r"(?:frozen)?set"),
    "path": re.compile(r"(?:pathlib\.)?(?:Pure)?(?:Posix|Windows)?Path(?:\.(?:cwd|home)\(\))?"),
}
"""What makes one when it is called, as a whole dotted name."""
_METHODS = {
    "text": frozenset(
        {
            "strip", "lstrip", "rstrip", "upper", "lower", "title", "capitalize", "casefold", "swapcase", "join",
            "format", "encode", "decode", "expandtabs", "zfill", "ljust", "rjust", "removeprefix", "removesuffix",
            "read_text", "read_bytes", "readline", "isoformat", "strftime", "hexdigest",
        }
    ),
    "set": frozenset({"union", "intersection", "difference", "symmetric_difference"}),
    "path": frozenset({"with_suffix", "with_name", "with_stem", "resolve", "absolute", "expanduser"}),
}  # fmt: skip
"""Methods whose result, where it is taken, is one."""
_BELONGING = {
    "text": frozenset(
        {
            "startswith", "endswith", "splitlines", "casefold", "isdigit", "isalpha", "isalnum", "isspace", "isupper",
            "islower", "isidentifier", "encode", "decode", "removeprefix", "removesuffix", "upper", "lower", "title",
        }
    ),
    "set": frozenset({"isdisjoint", "issubset", "issuperset", "symmetric_difference"}),
    "path": frozenset({"read_text", "write_text", "read_bytes", "write_bytes", "iterdir", "with_name", "relative_to"}),
}  # fmt: skip
"""Methods that only such a value has; a name whose result of one is taken is one."""
_ANNOTATIONS = {
    "text": re.compile(r"(?:str|bytes|AnyStr)"),
    "set": re.compile(r"(?:set|frozenset|Set|FrozenSet|AbstractSet)"),
    "path": re.compile(r"(?:Pure)?(?:Posix|Windows)?Path"),
}
_NOTHING = frozenset({"None", "Optional", "Union", "Final", "ClassVar", "Annotated"})
_PIECES = frozenset({"splitlines", "split", "rsplit", "readlines", "partition"})
"""Methods whose elements are text."""


def surely(file: ParsedFile, node: SgNode, wanted: str) -> bool:
    """Whether the expression surely is ``text`` (str or bytes), a ``set`` or a ``path``."""
    return _surely(file, node, wanted, _DEEPEST)


def _surely(file: ParsedFile, node: SgNode, wanted: str, steps: int) -> bool:
    kind = node.kind()
    if kind in _LITERALS[wanted]:
        return True
    if kind in {"parenthesized_expression", "await"}:
        return bool(node.named_children()) and _surely(file, node.named_children()[0], wanted, steps)
    if kind == "call":
        return _made(file, node, wanted)
    if kind in {"binary_operator", "boolean_operator"}:
        return _combined(file, node, wanted, steps)
    if kind == "conditional_expression" and len(node.named_children()) == 3:
        first, _, last = node.named_children()
        return _surely(file, first, wanted, steps) and _surely(file, last, wanted, steps)
    if kind in {"identifier", "attribute"} and steps:
        return _named(file, node, wanted, steps - 1)
    return False


def _made(file: ParsedFile, call: SgNode, wanted: str) -> bool:
    callee = call.field("function")
    if callee is None:
        return False
    if any(_MAKERS[wanted].fullmatch(name) for name in file.definitions.resolve(callee)):
        return not _defined_here(file, callee.text())
    name, owner = callee.field("attribute"), callee.field("object")
    if name is None or owner is None or owner.text() in {"self", "cls"} or owner.text().startswith("super("):
        return False
    if wanted == "text" and name.text() == "read":
        return "open()" in file.definitions.resolve(owner) or owner.text().endswith(("stdin", "stdin.buffer"))
    if wanted == "text" and name.text() == "replace":
        arguments = call.field("arguments")
        return arguments is not None and [one.kind() for one in arguments.named_children()][:1] == ["string"]
    return name.text() in _METHODS[wanted]


def _combined(file: ParsedFile, node: SgNode, wanted: str, steps: int) -> bool:
    left, right, operator = node.field("left"), node.field("right"), node.field("operator")
    if left is None or right is None or operator is None:
        return False
    sides = (_surely(file, left, wanted, steps), _surely(file, right, wanted, steps))
    if node.kind() == "boolean_operator":
        return sides[1] and (sides[0] or operator.text() == "or")
    if operator.text() == "+":
        return wanted == "text" and any(sides)
    if operator.text() in {"%", "*", "/"}:
        return sides[0] and {"%": "text", "*": "text", "/": "path"}[operator.text()] == wanted
    return wanted == "set" and all(sides)


def _named(file: ParsedFile, node: SgNode, wanted: str, steps: int) -> bool:
    """Whether all that a name was set to is one, or its annotation says so, or what is done with it."""
    definitions = file.definitions.of(node)
    annotated = [one for one in (definition.statement.field("type") for definition in definitions) if one is not None]
    if annotated:
        return any(_is_annotation(one.text(), wanted) for one in annotated)
    if definitions and all(_surely(file, one.value, wanted, steps) for one in definitions if one.member is None):
        return all(one.member is None for one in definitions)
    if node.kind() == "attribute":
        return False
    annotation = _parameter(file, node)
    if annotation is not None and not definitions:
        return annotation.kind() in _LITERALS[wanted] or _is_annotation(annotation.text(), wanted)
    return (wanted == "text" and _is_piece(file, node, steps)) or _used_as(file, node, wanted)


def _is_annotation(text: str, wanted: str) -> bool:
    """Whether an annotation names nothing else: ``str | None`` is text, ``str | Line`` and ``list[str]`` are not."""
    names = set(re.findall(r"[\w.]+", re.sub(r"[sS]et\[.*\]", "set", text))) if wanted == "set" else _words(text)
    names = {name.rpartition(".")[2] for name in names} - _NOTHING
    return bool(names) and all(_ANNOTATIONS[wanted].fullmatch(name) for name in names)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[\w.]+", text))


def _parameter(file: ParsedFile, node: SgNode) -> SgNode | None:
    """What the parameter of this name is annotated with, else its default."""
    function = file.function_of(node)
    parameters = None if function is None else function.field("parameters")
    for one in [] if parameters is None else parameters.named_children():
        name = one.field("name") or (one.named_children()[0] if one.kind() == "typed_parameter" else None)
        if name is not None and name.text() == node.text():
            return one.field("type") or one.field("value")
    return None


def _is_piece(file: ParsedFile, node: SgNode, steps: int) -> bool:
    """Whether the name is bound by loops alone, each over the lines or pieces of a text."""
    scope = file.function_of(node) or file.root
    loops = [
        right
        for loop in scope.find_all(any=[{"kind": "for_statement"}, {"kind": "for_in_clause"}])
        if (left := loop.field("left")) is not None
        and (right := loop.field("right")) is not None
        and left.text() == node.text()
    ]
    return bool(loops) and not file.definitions.of(node) and all(_gives_text(file, one, steps) for one in loops)


def _gives_text(file: ParsedFile, node: SgNode, steps: int) -> bool:
    """Whether the elements of an expression are text."""
    for value in (node, *(one.value for one in file.definitions.of(node)[:1])) if steps else (node,):
        callee = value.field("function") if value.kind() == "call" else None
        name = None if callee is None else callee.field("attribute")
        if callee is not None and (callee.text() == "open" or (name is not None and name.text() in _PIECES)):
            return True
        items = value.named_children() if value.kind() in {"list", "tuple"} else []
        if items and all(item.kind() in _LITERALS["text"] for item in items):
            return True
    return False


def _used_as(file: ParsedFile, node: SgNode, wanted: str) -> bool:
    for use in file.definitions.uses(node):
        parent = use.parent()
        name = None if parent is None else parent.field("attribute")
        owner = None if parent is None else parent.field("object")
        if parent is None or name is None or owner is None or key(owner) != key(use):
            continue
        call = parent.parent()
        holder = None if call is None else call.parent()
        if (
            call is not None
            and call.kind() == "call"
            and (holder is None or holder.kind() != "expression_statement")
            and name.text() in _BELONGING[wanted]
        ):
            return True
    return False


def is_builtin(file: ParsedFile, node: SgNode) -> bool:
    """Whether a name stands for what Python itself calls so."""
    name = node.text()
    return name not in file.imports.names and not file.definitions.of(node) and not _defined_here(file, name)


def _defined_here(file: ParsedFile, name: str) -> bool:
    """Whether the file has a function or class of its own by this name."""
    found = file.root.find_all(any=[{"kind": "function_definition"}, {"kind": "class_definition"}])
    return any((own := one.field("name")) is not None and own.text() == name for one in found)
