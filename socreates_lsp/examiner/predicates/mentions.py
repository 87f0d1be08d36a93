"""``mentions: REGEX``: the text of the file is found by the expression, wherever.

``mentions: [WORD, ...]``: one of these plain words stands in it, which is found out a hundred times faster.
As an entry of a rule's own ``where`` it is asked once a file, before the search: a word that every match must
hold spares most files the walk through the tree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str | list[str]) -> bool:  # noqa: ARG001  (one signature)
    """Whether the file says so."""
    return mentioned(file, argument)


def mentioned(file: ParsedFile, argument: str | list[str]) -> bool:
    """Whether the file's text is found by the expression, or holds one of the words."""
    if not isinstance(argument, str):
        return any(word in file.text.content for word in argument)
    return re.search(argument, file.text.content) is not None
