"""``made-new: NAME``: this file makes objects of the captured class with ``new``: they go by pointer. C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether there is such a ``new`` (or ``make_unique``, ``make_shared``)."""
    node = match.get(argument)
    if node is None:
        return False
    name = re.escape(node.text())
    return re.search(rf"\bnew\s+{name}\b|make_(?:unique|shared)<\s*{name}\b", file.text.content) is not None
