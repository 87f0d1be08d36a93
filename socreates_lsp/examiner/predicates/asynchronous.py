"""``asynchronous: X``: the captured callee is an ``async def`` of this file (for ``self.x``: of the same class).

Python only. A name that a plain ``def`` also has is left out: nobody can tell which is meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.examiner.functions import called

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether the callee is asynchronous (and no generator, which is never awaited)."""
    node = match.get(argument)
    found = called(file, node) if node is not None else []
    return bool(found) and all(map(_awaitable, found))


def _awaitable(function: SgNode) -> bool:
    return function.text().startswith("async") and function.find(kind="yield") is None
