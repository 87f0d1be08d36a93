"""``made: {of: P, as: array}``: every ``new`` that the captured pointer gets makes an array (or a ``scalar``). C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, str]) -> bool:
    """Whether it was made like that, in this function or, if not here, anywhere in the file."""
    node = match.get(argument["of"])
    if node is None:
        return False
    name = re.escape(node.text().removeprefix("this->"))
    place = r"(?:\([^()]*\)\s*)?"
    # The name first and what may not stand before it last: so the search can jump from name to name.
    made = re.compile(rf"{name}\s*[=({{]\s*{place}new\s+{place}[\w:<>, *]+?\s*([\[({{;,)])")
    function = file.function_of(match.node)
    found = _ways(made, function.text()) if function is not None else set[str]()
    found = found or _ways(made, file.text.content)
    return bool(found) and {one == "[" for one in found} == {argument["as"] == "array"}


def _ways(made: re.Pattern[str], text: str) -> set[str]:
    """What follows the types that are made new for the name, as a whole word."""
    return {one[1] for one in made.finditer(text) if not re.match(r"[\w.>]", text[one.start() - 1 : one.start()])}
