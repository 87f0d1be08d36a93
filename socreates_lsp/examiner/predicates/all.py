"""``all: [{...}, ...]``: every one of these predicates holds; for use inside ``any`` and ``none``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.engine import holds as all_hold

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: list[dict[str, Any]]) -> bool:
    """Whether all of the given predicates hold."""
    return all(all_hold(file, match, entry.items()) for entry in argument)
