"""``text: {of: X, regex: ...}``: Python's ``re.search`` over a captured part (ast-grep's regex has no lookaround)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:  # noqa: ARG001  (one signature)
    """Whether the text of the captured part is found by the expression."""
    node = match.get(argument["of"])
    return node is not None and re.search(argument["regex"], node.text()) is not None
