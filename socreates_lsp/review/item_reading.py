"""A block of an answer while it is read: what has been found of its parts. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from socreates_lsp.review.labels import WHY, category_called, kind_called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.review.finding import Category, Kind

WHOLE_CODE = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(?P<ticks>`+)(?P<code>[^`].*?)(?P=ticks)[ \t]*[.,;:]?[ \t]*")
"""A text that is nothing but one piece of code in backticks."""

_INLINE_WHY = re.compile(
    rf"(?<=[.?!:;…。？！）)*_`\"]) ?[*_]{{0,3}}(?:{WHY})[*_]{{0,3}}[:：][*_]{{0,3}}[ \t]*", re.IGNORECASE
)


def _no_prose() -> list[str]:
    return []


@dataclass
class Reading:
    """What has been read. Only the first kind, category and quotation count."""

    kind: Kind | None = None
    category: Category | None = None
    quote: str | None = None
    in_why: bool = False
    message: list[str] = field(default_factory=_no_prose)
    why: list[str] = field(default_factory=_no_prose)

    def say(self, prose: str) -> None:
        """Take prose to the message or, once it has begun, to the why; it may begin in the middle."""
        begins = None if self.in_why else _INLINE_WHY.search(prose)
        if begins is None:
            (self.why if self.in_why else self.message).append(prose)
            return
        self.message.append(prose[: begins.start()])
        self.in_why = True
        self.why.append(prose[begins.end() :])

    def call(self, words: str) -> None:
        """Take words of a tag or a cell that name a kind, a category, or neither."""
        kind = kind_called(words)
        self.kind = self.kind or kind
        self.category = self.category or (category_called(words) if kind is None else None)

    def copy(self, written: str) -> None:
        """Take a quotation that is written on one line."""
        code = WHOLE_CODE.fullmatch(written)
        self.quote = self.quote or (code["code"].strip() if code else written.strip()) or None


def joined(pieces: Sequence[str]) -> str:
    """Pieces of prose as one text: each a line, paragraphs and fenced lines apart, so that a block stays one."""
    text: list[str] = []
    ends = "\n"
    for piece in filter(None, pieces):
        if not piece.startswith("\n") and ends != "\n":
            text.append("\n")
        text.append(piece)
        ends = piece[-1]
    return re.sub(r"\n{3,}", "\n\n", "".join(text)).strip()
