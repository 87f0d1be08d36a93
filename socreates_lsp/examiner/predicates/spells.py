"""``spells: {in: NODE, any: ['{XS}[{I}]']}``: the text of a captured node holds one of these, white space aside.

``{X}`` in them stands for the text of a captured part. ``in: FUNCTION`` is the function around the match.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether one of them stands there, not as a part of a longer word."""
    place = match.get(argument["in"])
    if place is None and argument["in"] == "FUNCTION":
        place = file.function_of(match.node)
    if place is None:
        return False
    for template in argument["any"]:
        wanted = re.sub(r"\{([A-Z][A-Z0-9_]*)\}", lambda found: _text(match, found[1]), template)
        parts = [re.escape(part) for part in re.findall(r"\w+|[^\w\s]", wanted)]
        start = r"(?<![\w.>])" if wanted[:1].isalnum() else ""
        end = r"(?!\w)" if wanted[-1:].isalnum() else ""
        if re.search(start + r"\s*".join(parts) + end, place.text()):
            return True
    return False


def _text(match: Match, name: str) -> str:
    node = match.get(name)
    if node is None:
        raise KeyError(name)
    return node.text()
