"""``typed: {of: X, regex: ...}``: the captured name is declared in this file with a type that the expression finds.

Declarations are parameters, variables and fields; of ``this.x`` the last word counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_KINDS = ("required_parameter", "optional_parameter", "variable_declarator", "public_field_definition")


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether the declared type is like this. With several declarations of the name, all must be."""
    node = match.get(argument["of"])
    if node is None or file.language not in {"typescript", "tsx"}:
        return False
    name, wanted = node.text().rpartition(".")[2], re.compile(argument["regex"])
    types = [
        declared.text()
        for one in file.root.find_all(any=[{"kind": kind} for kind in _KINDS])
        if (declared := one.field("type")) is not None
        and (target := one.field("pattern") or one.field("name")) is not None
        and target.text() == name
    ]
    return bool(types) and all(wanted.search(one) for one in types)
