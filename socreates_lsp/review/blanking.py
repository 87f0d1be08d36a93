"""A text without the comments that suppress questions, every other character in its place. Pure.

Rules ask less where a comment explains; a comment that only suppresses explains nothing, and what it hides has to
be found in order to be counted and shown with ``--no-suppress``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.review.comments import comments

if TYPE_CHECKING:
    from socreates_lsp.workspace.text import Text

_DIRECTIVE = re.compile(r"socreates[ \t]*:[ \t]*ignore", re.IGNORECASE)
_VISIBLE = re.compile(r"[^\r\n]")


def without_directives(text: Text, language: str | None) -> str:
    """The content with blanks for the comments that hold a directive; its length is the same."""
    content = text.content
    if not _DIRECTIVE.search(content):
        return content
    pieces: list[str] = []
    end = 0
    for comment in comments(text, language):
        if _DIRECTIVE.search(comment.text):
            start = content.index(comment.text, max(end, text.offset_of(comment.first_line)))
            pieces += content[end:start], _VISIBLE.sub(" ", comment.text)
            end = start + len(comment.text)
    return "".join((*pieces, content[end:]))
