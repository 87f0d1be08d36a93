"""``gives-promise: F``: the called name is a function or method of this file that gives a promise (or coroutine).

That is: it is declared ``async``, or (TypeScript) to return ``Promise<...>``. A name that a parameter hides, or
that is declared twice and only once so, does not count.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from socreates_lsp.examiner.parsed import key

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_OWN = re.compile(r"^(?:this|self)\.(#?[A-Za-z_$][\w$]*)$")
_PROMISE = re.compile(r"^:\s*(?:Promise|PromiseLike)\b")

_known: WeakKeyDictionary[ParsedFile, dict[tuple[str | None, str], bool]] = WeakKeyDictionary()


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether a call of the captured name gives a promise."""
    node = match.get(argument)
    if node is None:
        return False
    names = _known.get(file)
    if names is None:
        names = _known[file] = _declared(file)
    own = _OWN.match(node.text())
    if own is not None:
        return names.get((_home(file, node), own[1]), False)
    return names.get((None, node.text()), False) and not _hidden(file, node)


def _declared(file: ParsedFile) -> dict[tuple[str | None, str], bool]:
    """By class and name (class None: a plain function), whether every function of that name gives a promise."""
    names: dict[tuple[str | None, str], bool] = {}
    for function in file.root.find_all(any=[{"kind": kind} for kind in file.syntax.functions]):
        parent = function.parent()
        holder = function if function.field("name") is not None or parent is None else parent
        name = holder.field("name") or holder.field("property")
        if name is None:
            continue
        member = _is_member(holder)
        place = (_home(file, holder) if member else None, name.text())
        if member or holder.kind() not in {"method_definition", "public_field_definition", "field_definition"}:
            names[place] = names.get(place, True) and _promising(function)
    return names


def _is_member(holder: SgNode) -> bool:
    around = [up.kind() for up in holder.ancestors()][:2]
    return around[:1] == ["class_body"] or around == ["block", "class_definition"]


def _promising(function: SgNode) -> bool:
    if any(child.kind() == "async" for child in function.children()):
        return not any(child.kind() == "*" for child in function.children())
    result = function.field("return_type")
    return result is not None and _PROMISE.match(result.text()) is not None


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
