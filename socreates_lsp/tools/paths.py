"""From a path that a model names to a file of the root, and to nothing else.

A path is read with both kinds of slashes, and normalised by its words (``a/link/../b`` is ``a/b``). What it leads
to is looked up through all symbolic links, and must lie in the root as well. Everything here may touch the disk.
"""

from __future__ import annotations

import difflib
import os
import posixpath
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from socreates_lsp.tools.refusal import ToolRefusalError
from socreates_lsp.workspace.globs import Globs
from socreates_lsp.workspace.reading import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_DRIVE = re.compile(r"[A-Za-z]:(?:/|$)")
_WINDOWS = os.name == "nt"
_MOST_NEAREST = 3
_LONGEST_SHOWN = 200
_MOST_COMPARED = 4000
_OFFICES = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", ".socreates"})
"""Folders (or files) of version control and of our own. They can hold passwords, and old texts of any file."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the root, whether there is anything or not.

    ``relative`` has forward slashes and is empty for the root itself; ``path`` is absolute, in the root as it is
    spelled; ``real`` is where it leads through all links.
    """

    relative: str
    path: str
    real: str

    @property
    def name(self) -> str:
        """The place for a sentence."""
        return named(self.relative or ".")


class Paths:
    """The paths of one root, and which of them are kept from the model."""

    def __init__(self, root: str, read_deny: Sequence[str]) -> None:
        """``root`` is absolute; ``read_deny`` are patterns relative to it."""
        self.root = os.path.normpath(root)
        self._deny = denying(read_deny)

    @cached_property
    def real_root(self) -> str:
        """The root through all symbolic links."""
        return os.path.realpath(self.root)

    def resolve(self, name: str) -> Place:
        """The place that a model means. Raises ToolRefusalError for what is outside or kept from it."""
        place = self.located(self._relative(name))
        owner = next(filter(None, map(office, self._names(place))), None)
        if owner is not None:
            raise ToolRefusalError(f"{place.name} is kept from you, as all in {owner} is: go on without it.")
        if self.denied(place):
            raise ToolRefusalError(f"{place.name} is kept from you by policy.readDeny: go on without it.")
        return place

    def located(self, relative: str) -> Place:
        """The place at a normalised relative path. Raises ToolRefusalError if a link leads out of the root."""
        path = self.joined(relative)
        real = os.path.realpath(path)
        if below(real, self.real_root) is None:
            raise ToolRefusalError(
                f"{named(relative)} is a symbolic link out of the workspace: only what lies inside can be read."
            )
        return Place(relative, path, real)

    def denied(self, place: Place) -> bool:
        """Whether a place may not be read, by its name or by where it leads."""
        return any(self.denies(name) or office(name) is not None for name in self._names(place))

    def _names(self, place: Place) -> tuple[str, str]:
        return place.relative, below(place.real, self.real_root) or ""

    def denies(self, relative: str) -> bool:
        """Whether a relative path itself matches ``policy.readDeny``."""
        return self._deny.match(relative)

    def joined(self, relative: str) -> str:
        """The absolute path of a normalised relative one, in the root as it is spelled."""
        return self.root.rstrip(os.sep) + os.sep + relative.replace("/", os.sep) if relative else self.root

    def relative(self, path: str) -> str | None:
        """An absolute path below the root, as it is spelled or as it is, relative; None for one that is not."""
        inside = below(path, self.root)
        return below(path, self.real_root) if inside is None else inside

    def _relative(self, name: str) -> str:
        try:
            os.fsencode(name)
        except UnicodeError:
            raise _no_name(name) from None
        if "\0" in name:
            raise _no_name(name)
        if not _WINDOWS and "\\" in name:
            literal = posixpath.normpath(name)
            if not literal.startswith(("/", "..")) and os.path.lexists(f"{self.root}/{literal}"):
                return literal
        slashed = name.replace("\\", "/")
        if slashed.startswith("/") or _DRIVE.match(slashed):
            return self._from_absolute(name, slashed)
        normal = posixpath.normpath(slashed)
        if normal == ".." or normal.startswith("../"):
            raise _outside(name)
        if _WINDOWS and any(_is_odd_on_windows(part) for part in normal.split("/")):
            raise _no_name(name)
        return "" if normal == "." else normal

    def _from_absolute(self, name: str, slashed: str) -> str:
        if not _WINDOWS and (_DRIVE.match(slashed) or slashed.startswith("//")):
            raise _outside(name)
        inside = self.relative(os.path.normpath(slashed))
        if inside is None:
            raise _outside(name)
        return inside


def denying(read_deny: Sequence[str]) -> Globs:
    """What matches the paths that ``policy.readDeny`` names, in any case, with all below them."""
    return Globs(read_deny, ignore_case=True, below=True)


def office(relative: str) -> str | None:
    """The folder of version control, or of our own, that a path leads into; None if it does not."""
    return next((part for part in relative.split("/") if part.casefold() in _OFFICES), None)


def below(path: str, root: str) -> str | None:
    """A path relative to a root with forward slashes, empty for the root itself; None outside of it."""
    whole, base = os.path.normcase(path), os.path.normcase(root)
    if whole == base:
        return ""
    prefix = base.rstrip(os.sep) + os.sep
    return path[len(prefix) :].replace(os.sep, "/") if whole.startswith(prefix) else None


def nearest(relative: str, names: Iterable[str]) -> tuple[str, ...]:
    """Of these paths the ones that were most likely meant: the same name elsewhere, else a similar one."""
    folded = relative.casefold()
    wanted = folded.rpartition("/")[2]
    known = list(names)
    same = [name for name in known if name.casefold().rpartition("/")[2] == wanted]
    if same:
        return tuple(sorted(same, key=lambda name: (-_likeness(name.casefold(), folded), name))[:_MOST_NEAREST])
    beside = [name for name in known if posixpath.dirname(name) == posixpath.dirname(relative)]
    pool = {name.casefold(): name for name in (*beside, *known)[:_MOST_COMPARED]}
    by_name: dict[str, str] = {}
    for name in pool.values():
        by_name.setdefault(name.casefold().rpartition("/")[2], name)
    close = difflib.get_close_matches(folded, pool, _MOST_NEAREST, 0.85)
    alike = difflib.get_close_matches(wanted, by_name, _MOST_NEAREST, 0.65)
    found = [*(pool[one] for one in close), *(by_name[one] for one in alike)]
    return tuple(sorted(set(found), key=lambda name: (-_likeness(name.casefold(), folded), name))[:_MOST_NEAREST])


def named(name: str) -> str:
    """A path for a sentence: on one line, and not too long for it."""
    text = shown(name.encode("utf-8", "replace").decode() if _is_unencodable(name) else name)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other).ratio()


def _is_unencodable(name: str) -> bool:
    try:
        os.fsencode(name)
    except UnicodeError:
        return True
    return False


def _is_odd_on_windows(part: str) -> bool:
    """A name that Windows takes for another one: a stream of a file, or with dots and blanks at its end."""
    return ":" in part or (part != "." and part.endswith((".", " ")))


def _outside(name: str) -> ToolRefusalError:
    return ToolRefusalError(
        f"{named(name)} is outside of the workspace: name a path relative to its root, such as src/app.py."
    )


def _no_name(name: str) -> ToolRefusalError:
    return ToolRefusalError(f"{named(name)} is no name that a file can have: check the name.")
