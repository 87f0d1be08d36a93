"""``deleted-through: NAME``: this file deletes an object by a pointer to the captured class. C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether there is a ``unique_ptr`` to it, or a ``delete`` of a name declared as a pointer to it."""
    node = match.get(argument)
    if node is None:
        return False
    content, name = file.text.content, re.escape(node.text())
    if re.search(rf"unique_ptr<\s*{name}\s*>", content):
        return True
    pointers: set[str] = set(re.findall(rf"\b{name}\s*\*\s*(\w+)", content))
    return any(re.search(rf"\bdelete\s+{pointer}\b", content) for pointer in pointers)
