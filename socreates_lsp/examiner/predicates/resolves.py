"""``resolves: {of: F, to: [requests\\.(get|post), ...]}``: what a name stands for, through imports and definitions.

Each entry of ``to`` is a regular expression over the whole dotted name; calls in it end in ``()``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether the captured name resolves to one of the wanted names."""
    node = match.get(argument["of"])
    if node is None:
        return False
    wanted = re.compile("|".join(f"(?:{one})" for one in argument["to"]))
    return any(wanted.fullmatch(name) for name in file.definitions.resolve(node))
