"""``parameter: X``: the captured name is a parameter of a named function around it.

Of ``props.list`` and ``options["list"]`` the first name counts. A function that is itself an argument (a
callback) does not count: what it is handed is often made for it alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_FIRST = re.compile(r"^[\w$]+")


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether a caller handed this in, and no assignment has replaced it since."""
    node = match.get(argument)
    first = _FIRST.match(node.text()) if node is not None else None
    if node is None or first is None or file.definitions.of(node):
        return False
    name = re.compile(rf"(?<![\w$.]){re.escape(first[0])}(?![\w$])")
    function = file.function_of(node)
    while function is not None:
        parameters = function.field("parameters") or function.field("parameter")
        if parameters is not None and name.search(parameters.text()):
            parent = function.parent()
            return parent is None or parent.kind() not in {"arguments", "argument", "argument_list"}
        function = file.function_of(function)
    return False
