"""Where a text mentions files of the workspace. Pure; linear in the length of the text.

A path is found from its end: a name that the workspace knows, then folders to the left, whatever they are called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from socreates_lsp.review.file_index import unescaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.review.file_index import FileIndex

_DEEPEST = 40
"""Folders that are followed to the left."""
_LONGEST = 255
"""Characters of one name, as file systems have it."""
_LONGEST_URI = 1000

_NO_END = re.compile(r"[A-Za-z0-9/\\]|~(?!~)|_+[A-Za-z0-9]|\.+[A-Za-z0-9_]|-[A-Za-z]")
_IN_FOLDER = frozenset("._+@~$%=:-")
_LATER = re.compile(r"[:=@](?![/\\])|[⺀-￿](?=[!-~])")
_MARKUP = re.compile(r"_{1,3}|~{2}|\.{3}|…")
_WEAK = frozenset("-+@$%&=#")
_WEAK_NAME = re.compile(r"[a-z\d_-]*")
"""A name that is as well a word: it is only looked at beside a number."""
_DIGIT = re.compile(r"\d")
_URI_MARK = re.compile(r"file:/|%[0-9A-Fa-f]{2}", re.IGNORECASE)
_URI_STOP = re.compile(r"[\s<>\"'`|]")
_URI_CUT = re.compile(r"[:#?)\],.;*]")
_FIRST_OF_EAST = "⺀"
"""From here on come the scripts that are written without spaces between words."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A path in a text, from ``begin`` to ``end`` (exclusive)."""

    path: str
    begin: int
    end: int


def find_mentions(text: str, files: FileIndex, current: str | None) -> list[Mention]:
    """Every mention of a file, in order; none lies in another. ``current`` as in ``FileIndex.resolve``."""
    if not files.names:
        return []
    found: list[Mention] = []
    for mention in sorted([*_plain(text, files, current), *_encoded(text, files, current)], key=_longest_last):
        while found and found[-1].end > mention.begin:
            found.pop()
        found.append(mention)
    return found


def _longest_last(mention: Mention) -> tuple[int, int]:
    return mention.end, -mention.begin


def _plain(text: str, files: FileIndex, current: str | None) -> Iterator[Mention]:
    floor = 0
    for last in _last_character(files.names.last_characters).finditer(text):
        end = last.end()
        if not _ends(text, end):
            continue
        before = floor
        for start in files.names.starts(text, end):
            if _WEAK_NAME.fullmatch(text, start, end) and not _DIGIT.search(text, max(start - 60, 0), end + 60):
                continue
            floor = end
            mention = _from_name(text, start, end, files, current, min(before, start))
            if mention is not None:
                yield mention
                break


@lru_cache(maxsize=8)
def _last_character(characters: frozenset[str]) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(''.join(sorted(characters)))}](?![A-Za-z0-9])")


def _ends(text: str, end: int) -> bool:
    following = text[end : end + 1]
    if following.isalnum() and not following.isascii():
        return following >= _FIRST_OF_EAST
    return not _NO_END.match(text, end)


def _from_name(text: str, start: int, end: int, files: FileIndex, current: str | None, floor: int) -> Mention | None:
    begin = _leftmost(text, start, files, floor)
    for place in (begin, *_later(text, begin, start)):
        if _begins(text, place):
            path = files.resolve(text[place:end], current)
            if path is not None:
                return Mention(path, place, end)
    return None


def _leftmost(text: str, begin: int, files: FileIndex, floor: int) -> int:
    """Where the path starts whose name starts at ``begin``; its folders do not go back behind ``floor``."""
    for _ in range(_DEEPEST):
        if begin == 0 or text[begin - 1] not in "/\\":
            break
        slash = begin - 1
        root = files.root_before(text, slash)
        if root is not None:
            return root
        begin = next(files.odd_folders.starts(text, slash), -1)
        begin = _folder(text, slash, floor) if begin < 0 else begin
    return begin


def _folder(text: str, end: int, floor: int) -> int:
    begin = end
    while begin > floor and end - begin < _LONGEST and (text[begin - 1].isalnum() or text[begin - 1] in _IN_FOLDER):
        begin -= 1
    return begin


def _later(text: str, begin: int, start: int) -> list[int]:
    """Where the path may start if its first part begins with something else: a label, a word of the prose."""
    slash = re.compile(r"[/\\]").search(text, begin, start)
    first = slash.start() if slash else start
    markup = _MARKUP.match(text, begin, first)
    places = [found.end() for found in _LATER.finditer(text, begin, first + 1)][:3]
    return [markup.end(), *places] if markup else places


def _begins(text: str, begin: int) -> bool:
    """Whether a path may start here: not inside a word, a name or another path."""
    before = text[begin - 1 : begin]
    if before == "_":
        while begin > 0 and text[begin - 1] == "_":
            begin -= 1
        return begin == 0 or not (text[begin - 1].isalnum() or text[begin - 1] in "/\\.-")
    if before.isalnum():
        return before >= _FIRST_OF_EAST and text[begin].isascii()
    if before in _WEAK:
        two = text[begin - 2 : begin - 1]
        return not (two.isalnum() or two in ("_", ".", "/", "\\")) or before == "="
    if before == ".":
        return text.endswith("...", max(begin - 3, 0), begin)
    if before == "~":
        return text.endswith("~~", max(begin - 2, 0), begin)
    if before == ":" and text[begin] in "/\\":
        return not text[max(begin - 2, 0) : begin - 1].isalpha()
    return before not in ("/", "\\") and not text.endswith("::", max(begin - 2, 0), begin)


def _encoded(text: str, files: FileIndex, current: str | None) -> Iterator[Mention]:
    """Mentions that are written as a URI, or with percent-encoded characters as in a Markdown link."""
    done = 0
    for mark in _URI_MARK.finditer(text):
        if mark.start() < done:
            continue
        begin = mark.start()
        while begin > max(done, mark.start() - _LONGEST) and not _URI_STOP.match(text[begin - 1]):
            if text[begin - 1] in "([":
                break
            begin -= 1
        begin = _with_root(text, begin, mark.start(), files)
        stop = _URI_STOP.search(text, mark.end(), mark.end() + _LONGEST_URI)
        done = stop.start() if stop else min(mark.end() + _LONGEST_URI, len(text))
        for end in reversed([*[cut.start() for cut in _URI_CUT.finditer(text, mark.end(), done)][:30], done]):
            path = files.resolve(unescaped(text[begin:end]), current) if _ends(text, end) else None
            if path is not None:
                yield Mention(path, begin, end)
                break


def _with_root(text: str, begin: int, end: int, files: FileIndex) -> int:
    """Where a path begins that goes on up to ``end``; the root before it may hold what ends a path elsewhere."""
    slash = text.find("/", begin, end)
    while slash >= 0:
        root = files.root_before(text, slash)
        if root is not None:
            return root
        slash = text.find("/", slash + 1, end)
    return begin
