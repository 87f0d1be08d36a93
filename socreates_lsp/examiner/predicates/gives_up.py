"""``gives-up: P``: the program ends where the captured pointer turns out to be null, so nothing is lost. C and C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.examiner.conditions import looks_at

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_ENDS = re.compile(
    r"(?i)\b(?:_?exit|abort|\w*fatal\w*|die\w*|errx?|panic\w*|longjmp|\w*oom\w*|\w*out_?of_?mem\w*|\w*nomem\w*|terminate"
    r"|\w*error_?exit|assert\w*|crash\w*)\s*\(|\bthrow\b"
)


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether the next condition on the pointer ends the program."""
    node = match.get(argument)
    scope = file.function_of(match.node)
    if node is None or scope is None:
        return False
    start = match.node.range().start.index
    for statement in scope.find_all(kind="if_statement"):
        condition, body = statement.field("condition"), statement.field("consequence")
        if condition is None or body is None or condition.range().end.index < start:
            continue
        if looks_at(file, condition, node.text()):
            return _ENDS.search(body.text()) is not None
    following = file.text.content[match.node.range().end.index :][:120]
    return re.match(r"\s*;\s*\w*(?i:assert|check|verify|oom|null)\w*\s*\(", following) is not None
