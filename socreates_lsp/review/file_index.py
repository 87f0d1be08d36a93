"""The workspace's files by name, and which of them a written path means. Pure: counting lines is a callable.

Paths are relative to the root, with slashes. What is written may be spelled in many ways (diff prefixes, backslashes,
absolute, as a URI, only the end of a path); it never means a file outside the root, and never one of several.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_DIFF_PREFIXES = ("a/", "b/", "c/", "i/", "o/", "w/")
"""What git puts before the two sides of a change (git-diff(1), ``diff.mnemonicPrefix``)."""

_DRIVE = re.compile(r"/?[A-Za-z]:/")
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_URI = re.compile(r"file:(?://(?:localhost(?=/))?)?", re.IGNORECASE)
_PLAIN_FOLDER = re.compile(r"[\w.+@~$%=:-]+")


class Endings:
    """Names that a text may hold, found by their ends."""

    def __init__(self, names: Iterable[str]) -> None:
        """Index the names by their last two characters."""
        self._names = frozenset(name for name in names if name)
        lengths: dict[str, set[int]] = {}
        for name in self._names:
            lengths.setdefault(name[-2:], set()).add(len(name))
        self._lengths = {end: sorted(found, reverse=True) for end, found in lengths.items()}

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self._names)

    @property
    def last_characters(self) -> frozenset[str]:
        """The characters with which a name ends."""
        return frozenset(end[-1] for end in self._lengths)

    def starts(self, text: str, end: int) -> Iterator[int]:
        """Where the names start that end at this place (exclusive) of a text, the longest first."""
        for key in (text[max(end - 2, 0) : end], text[max(end - 1, 0) : end]):
            for length in self._lengths.get(key, ()):
                if length <= end and text[end - length : end] in self._names:
                    yield end - length


class FileIndex:
    """The files of a workspace, to be asked for by what somebody wrote."""

    def __init__(self, paths: Iterable[str], line_count: Callable[[str], int | None], root: str | None = None) -> None:
        """Index ``paths`` (relative to the root, with slashes).

        ``line_count`` gives the number of lines of a path, the empty one after a last newline not counted, and None
        for what can't be read; it is called at most once for a path, and only for paths that are cited. ``root`` is
        the absolute path of the root in the spelling of its system, None where absolute paths mean nothing.
        """
        self._spellings = {spelling: path for path in paths for spelling in _forms(path)}
        self._spellings.update((path, path) for path in tuple(self._spellings.values()))
        self._count = line_count
        self._counts: dict[str, int | None] = {}
        self.root = None if root is None else _slashed(root).rstrip("/")
        self._ends: dict[str, list[str]] = {}
        for spelling in self._spellings:
            for end in _short_ends(spelling):
                self._ends.setdefault(end, []).append(spelling)
        self.names = Endings(spelling.rpartition("/")[2] for spelling in self._spellings)
        folders = {part for spelling in self._spellings for part in spelling.split("/")[:-1]}
        self.odd_folders = Endings(part for part in folders if not _PLAIN_FOLDER.fullmatch(part))
        self._known: dict[tuple[str, str | None], str | None] = {}

    @classmethod
    def of(cls, counts: Mapping[str, int], root: str | None = None) -> FileIndex:
        """The index of files whose numbers of lines are known."""
        return cls(counts, counts.get, root)

    def __contains__(self, path: str) -> bool:
        """Whether there is a file with exactly this path."""
        return self._spellings.get(path) == path

    def line_count(self, path: str) -> int | None:
        """How many lines a file has; None for one that can't be read."""
        if path not in self._counts:
            self._counts[path] = self._count(path)
        return self._counts[path]

    def resolve(self, written: str, current: str | None = None) -> str | None:
        """The path that is meant; None if it names no file, or several of which ``current`` is none."""
        key = (written, current)
        if key not in self._known:
            self._known[key] = self._resolve(written.strip(), current)
        return self._known[key]

    def _resolve(self, written: str, current: str | None) -> str | None:
        for spelling in dict.fromkeys((written, unescaped(written))):
            if spelling in self._spellings:
                return self._spellings[spelling]
            uri = _URI.match(spelling)
            path = _slashed(spelling[uri.end() :] if uri else spelling)
            found = self._below_root(path) if _is_absolute(path) else self._relative(path, current)
            if found is not None:
                return found
        return None

    def _below_root(self, path: str) -> str | None:
        """What an absolute path means: a file below the root, or one that is written as if the root were ``/``."""
        drive = _DRIVE.match(path) is not None
        path = path.lstrip("/") if drive else path
        if self.root is not None and _begins(path, self.root + "/", fold=drive):
            return self._exact(path[len(self.root) + 1 :])
        return None if drive or path.startswith("//") else self._exact(path[1:])

    def _relative(self, path: str, current: str | None) -> str | None:
        elided = path.startswith((".../", "…/"))
        path = path.partition("/")[2] if elided else path
        found = None if elided else self._exact(path)
        if found is None and path.startswith(_DIFF_PREFIXES):
            found = self._exact(path[2:])
        name = (self.root or "").rpartition("/")[2]
        if found is None and name and path.startswith(f"{name}/"):
            found = self._exact(path[len(name) + 1 :])
        return found or self._by_end(path, current)

    def _exact(self, path: str) -> str | None:
        straight = _straightened(path)
        return None if straight is None else self._spellings.get(straight)

    def _by_end(self, path: str, current: str | None) -> str | None:
        straight = _straightened(path)
        if not straight:
            return None
        end = "/".join(straight.split("/")[-2:])
        found = {
            self._spellings[one] for one in self._ends.get(end, ()) if one == straight or one.endswith("/" + straight)
        }
        return next(iter(found)) if len(found) == 1 else current if current in found else None

    def root_before(self, text: str, end: int) -> int | None:
        """Where the root starts (with ``file:`` if that is before it), if it ends at this place of a text."""
        if not self.root or end < len(self.root):
            return None
        begin = end - len(self.root)
        if not _begins(_slashed(text[begin:end]), self.root, fold=_DRIVE.match(self.root + "/") is not None):
            return None
        before = re.search(r"file:/{0,3}\Z", text[max(begin - 8, 0) : begin], re.IGNORECASE)
        return begin - len(before[0]) if before else begin


def unescaped(written: str) -> str:
    """Percent-encoded bytes (RFC 3986, section 2.1) as characters; what is no UTF-8 stays as it is."""

    def decoded(found: re.Match[str]) -> str:
        try:
            return bytes.fromhex(found[0].replace("%", "")).decode("utf-8")
        except UnicodeDecodeError:
            return found[0]

    return _ESCAPED.sub(decoded, written)


def _forms(path: str) -> set[str]:
    """A path in both normal forms: file systems give one, keyboards the other."""
    if path.isascii():
        return {path}
    return {path, unicodedata.normalize("NFC", path), unicodedata.normalize("NFD", path)}


def _short_ends(path: str) -> tuple[str, ...]:
    """Its name, and its name with its folder."""
    parts = path.split("/")
    return (parts[-1],) if len(parts) == 1 else (parts[-1], "/".join(parts[-2:]))


def _slashed(path: str) -> str:
    return path.replace("\\", "/")


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or _DRIVE.match(path) is not None


def _begins(path: str, start: str, *, fold: bool) -> bool:
    """Whether a path begins so; on a drive (of Windows) the case of letters does not matter."""
    return path.lower().startswith(start.lower()) if fold else path.startswith(start)


def _straightened(path: str) -> str | None:
    """Without ``.``, ``..`` and empty parts; None if it leads out."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
