"""``part: {of: X, rule: {...}}``: the captured node, a name in it or what that was set to matches an ast-grep rule.

One step further than ``value``: in ``read(join(folder, name))`` the name counts too. ``like`` is a regular
expression that what matches must hold; it is quick where the rule is not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ast_grep_py import Rule

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether something that goes into the captured node matches."""
    node = match.get(argument["of"])
    if node is None:
        return False
    rule = argument["rule"]
    kinds: list[Rule] = [{"kind": kind} for kind in file.syntax.identifiers]
    values = file.definitions.values(node)
    names = [name for value in values for name in value.find_all(any=kinds)]
    values = [*values, *(one.value for name in names for one in file.definitions.of(name))]
    like = re.compile(argument.get("like", ""))
    likely = [value for value in values if like.search(value.text())]
    return any(value.matches(**rule) or value.find(**rule) is not None for value in likely)
