"""``none: [{...}, ...]``: none of these predicates holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.engine import holds as all_hold

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: list[dict[str, Any]]) -> bool:
    """Whether none of the given predicates holds."""
    return not any(all_hold(file, match, entry.items()) for entry in argument)
