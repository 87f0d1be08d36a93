"""``freed-next: true``: the statement behind the match frees something."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: bool) -> bool:  # noqa: ARG001, FBT001  (one signature)
    """Whether it is freed at once."""
    following = match.node.next()
    return (following is not None and re.match(r"\w*[fF]ree\s*\(|delete\b", following.text()) is not None) is argument
