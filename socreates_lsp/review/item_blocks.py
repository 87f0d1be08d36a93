"""An answer cut into blocks: what may be one item each. Pure.

Where a block starts depends on what stands at the start of a line and on nothing behind that line, so that a block
that is followed by another never changes while the answer is still being written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from socreates_lsp.review.labels import CATEGORY, KIND, MESSAGE, PLACE, QUOTE, WHY, category_called, kind_called
from socreates_lsp.review.mentions import find_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.review.file_index import FileIndex


class Opening(Enum):
    """What a block starts with."""

    TAG = "tag"
    HEADING = "heading"
    ELEMENT = "element"
    ROW = "row"
    CITATION = "citation"
    PARAGRAPH = "paragraph"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the answer without its ending, at ``begin``."""

    text: str
    begin: int
    fenced: bool = False
    """Whether it is inside a fenced block, or opens or closes one."""

    @property
    def finish(self) -> int:
        """The place behind the last character."""
        return self.begin + len(self.text)


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together; for a row of a table ``header`` is the first row of that table."""

    opening: Opening
    lines: tuple[Line, ...]
    header: str = ""


MARKER = re.compile(r"[ \t]{0,3}(?:[-*+•·‣]|\d{1,3}[.):])[ \t]+(?:\[[ xX]\][ \t]+)?")
"""What a list element begins with (CommonMark 0.31, section 5.2, and bullets of word processors)."""
HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
TAG = re.compile(r"[*_`]{0,3}[\[【](?P<tag>[^\[\]【】\n]{1,40})[\]】][*_`]{0,3}(?!\()[ \t]*:?[*_]{0,2}[ \t]*")
WORD_TAG = re.compile(
    r"(?:\*{1,3}|_{1,3})?(?P<tag>[^\W\d_]{1,20})(?:\*{1,3}|_{1,3})?[ \t]*[:：-][ \t]*(?:\*{1,3}|_{1,3})?[ \t]*"
)
LABEL = re.compile(
    rf"[ \t]*(?:[-*+•][ \t]+)?[*_]{{0,3}}(?:(?P<why>{WHY})|(?P<quote>{QUOTE})|(?P<message>{MESSAGE})|(?P<place>{PLACE})"
    rf"|(?P<category>{CATEGORY})|(?P<kind>{KIND}))[*_]{{0,3}}[ \t]?[:：][*_]{{0,3}}[ \t]*",
    re.IGNORECASE,
)
FENCE = re.compile(r"[ \t]*(?P<mark>`{3,}|~{3,})")
SEPARATOR_ROW = re.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t:-]*")
_ROW = re.compile(r"[ \t]*\|[^|\n]*\|")
_RULE = re.compile(r"[ \t]{0,3}([-*_=])(?:[ \t]*\1){2,}[ \t]*")
_MARKUP = "*_`[(<\"'“«"
_LABELS = 12
"""Lines that are looked back on for the label of a place."""
_LOCATOR = re.compile(
    r"[`*_\"'”’»\])>]{0,5}[ \t]?(?:[:：#(,@][ \t]?|[ \t])[#(\[`*]{0,3}(?:L|lines?[ \t]*)?[ \t]?\d", re.IGNORECASE
)


def lines_of(answer: str) -> Iterator[Line]:
    """The lines of an answer, those in fences marked."""
    fence = ""
    begin = 0
    for raw in answer.split("\n"):
        text = raw.rstrip("\r")
        found = FENCE.match(text)
        if fence:
            yield Line(text, begin, fenced=True)
            if found and found["mark"].startswith(fence) and not text[found.end() :].strip():
                fence = ""
        else:
            fence = found["mark"] if found else ""
            yield Line(text, begin, fenced=found is not None)
        begin += len(raw) + 1


def tag_of(text: str, at: int) -> re.Match[str] | None:
    """A tag in brackets at this place that means a kind or a category."""
    tag = TAG.match(text, at)
    if tag is None:
        return None
    words = [tag["tag"], *re.split(r"[/,:|;·–—]|[ \t]-[ \t]", tag["tag"])]
    return tag if any(kind_called(word) or category_called(word) for word in words) else None


class Blocks:
    """Cuts an answer, line by line."""

    def __init__(self, files: FileIndex, current: str | None) -> None:
        self._files = files
        self._current = current
        self._lines: list[Line] = []
        self._opening = Opening.PARAGRAPH
        self._indent = 0
        self._header = ""
        self._in_table = False

    def of(self, answer: str) -> Iterator[Block]:
        """The blocks of an answer in order; lines that are only rules or blank belong to none."""
        for line in lines_of(answer):
            opening = None if line.fenced else self._opens(line.text)
            if opening is not None:
                yield from self._close()
                self._opening, self._lines = opening, [line]
                self._indent = len(line.text) - len(line.text.lstrip())
            elif line.text.strip() or self._lines:
                self._lines.append(line)
        yield from self._close()

    def _close(self) -> Iterator[Block]:
        lines = self._lines
        while lines and (not lines[-1].text.strip() or (not lines[-1].fenced and _RULE.fullmatch(lines[-1].text))):
            lines.pop()
        if lines:
            header = self._header if self._opening is Opening.ROW else ""
            yield Block(self._opening, tuple(lines), header)
        self._lines = []

    def _opens(self, text: str) -> Opening | None:
        """What a line opens; None if it belongs to the block before it."""
        if not self._row(text):
            self._in_table = False
        elif SEPARATOR_ROW.fullmatch(text):
            return None
        else:
            self._header, self._in_table = (self._header, True) if self._in_table else (text, True)
            return Opening.ROW
        if _RULE.fullmatch(text) or not text.strip():
            return None
        heading, marker = HEADING.match(text), MARKER.match(text)
        start = heading or marker
        content = start.end() if start else len(text) - len(text.lstrip())
        if tag_of(text, content) or self._word_tag(text, content):
            return Opening.TAG
        if heading:
            return Opening.HEADING
        label = LABEL.match(text)
        if self._lines and (label or text.lstrip().startswith(">")):
            return Opening.ELEMENT if label and label["place"] and self._has_place() else None
        if marker and not self._nested(text):
            return Opening.ELEMENT
        if not marker and self._begins_with_citation(text, content):
            return Opening.CITATION
        return Opening.PARAGRAPH if self._ended() and not marker else None

    @staticmethod
    def _row(text: str) -> bool:
        return _ROW.match(text) is not None

    def _word_tag(self, text: str, at: int) -> bool:
        """A kind with a colon, and a path behind it."""
        tag = WORD_TAG.match(text, at)
        return bool(tag and kind_called(tag["tag"]) and self._begins_with_citation(text, tag.end()))

    def _begins_with_citation(self, text: str, at: int) -> bool:
        rest = text[at:].lstrip(_MARKUP)
        mentions = find_mentions(rest[:400], self._files, self._current)
        return bool(mentions and mentions[0].begin == 0 and _LOCATOR.match(rest, mentions[0].end))

    def _nested(self, text: str) -> bool:
        """Whether a list element is inside the element that is open."""
        return (
            bool(self._lines)
            and self._opening is not Opening.PARAGRAPH
            and (len(text) - len(text.lstrip()) > self._indent)
        )

    def _has_place(self) -> bool:
        """Whether the open block names its file in a line of its own, and has gone on since."""
        labels = [LABEL.match(line.text) for line in self._lines[-_LABELS:] if not line.fenced]
        named = [bool(label and label["place"]) for label in labels]
        return any(named) and not named[-1]

    def _ended(self) -> bool:
        """Whether a line that could go on with the open block starts another: behind a blank line, once it has said
        something."""
        if not self._lines:
            return True
        if self._lines[-1].text.strip() or self._lines[-1].fenced:
            return False
        if self._opening in (Opening.PARAGRAPH, Opening.ROW):
            return True
        said = [
            line
            for line in self._lines[1:]
            if line.text.strip() and not line.fenced and not line.text.lstrip().startswith(">")
        ]
        return bool(said) or self._says_itself(self._lines[0].text)

    def _says_itself(self, first: str) -> bool:
        """Whether the first line of a block holds prose besides tag, place and category."""
        if self._opening is Opening.HEADING:
            return False
        return first.rstrip(" *_`").endswith(("?", ".", "!", "？", "。", "؟")) or len(first.split()) > 8
