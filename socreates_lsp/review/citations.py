"""The places in the workspace that a text cites: ``src/app.py:42-45``, "lines 3 and 5 of util.py", "line 42". Pure.

First the paths are found, by what the workspace holds; then the line numbers beside them, in every usual spelling;
then numbers that stand alone, which belong to a path of their sentence, to the one above them that stands on a line
of its own, or to the file under review.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.beside import lines_after
from socreates_lsp.review.file_index import FileIndex
from socreates_lsp.review.lone_lines import lone_lines
from socreates_lsp.review.mentions import Mention, find_mentions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from socreates_lsp.review.line_numbers import Lines

__all__ = ["Citation", "FileIndex", "find_citations"]

_ESCAPE = re.compile(r"\\([_*\[\]()#.~` -])")
_SAME_WIDTH = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2007": " ", "\u2010": "-", "\u2011": "-"})
"""Characters that are typeset where another one is meant."""
_SENTENCE_END = re.compile(r"[.!?。！？؟][\"')\]*_`]{0,3}\s|[。！？]|\r?\n[ \t]*\r?\n|\n[ \t]*(?:[-*+#>|]|\d{1,3}[.)])")
_FARTHEST = 300
"""Characters between a path and a number of the same sentence."""
_ALONE = re.compile(
    r"[\s#*_`>\-+|:.\d\[\]()\"'=<]*(?:(?:File|Datei|Fichier|Archivo|In|diff --git)[\s*_`:\"']*)?", re.IGNORECASE
)
_NAMELIKE = re.compile(r"[./\\A-Z]")


@dataclass(frozen=True, slots=True)
class Citation:
    """Lines of a file that a text names.

    ``path`` is relative to the root; ``start`` and ``end`` are lines from 0, both included, and exist in the file.
    ``begin`` and ``finish`` (exclusive) are the place of the citation in the text.
    """

    path: str
    start: int
    end: int
    begin: int
    finish: int


@dataclass(frozen=True, slots=True)
class _Cited:
    """Lines as written, with the file that they belong to."""

    path: str
    lines: Lines
    begin: int
    finish: int


def find_citations(
    text: str, files: FileIndex, current: str | None = None, *, beyond: bool = False
) -> tuple[Citation, ...]:
    """Every place that a text cites, in its order, each once.

    ``current`` is the path of the file under review: numbers without a path are its lines. What names no file, more
    than one, or no line of it is not there; a range that ends behind the file is cut. ``beyond``: lines that the file
    does not have are there too, for whoever can put them right. Never raises.
    """
    text = text.translate(_SAME_WIDTH) if not text.isascii() else text
    cited = list(_cited(text, files, current))
    if _ESCAPE.search(text):
        cited += _escaped(text, files, current)
    cited.sort(key=lambda one: (one.begin, one.finish))
    found: dict[tuple[str, int, int], Citation] = {}
    for one in cited:
        citation = _checked(one, text, files, beyond=beyond)
        if citation is not None:
            found.setdefault((citation.path, citation.start, citation.end), citation)
    return tuple(found.values())


def _escaped(text: str, files: FileIndex, current: str | None) -> Iterator[_Cited]:
    """What is cited if the backslashes of Markdown (CommonMark 0.31, section 2.4) are taken away."""
    kept: list[int] = []
    pieces: list[str] = []
    end = 0
    for escape in _ESCAPE.finditer(text):
        pieces.append(text[end : escape.start()])
        kept += range(end, escape.start())
        end = escape.start() + 1
    kept += range(end, len(text) + 1)
    pieces.append(text[end:])
    for one in _cited("".join(pieces), files, current):
        yield _Cited(one.path, one.lines, kept[one.begin], kept[one.finish])


def _checked(cited: _Cited, text: str, files: FileIndex, *, beyond: bool) -> Citation | None:
    start, end = sorted((cited.lines.start, cited.lines.end))
    count = files.line_count(cited.path) if start > 0 or beyond else None
    finish = len(text[cited.begin : cited.finish].rstrip("`* \t")) + cited.begin
    if not count or not 0 < start <= count:
        lost = count and beyond
        return Citation(cited.path, max(start - 1, 0), max(end - 1, 0), cited.begin, finish) if lost else None
    return Citation(cited.path, start - 1, min(end, count) - 1, cited.begin, finish)


def _cited(text: str, files: FileIndex, current: str | None) -> Iterator[_Cited]:
    mentions = find_mentions(text, files, current)
    taken: list[tuple[int, int]] = []
    with_lines: set[int] = set()
    for at, mention in enumerate(mentions):
        ceiling = mentions[at + 1].begin if at + 1 < len(mentions) else len(text)
        found = [lines for lines in lines_after(text, mention.begin, mention.end) if lines.finish <= ceiling]
        for number, lines in enumerate(found):
            yield _Cited(mention.path, lines, lines.begin if number else mention.begin, lines.finish)
        taken.append((mention.begin, found[-1].finish if found else mention.end))
        if found:
            with_lines.add(at)
    yield from _lone(text, mentions, with_lines, taken, current)


def _lone(
    text: str, mentions: list[Mention], with_lines: set[int], taken: list[tuple[int, int]], current: str | None
) -> Iterator[_Cited]:
    """The lines that are named without a path directly before them."""
    above = _Above(text, mentions)
    after = 0
    done = 0
    for group in lone_lines(text):
        begin, finish = group.begin, group.finish
        while after < len(mentions) and mentions[after].begin < finish:
            after += 1
        if begin < done or (after and begin < taken[after - 1][1]):
            continue
        following = mentions[after] if after < len(mentions) and group.bridge == mentions[after].begin else None
        if following is not None:
            path, finish = following.path, following.end
        elif group.needs_path:
            continue
        else:
            path = _of_sentence(text, mentions, after - 1, begin, with_lines, current) or above.at(begin) or current
            if path is None and after:
                path = _of_sentence(text, mentions, after - 1, begin, set(), None)
        done = finish
        for number, lines in enumerate(group.lines if path else ()):
            last = number == len(group.lines) - 1
            yield _Cited(path or "", lines, lines.begin if number else begin, finish if last else lines.finish)


def _of_sentence(
    text: str, mentions: list[Mention], at: int, begin: int, with_lines: Iterable[int], current: str | None
) -> str | None:
    """The path that was mentioned last in the sentence, unless it has lines of its own."""
    if at < 0 or at in with_lines:
        return None
    mention = mentions[at]
    between = text[mention.end : begin]
    if len(between) > _FARTHEST or _SENTENCE_END.search(between):
        return None
    written = text[mention.begin : mention.end]
    return mention.path if mention.path == current or _NAMELIKE.search(written) else None


class _Above:
    """Which path stood last on a line of its own, as a heading does."""

    def __init__(self, text: str, mentions: list[Mention]) -> None:
        self._text = text
        self._left = mentions
        self._next = 0
        self._path: str | None = None
        self._since = 0

    def at(self, place: int) -> str | None:
        """The path above a place; asked for growing places only."""
        while self._next < len(self._left) and self._left[self._next].begin < place:
            mention = self._left[self._next]
            self._next += 1
            if self._alone(mention):
                self._path, self._since = mention.path, mention.end
        if self._path is not None and "\n#" in self._text[self._since : place]:
            self._path = None
        self._since = place
        return self._path

    def _alone(self, mention: Mention) -> bool:
        start = self._text.rfind("\n", max(0, mention.begin - 40), mention.begin) + 1
        if start == 0 and mention.begin > 40:
            return False
        end = self._text.find("\n", mention.end, mention.end + 12)
        rest = self._text[mention.end : end if end >= 0 else mention.end + 12]
        return _ALONE.fullmatch(self._text, start, mention.begin) is not None and not rest.strip(" \t\r*_`:)]>\"'|#")
