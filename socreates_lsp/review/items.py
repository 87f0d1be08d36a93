"""The points of an answer in plain text: each with its place, quotation, message and why. Pure.

The form that the prompts ask for, and whatever models write instead: lists, headings, tables, prose with citations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.item_blocks import HEADING, SEPARATOR_ROW, Blocks, Opening
from socreates_lsp.review.item_parts import parts_of
from socreates_lsp.review.labels import category_called
from socreates_lsp.review.mentions import find_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.review.citations import Citation
    from socreates_lsp.review.file_index import FileIndex
    from socreates_lsp.review.finding import Category, Kind
    from socreates_lsp.review.item_blocks import Block

_ONLY_MARKUP = re.compile(r"[\s\-*_=#|:`>]*")


@dataclass(frozen=True, slots=True)
class Item:
    """One point of an answer.

    ``kind`` and ``category`` are None where none was given. ``message`` is the prose before the why, without the
    citation and the category of its first line. Of the ``citations`` the first is the place, and their places, like
    ``begin`` and ``finish`` (exclusive), are places of the answer; those of a tagged point, and of one with a
    quotation, may name lines that are not there, and a tagged point may have none.
    """

    kind: Kind | None
    category: Category | None
    message: str
    why: str
    quote: str | None
    citations: tuple[Citation, ...]
    begin: int
    finish: int


def items_of(answer: str, files: FileIndex, current: str | None = None) -> tuple[Item, ...]:
    """Every point of an answer, in its order. ``current`` as in ``find_citations``. Never raises.

    An item that another one follows is the same in every longer answer that begins like this one.
    """
    return tuple(item for item in _read(answer, files, current) if item is not None)


def complete_items(prefix: str, files: FileIndex, current: str | None = None) -> tuple[Item, ...]:
    """The points of an answer that is still being written which will not change any more: all that have ended.

    A line that is not complete ends nothing, so that this only ever grows.
    """
    whole, newline, _ = prefix.rpartition("\n")
    read = list(_read(whole + newline, files, current))
    return tuple(item for item in read[:-1] if item is not None)


def _read(answer: str, files: FileIndex, current: str | None) -> Iterator[Item | None]:
    """What each block is: an item, or None for prose."""
    under, category = current, None
    for block in Blocks(files, current).of(answer):
        parts = parts_of(block, files, under)
        if block.opening is Opening.HEADING:
            under, category = _heading(block, files, current, found=parts is not None)
        if parts is None:
            under = _alone(block, files, current) or under
            yield None
            continue
        first, last = block.lines[0], block.lines[-1]
        yield Item(
            parts.kind,
            parts.category or category,
            parts.message,
            parts.why,
            parts.quote,
            parts.places,
            first.begin + len(first.text) - len(first.text.lstrip()),
            last.finish,
        )


def _heading(block: Block, files: FileIndex, current: str | None, *, found: bool) -> tuple[str | None, Category | None]:
    """What a heading says of all below it: their file, their category."""
    title = HEADING.sub("", block.lines[0].text, count=1)
    mentions = [] if found else find_mentions(title, files, current)
    return (mentions[0].path if len(mentions) == 1 else current), (None if found else category_called(title))


def _alone(block: Block, files: FileIndex, current: str | None) -> str | None:
    """The file that a block names and says nothing of, so that the lines below are its lines."""
    text = block.lines[-1].text
    mentions = find_mentions(text, files, current) if len(text) < 300 else []
    if len(mentions) != 1:
        return None
    rest = text[: mentions[0].begin] + text[mentions[0].end :]
    return mentions[0].path if len(rest.strip(" \t*_`:#>-[]()\"'").split()) <= 1 else None


def remainder(answer: str, items: Sequence[Item]) -> str:
    """The prose outside of the items, for the summary; headings, rules and heads of tables that are left alone go."""
    pieces: list[str] = []
    end = 0
    for item in items:
        pieces.append(_prose(answer[end : item.begin], leads=True))
        end = item.finish
    pieces.append(_prose(answer[end:], leads=False))
    return "\n\n".join(piece for piece in pieces if piece)


def _prose(text: str, *, leads: bool) -> str:
    """A stretch between items; ``leads`` where an item follows, so that a heading at its end is that item's."""
    lines = [line.rstrip() for line in text.split("\n")]
    table = any(SEPARATOR_ROW.fullmatch(line) for line in lines)
    lines = [line for line in lines if not (table and line.lstrip().startswith("|"))]
    while lines and (_ONLY_MARKUP.fullmatch(lines[-1]) or (leads and HEADING.match(lines[-1]))):
        lines.pop()
    while lines and _ONLY_MARKUP.fullmatch(lines[0]):
        del lines[0]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
