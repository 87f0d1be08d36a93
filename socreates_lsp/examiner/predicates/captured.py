"""``captured: {of: X, by: F}``: the name is defined outside of the function F, in which it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, str]) -> bool:
    """Whether the function shares the name with what is around it."""
    node, function = match.get(argument["of"]), match.get(argument["by"])
    if node is None or function is None:
        return False
    definitions = file.definitions.of(node)
    span = function.range()
    return bool(definitions) and not any(
        span.start.index <= one.statement.range().start.index < span.end.index for one in definitions
    )
