"""The functions of a Python file that a plain name or ``self.name`` may call."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from socreates_lsp.examiner.parsed import key

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_CALLEE = re.compile(r"\A(?:(self|cls)\.)?(\w+)\Z")


def called(file: ParsedFile, callee: SgNode) -> list[SgNode]:
    """The definitions that ``name`` (outside classes) or ``self.name`` (in the same class) may stand for.

    None for a name that is also assigned to, for any longer callee, and for a decorated function: a decorator may
    change what is returned.
    """
    parts = _CALLEE.match(callee.text())
    candidates = _by_name(file).get(parts[2], ()) if parts is not None else ()
    if parts is None or not candidates or file.definitions.of(callee):
        return []
    home = file.class_of(callee) if parts[1] else None
    if parts[1] and home is None:
        return []
    found = [one for one in candidates if _same(file.class_of(one), home)]
    return [] if any(_decorated(one) for one in found) else found


@lru_cache(maxsize=2)
def _by_name(file: ParsedFile) -> dict[str, list[SgNode]]:
    """By name; kept for the file at hand, which several rules ask about."""
    names: dict[str, list[SgNode]] = {}
    for function in file.root.find_all(kind="function_definition"):
        name = function.field("name")
        if name is not None:
            names.setdefault(name.text(), []).append(function)
    return names


def _decorated(function: SgNode) -> bool:
    parent = function.parent()
    return parent is not None and parent.kind() == "decorated_definition"


def _same(one: SgNode | None, other: SgNode | None) -> bool:
    return key(one) == key(other) if one is not None and other is not None else one is other
