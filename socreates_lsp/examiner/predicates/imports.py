"""``imports: [REGEX, ...]``: the file imports a module whose whole dotted name one of the expressions matches.

As an entry of a rule's own ``where`` it is asked once a file, before the search.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: list[str]) -> bool:  # noqa: ARG001  (one signature)
    """Whether one of the modules is imported."""
    return imported(file, argument)


def imported(file: ParsedFile, argument: list[str]) -> bool:
    """Whether the file imports one of the modules."""
    wanted = re.compile("|".join(f"(?:{one})" for one in argument))
    return any(wanted.fullmatch(name) for name in file.imports.modules())
