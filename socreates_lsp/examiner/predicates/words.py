"""``words: [except, suppress]``: the text of the file has one of these words, or a name made of it.

As an entry of a rule's own ``where`` it is asked once a file, before the search. The words of a file are gathered
once for all rules, so this costs next to nothing; see ``ParsedFile.words`` for what is a word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: list[str]) -> bool:  # noqa: ARG001  (one signature)
    """Whether one of the words stands somewhere in the file."""
    return has_word(file, argument)


def has_word(file: ParsedFile, argument: list[str]) -> bool:
    """Whether one of the words stands somewhere in the file."""
    return not file.words.isdisjoint(argument)
