"""``around: REGEX``: the text of the function around the match (else of the file) is found by the expression."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether the function says so somewhere."""
    function = file.function_of(match.node)
    text = file.root.text() if function is None else function.text()
    return re.search(argument, text) is not None
