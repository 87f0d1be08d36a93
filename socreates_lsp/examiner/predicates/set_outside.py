"""``set-outside: X``: the captured name is not declared in the function around the match, but further out.

Members (``this.sum``) count too: the object was there before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether the name outlives one call of the function around the match."""
    node, function = match.get(argument), file.function_of(match.node)
    if node is None or function is None:
        return False
    name = re.escape(node.text())
    declared = re.compile(rf"\b(?:let|var|const)\s+(?:[^;=]*,\s*)?{name}\b")
    parameters = function.field("parameters") or function.field("parameter")
    own = parameters is not None and re.search(rf"(?<![\w$.]){name}(?![\w$])", parameters.text()) is not None
    return not own and declared.search(function.text()) is None
