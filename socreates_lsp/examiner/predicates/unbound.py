"""``unbound: M``: the captured ``this.m`` is a plain method of its class that uses ``this``, and nothing binds it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether the method loses its object when it is handed over."""
    node = match.get(argument)
    home = None if node is None else file.class_of(node)
    if node is None or home is None:
        return False
    name = node.text().rpartition(".")[2]
    methods = [
        one
        for one in home.find_all(kind="method_definition")
        if (own := one.field("name")) is not None and own.text() == name
    ]
    text = home.text()
    bound = re.search(rf"this\.{re.escape(name)}\s*=|['\"`]{re.escape(name)}['\"`]|(?i:autobind|bindAll|@bound)", text)
    getter = any(child.kind() in {"get", "static"} for one in methods for child in one.children())
    return len(methods) == 1 and not bound and not getter and re.search(r"\bthis\b", methods[0].text()) is not None
