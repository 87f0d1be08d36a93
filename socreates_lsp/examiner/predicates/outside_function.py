"""``outside-function: X``: the captured name was set outside all functions, so its value outlives each call."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether all definitions of the name that are known here stand outside all functions."""
    node = match.get(argument)
    if node is None:
        return False
    found = file.definitions.of(node)
    return bool(found) and all(file.function_of(one.statement) is None for one in found)
