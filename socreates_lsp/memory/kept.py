"""What is kept beside the conversation of a root, one JSON file a kind, its entries told apart by their ``id``.

Several editors may have one workspace open: each change reads, merges and writes under a lock. What this version
does not understand stays as it is: unknown members of an entry, unknown members of the file; a file of a newer version
is left alone. A damaged file is set aside before another one takes its place. Nothing here raises because of a file.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from socreates_lsp.memory.encoding import NotJsonError, json_object
from socreates_lsp.memory.files import content_of, opened, replace
from socreates_lsp.memory.folders import NAME, places, prepare
from socreates_lsp.memory.held import reason
from socreates_lsp.memory.locks import Lock

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

Fields = dict[str, Any]

VERSION = 1
MOST_BYTES = 8 * 1024 * 1024
_WAIT_S = 2.0
"""How long another process may take to write; it takes a few milliseconds."""

_NOT_KEPT = "Not kept"

_ALL = b"*\n"
"""The ``.gitignore`` that hides everything, itself too."""


class Contents(NamedTuple):
    """The entries of all folders, and a sentence about each thing that could not be read."""

    entries: tuple[Fields, ...] = ()
    warnings: tuple[str, ...] = ()


class UnusableError(OSError):
    """A file that is not to be touched; the text is the sentence that says why."""


class _DamagedError(Exception):
    """A file that holds something else than it should."""


class Kept:
    """The entries of one kind of one root. Reads and writes the disk: not for the event loop."""

    def __init__(self, root: str | None, state: Path, *, name: str, member: str, patience: float | None = None) -> None:
        """``name`` of the file, such as ``dismissed.json``; ``member`` of its object that lists the entries.

        ``state``: the user's state folder, where they go that the workspace has no place for. Nothing is made yet.
        ``patience``: how many seconds another process may take to write.
        """
        self._folders, self._warning = places(root, state)
        self._name = name
        self._member = member
        self._patience = patience

    @property
    def path(self) -> Path:
        """The file that is tried first."""
        return self._folders[0] / self._name

    def read(self) -> Contents:
        """Every entry that is an object with an ``id``; of two with one id the one in the workspace."""
        found: dict[str, Fields] = {}
        warnings = [] if self._warning is None else [self._warning]
        for folder in self._folders:
            try:
                entries = self._entries(self._content(folder / self._name))
            except _DamagedError:
                warnings.append(f"{folder / self._name} is damaged: what it keeps is not seen until it is mended.")
                continue
            except UnusableError as error:
                warnings.append(str(error))
                continue
            except OSError as error:
                warnings.append(f"{folder / self._name} cannot be read ({reason(error)}).")
                continue
            for entry in entries:
                found.setdefault(entry["id"], entry)
        return Contents(tuple(found.values()), tuple(warnings))

    def change(self, put: Sequence[Fields] = (), drop: Collection[str] = ()) -> tuple[str, ...]:
        """Put entries in (in the place of those with their ids) and take others out, in the first folder that can
        be used; they are taken out of all. Sentences about what went wrong; ``is_kept`` tells from them whether
        anything could be written.
        """
        warnings: list[str] = []
        left = list(put)
        for folder in self._folders:
            try:
                warnings += self._change(folder, left, {*drop, *(entry["id"] for entry in put)})
            except UnusableError as error:
                warnings.append(str(error))
            except OSError as error:
                warnings.append(f"{folder / self._name} cannot be written ({reason(error)}).")
            else:
                left = []
        if left:
            warnings.append(f"{_NOT_KEPT}: it holds until the editor is closed.")
        return tuple(warnings)

    def share(self) -> None:
        """Let git see the file of the workspace, where our own ``.gitignore`` hides it. Raises OSError.

        It is never hidden again: by then the ``.gitignore`` may be in the repository, and everybody else's too.
        """
        folder = self._folders[0]
        ignore = folder / ".gitignore"
        if folder.name == NAME and ignore.exists() and content_of(ignore, 4096) == _ALL:
            replace(ignore, [f"*\n!.gitignore\n!{self._name}\n".encode()])

    def _change(self, folder: Path, put: Sequence[Fields], drop: Collection[str]) -> list[str]:
        """Change the file of one folder. Raises OSError."""
        path = folder / self._name
        if not put and not os.path.lexists(path):
            return []
        prepare(folder)
        lock = Lock.wait(folder / f"{self._name}.lock", self._patience or _WAIT_S)
        if lock is None:
            raise UnusableError(f"{path} is being written by another process.")
        try:
            warnings: list[str] = []
            try:
                content = self._content(path)
            except _DamagedError:
                aside = _set_aside(path)
                warnings.append(f"{path} was damaged, and is now {aside.name}.")
                content = {}
            entries = {entry["id"]: entry for entry in self._entries(content) if entry["id"] not in drop}
            others = [entry for entry in _listed(content.get(self._member)) if _id_of(entry) is None]
            entries.update((entry["id"], entry) for entry in put)
            before = content.get(self._member, [])
            after = [*sorted(entries.values(), key=_order), *others]
            if before != after:
                replace(path, [_text({"version": VERSION, **content, self._member: after})])
            return warnings
        finally:
            lock.release()

    def _content(self, path: Path) -> Fields:
        """The object in the file; empty if there is no file. Raises OSError, UnusableError and _DamagedError."""
        try:
            if os.path.lexists(path) and path.lstat().st_size > MOST_BYTES:
                raise UnusableError(f"{path} has more than {MOST_BYTES // 1024**2} MB: it is left alone.")
            content = json_object(content_of(path, MOST_BYTES)) or {}
        except FileNotFoundError:
            return {}
        except NotJsonError as error:
            raise _DamagedError from error
        version = content.get("version", VERSION)
        if type(version) is int and version > VERSION:
            raise UnusableError(f"{path} was written by a newer version of socreates-lsp: it is left alone.")
        if type(version) is not int or not isinstance(content.get(self._member, []), list):
            raise _DamagedError
        return content

    def _entries(self, content: Mapping[str, Any]) -> list[Fields]:
        return [cast("Fields", one) for one in _listed(content.get(self._member)) if _id_of(one) is not None]


def is_kept(warnings: Iterable[str]) -> bool:
    """Whether what was put in is on disk, by the sentences of ``Kept.change``."""
    return not any(warning.startswith(_NOT_KEPT) for warning in warnings)


def _listed(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _id_of(entry: object) -> str | None:
    found = cast("Fields", entry).get("id") if isinstance(entry, dict) else None
    return found if isinstance(found, str) and found else None


def _order(entry: Fields) -> tuple[str, str]:
    """By path, so that a difference between two versions of a file is where one looks for it."""
    return str(entry.get("path", "")), str(entry["id"])


def _text(content: Fields) -> bytes:
    """Indented, in UTF-8; in ASCII where that cannot be (a lone surrogate)."""
    try:
        return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
    except UnicodeEncodeError:
        return (json.dumps(content, indent=2) + "\n").encode("ascii")


def _set_aside(path: Path) -> Path:
    """Give a file another name that is free. Raises OSError."""
    for aside in _names(path):
        try:
            os.close(opened(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        os.replace(path, aside)  # noqa: PTH105  (as in files.py)
        return aside
    raise UnusableError(f"{path} is damaged, and there are too many like it beside it.")


def _names(path: Path) -> Iterable[Path]:
    return (path.with_name(f"{path.name}.damaged{number or ''}") for number in range(100))
