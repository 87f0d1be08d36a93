"""``gives-promise: F``: the called name is a function or method of this file that gives a promise (or coroutine).

That is: it is declared ``async``, or (TypeScript) to return ``Promise<...>``. A name that a parameter hides, or
that is declared twice and only once so, does not count. ``gives-promise: {of: F, rejects: true}`` leaves out
those whose whole body is a ``try`` with a ``catch``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from socreates_lsp.examiner.parsed import key

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_OWN = re.compile(r"^(?:this|self)\.(#?[A-Za-z_$][\w$]*)$")
_PROMISE = re.compile(r"^:\s*(?:Promise|PromiseLike)\b")

_Named = dict[tuple[str | None, str], "list[SgNode]"]
_known: WeakKeyDictionary[ParsedFile, _Named] = WeakKeyDictionary()


def holds(file: ParsedFile, match: Match, argument: str | dict[str, Any]) -> bool:
    """Whether a call of the captured name gives a promise (that may be rejected)."""
    of = argument if isinstance(argument, str) else argument["of"]
    node = match.get(of)
    if node is None:
        return False
    if file not in _known:
        _known[file] = _declared(file)
    own = _OWN.match(node.text())
    place = (None, node.text()) if own is None else (_home(file, node), own[1])
    functions = _known[file].get(place, [])
    if not functions or not all(map(_promising, functions)) or (own is None and _hidden(file, node)):
        return False
    return isinstance(argument, str) or not argument.get("rejects") or not all(map(_catches_all, functions))


def _declared(file: ParsedFile) -> _Named:
    """The functions by class and name (class None: a plain function)."""
    names: _Named = {}
    for function in file.root.find_all(any=[{"kind": kind} for kind in file.syntax.functions]):
        parent = function.parent()
        holder = function if function.field("name") is not None or parent is None else parent
        name = holder.field("name") or holder.field("property")
        if name is None:
            continue
        member = _is_member(holder)
        place = (_home(file, holder) if member else None, name.text())
        if member or holder.kind() not in {"method_definition", "public_field_definition", "field_definition"}:
            names.setdefault(place, []).append(function)
    return names


def _is_member(holder: SgNode) -> bool:
    around = [up.kind() for up in holder.ancestors()][:2]
    return around[:1] == ["class_body"] or around == ["block", "class_definition"]


def _promising(function: SgNode) -> bool:
    if any(child.kind() == "async" for child in function.children()):
        return not any(child.kind() == "*" for child in function.children())
    result = function.field("return_type")
    return result is not None and _PROMISE.match(result.text()) is not None


def _catches_all(function: SgNode) -> bool:
    body = function.field("body")
    kinds = [] if body is None else [one.kind() for one in body.named_children()]
    quiet = {"comment", "lexical_declaration", "variable_declaration"}
    return kinds[-1:] == ["try_statement"] and quiet.issuperset(kinds[:-1]) and "catch" in function.text()


def _home(file: ParsedFile, node: SgNode) -> str | None:
    home = file.class_of(node)
    return None if home is None else str(key(home))


def _hidden(file: ParsedFile, node: SgNode) -> bool:
    name = re.compile(rf"(?<![\w$.]){re.escape(node.text())}(?![\w$])")
    function = file.function_of(node)
    while function is not None:
        parameters = function.field("parameters") or function.field("parameter")
        if parameters is not None and name.search(parameters.text()):
            return True
        function = file.function_of(function)
    return False
