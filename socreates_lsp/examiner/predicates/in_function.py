"""``in-function: REGEX``: the nearest named function around the match has a name that the expression finds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether the enclosing function is called like this."""
    name = file.function_name(match.node)
    return name is not None and re.search(argument, name) is not None
