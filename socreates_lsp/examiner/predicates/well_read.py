"""``well-read: true``: the parser understood the function around the match, and the file is what it is taken for.

Macros break C's grammar, and headers called ``.h`` may be C++: what was not understood is not asked about.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_CPP = re.compile(
    r"^[ \t]*(?:class\s+\w+[^;()]*\{|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:)|\bstd::",
    re.MULTILINE,
)
_is_cpp: WeakKeyDictionary[ParsedFile, bool] = WeakKeyDictionary()


def holds(file: ParsedFile, match: Match, argument: bool) -> bool:  # noqa: FBT001  (the rule says true)
    """Whether the tree around the match can be trusted."""
    return _trusted(file, match) is argument


def _trusted(file: ParsedFile, match: Match) -> bool:
    if file.language == "c":
        if file not in _is_cpp:
            _is_cpp[file] = _CPP.search(file.text.content) is not None
        if _is_cpp[file]:
            return False
    if not file.error_ranges:
        return True
    function = file.function_of(match.node)
    place = file.range_of(function if function is not None else match.node)
    return not any(error.start <= place.end and place.start <= error.end for error in file.error_ranges)
