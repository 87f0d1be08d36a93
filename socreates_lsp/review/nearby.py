"""What stands near some lines of a file: lines around them, and the functions and classes that they are in. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.review.block import chain
from socreates_lsp.review.outline import outline

if TYPE_CHECKING:
    from socreates_lsp.workspace.text import Text

_AROUND = 12
"""Lines above and below, which whoever asks about a line has read too."""


def nearby(text: Text, language: str | None, first: int, last: int) -> str:
    """The lines ``first`` to ``last`` (from 0) with those around them, and the names of what they stand in."""
    near = range(max(first - _AROUND, 0), min(last + _AROUND, text.last_line) + 1)
    around = chain(outline(text, language), first, last)
    return "\n".join([*(one.name for one in around), *(text.line(number) for number in near)])
