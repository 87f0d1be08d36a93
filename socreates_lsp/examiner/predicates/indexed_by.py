"""``indexed-by: {of: I, in: LOOP, as: XS}``: inside a captured node something is indexed by exactly this name.

XS is bound to what is indexed. C and C++.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, str]) -> bool:  # noqa: ARG001  (one signature)
    """Whether there is such a thing."""
    name, place = match.get(argument["of"]), match.get(argument["in"])
    if name is None or place is None:
        return False
    for node in place.find_all(kind="subscript_expression"):
        index = node.field("index") or node.field("indices")
        indexed = node.field("argument")
        if index is not None and indexed is not None and index.text().strip("[] ") == name.text():
            match.parts[argument["as"]] = indexed
            return True
    return False
