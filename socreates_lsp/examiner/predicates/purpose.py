"""``purpose: REGEX``: what the match goes into is called like this: a variable, a field, a key of a literal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.examiner.statements import BLOCKS

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_KEYED = {"keyed_element": None, "field_initializer": "field", "pair": "key", "element_value_pair": "key"}


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether the value is for something of that name."""
    wanted = re.compile(argument)
    for up in match.node.ancestors():
        kind = up.kind()
        if kind in BLOCKS:
            return False
        target = None
        if kind in file.syntax.assignments:
            target = up.field(file.syntax.assignments[kind][0])
        elif kind in _KEYED:
            field = _KEYED[kind]
            target = up.named_children()[0] if field is None else up.field(field)
        if target is not None and wanted.search(target.text()):
            return True
    return False
