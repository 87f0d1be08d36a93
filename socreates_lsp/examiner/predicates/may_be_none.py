"""``may-be-none: CALLEE``: the captured callee is a function of this file that returns a value here and None there.

Python only. Only an explicit ``return None``, or a bare ``return`` beside returns with a value, counts; ``self.x`` is
looked up in its own class, a plain name among the functions outside classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.examiner.functions import called
from socreates_lsp.examiner.parsed import key

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_NOTHING = frozenset({"return", "return None"})


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether one of the returns gives nothing."""
    node = match.get(argument)
    found = called(file, node) if node is not None else []
    return len(found) == 1 and _sometimes(file, found[0])


def _sometimes(file: ParsedFile, function: SgNode) -> bool:
    if function.find(kind="yield") is not None:
        return False
    own = [one for one in function.find_all(kind="return_statement") if _of(file, one, function)]
    texts = {one.text() for one in own}
    return bool(texts & _NOTHING) and bool(texts - _NOTHING)


def _of(file: ParsedFile, statement: SgNode, function: SgNode) -> bool:
    home = file.function_of(statement)
    return home is not None and key(home) == key(function)
