"""What the path walk watches when a call takes something and another gives it back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.examiner.calls import mentions, targets
from socreates_lsp.examiner.held import Event, Watch
from socreates_lsp.examiner.parsed import key
from socreates_lsp.examiner.risks import absorbs, risk
from socreates_lsp.examiner.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_HANDS_OVER = frozenset(
    {"lock", "trylock", "acquire", "enter", "aenter", "begin", "open", "start", "hold", "take", "wait", "connect"}
)
"""Words of a function's name that promise to take something and to keep it."""
_ASKING = re.compile(
    r"\b(?:is_?)?(?:locked|held|closed|open|isset|is_resource|held_?by_?\w+|connected|destroyed)\s*\(", re.IGNORECASE
)

_NOT_A_PART = r"(?!\s*(?:\.|->)\s*(?!is|closed|locked|held|open|connected|destroyed))"


def watch_calls(
    file: ParsedFile, function: SgNode, resource: str, takes: Sequence[SgNode], gives: Sequence[SgNode]
) -> Watch:
    """Watch ``resource`` between the calls ``takes`` and ``gives`` of a function.

    A condition tests the resource if it names it, or what the outcome of taking was bound to, and calls nothing.
    """
    taking = {key(node) for node in takes}
    giving = {key(node) for node in gives}
    spans = [span[:2] for span in taking]
    flags = [name for node in takes for name in targets(file, node) if name != resource.lstrip("$")]
    text = function.text()
    itself = re.compile(rf"(?<![\w.]){re.escape(resource)}(?!\w){_NOT_A_PART}")
    lasting = [name for name in flags if len(re.findall(rf"\b{re.escape(name)}\s*(?:,[^=\n]*)?:?=(?!=)", text)) <= 1]

    def event(node: SgNode) -> Event | None:
        place = key(node)
        if place in taking:
            return Event.TAKE
        if place in giving:
            return Event.GIVE
        if any(place[0] <= start and end <= place[1] for start, end in spans):
            return None
        return risk(file, node)

    def tests(condition: SgNode) -> bool:
        asked = condition.text()
        if mentions(asked, lasting):
            return True
        return itself.search(asked) is not None and re.search(r"\w\s*\(", _ASKING.sub("", asked)) is None

    name = file.function_name(function.field("body") or function) or ""
    return Watch(
        event,
        file.syntax.functions | file.syntax.classes,
        tests,
        lambda condition: mentions(condition.text(), flags),
        lambda handler: absorbs(file, handler),
        keeps=not _HANDS_OVER.isdisjoint(words(name)),
    )
