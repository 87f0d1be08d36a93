"""A text with nothing but its code in it, every character in its place. Pure."""

from __future__ import annotations

import re

from socreates_lsp.review.comments import scanned

_VISIBLE = re.compile(r"[^\r\n]")
FILLER = "·"
"""Stands for what is inside a string."""


def bare_code(content: str, language: str | None) -> str:
    """The content with blanks for its comments and fillers inside its strings; its length is the same. Never raises."""
    comments, strings = scanned(content, language)
    pieces: list[str] = []
    end = 0
    for first, last, filler in sorted([(*span, " ") for span in comments] + [(*span, FILLER) for span in strings]):
        if first < end:
            continue
        kept = first + (filler == FILLER and content[first] != "}")  # a string may go on behind what it holds
        pieces += content[end:kept], _VISIBLE.sub(filler, content[kept:last])
        end = last
    return "".join((*pieces, content[end:]))
