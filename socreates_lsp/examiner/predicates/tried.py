"""``tried: REGEX``: the body of the ``try`` that the matched handler belongs to is found by the expression."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:  # noqa: ARG001  (one signature)
    """Whether this is what was tried."""
    statement = match.node.parent()
    body = None if statement is None else statement.field("body")
    return body is not None and re.search(argument, body.text()) is not None
