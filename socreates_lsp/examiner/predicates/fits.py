"""``fits: {of: X, rule: {...}}``: a captured node, or one that a predicate has bound, matches an ast-grep rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:  # noqa: ARG001  (one signature)
    """Whether it matches."""
    node = match.get(argument["of"])
    return node is not None and node.matches(**argument["rule"])
