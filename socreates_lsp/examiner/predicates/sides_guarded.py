"""``sides-guarded: X``: a condition before the match looks at a factor of the captured product. C and C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.examiner.conditions import conditions, looks_at

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_NAME = re.compile(r"[a-zA-Z_]\w*(?:(?:->|\.)\w+)*")


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether somebody asked how large one of them is."""
    node = match.get(argument)
    if node is None:
        return False
    names = [name for name in _NAME.findall(node.text()) if name not in {"sizeof", "size_t"}]
    start = match.node.range().start.index
    before = [one for one in conditions(file, match.node) if one.range().end.index <= start]
    return any(looks_at(file, condition, name) for condition in before for name in names)
