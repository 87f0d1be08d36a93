"""``copies-itself: NAME``: the captured class declares what happens when it is copied or moved. C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:  # noqa: ARG001  (one signature)
    """Whether it has a copy or move constructor."""
    node = match.get(argument)
    if node is None:
        return False
    name = re.escape(node.text())
    copied = rf"\b{name}\s*\(\s*(?:const\s+)?{name}\s*(?:<[^>]*>)?\s*(?:const\s*)?&"
    return re.search(copied, match.node.text()) is not None
