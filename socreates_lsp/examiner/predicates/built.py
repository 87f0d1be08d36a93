"""``built: {of: X, like: REGEX}``: the captured string is put together, and a piece of it is not known here.

That is: ``+``, a format, or a builder, here or in the definitions of the name. Numbers, constants by their name, and
the outcome of escaping are known enough. ``like`` must be found in one of the fixed pieces. X may be the arguments
of a call: then one of them must be such a string. Go, Rust, Java, C and C++.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.assembled import assembled

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether the string is built from something open."""
    node = match.get(argument["of"])
    if node is None:
        return False
    like = argument.get("like")
    given = node.named_children() if node.kind() in {"argument_list", "arguments"} else [node]
    strings = [assembled(file, one) for one in given]
    return any(
        string.open and (like is None or any(re.search(like, literal) for literal in string.literals))
        for string in strings
    )
