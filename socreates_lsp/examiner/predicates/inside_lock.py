"""``inside-lock: true``: the match stands in a synchronized block or method, or after a ``lock()`` of its function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_LOCKS = re.compile(
    r"(?:\.|->|::)\s*(?:[rw]?lock|lock_?interruptibly|acquire|writeLock\(\)\s*\.\s*lock)\s*\(|lock_guard|unique_lock"
)
_SYNCHRONIZED = re.compile(r"\bsynchronized\b")


def holds(file: ParsedFile, match: Match, argument: bool) -> bool:  # noqa: FBT001  (the rule says true)
    """Whether a lock is held there, as far as the function shows."""
    return _locked(file, match) is argument


def _locked(file: ParsedFile, match: Match) -> bool:
    function = file.function_of(match.node)
    for up in match.node.ancestors():
        if up.kind() == "synchronized_statement":
            return True
        if up.kind() == "method_declaration":
            head = next((child for child in up.children() if child.kind() == "modifiers"), None)
            if head is not None and _SYNCHRONIZED.search(head.text()):
                return True
    if function is None:
        return False
    length = match.node.range().start.index - function.range().start.index
    return _LOCKS.search(function.text()[:length]) is not None
