"""``value: {of: X, rule: {...}}``: the captured node, or something it was set to, matches an ast-grep rule.

``whole: true`` asks that the value itself matches; else a match anywhere inside it will do.
``every: true`` asks that all values match.
"""

from __future__ import annotations

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
    rule = argument["rule"]

    def fits(value: SgNode) -> bool:
        return value.matches(**rule) or (not argument.get("whole") and value.find(**rule) is not None)

    values = file.definitions.values(node)
    if argument.get("every") and len(values) > 1:
        return all(map(fits, values[1:]))
    return any(map(fits, values))
