"""``value: {of: X, rule: {...}}``: the captured node, or something it was set to, matches an ast-grep rule.

``regex`` asks Python's ``re.search`` to find the expression in the value's text, before the rule or in its place: a
rule is compiled anew for every node, so a cheap look first pays. ``whole: true`` asks that the value itself matches
the rule; else a match anywhere inside it will do. ``every: true`` asks that all values match.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether a value of the captured node matches."""
    node = match.get(argument["of"])
    if node is None:
        return False
    rule, regex = argument.get("rule"), argument.get("regex")

    def fits(value: SgNode) -> bool:
        if regex is not None and re.search(regex, value.text()) is None:
            return False
        return rule is None or value.matches(**rule) or (not argument.get("whole") and value.find(**rule) is not None)

    values = file.definitions.values(node)
    if argument.get("every") and len(values) > 1:
        return all(map(fits, values[1:]))
    return any(map(fits, values))
