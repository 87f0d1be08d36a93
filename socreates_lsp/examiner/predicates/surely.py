"""``surely: {X: text, Y: set, Z: path}``: each of these parts that was captured is surely of that type.

``builtin`` asks that the name means the built-in function: nothing here is imported or defined by it. Python; see
``examiner/builtin_types``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.examiner.builtin_types import is_builtin, surely

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, str]) -> bool:
    """Whether nothing else is possible."""
    for name, wanted in argument.items():
        node = match.get(name)
        if node is not None and not (is_builtin(file, node) if wanted == "builtin" else surely(file, node, wanted)):
            return False
    return True
