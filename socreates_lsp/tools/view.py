"""The files of one root as its tools may see them: open buffers before the disk, without what is kept from them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.tools.paths import Paths, Place, named, nearest
from socreates_lsp.tools.refusal import ToolRefusalError
from socreates_lsp.tools.twins import Twins
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.files import list_files
from socreates_lsp.workspace.reading import LARGEST_FILE, read_text, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.workspace.text import Text
    from socreates_lsp.workspace.workspace import Workspace


_WITHOUT_FILE = ("untitled:", "vscode-notebook-cell:")
"""Documents of an editor that are no files. Others, such as an old revision of a file, are not the editor's text."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An open buffer of the root. ``relative`` is its path in it, through symbolic links."""

    relative: str
    uri: str
    text: Text


@dataclass(frozen=True, slots=True)
class Document:
    """A text to read, with its canonical URI and its name for the model."""

    name: str
    uri: str
    text: Text


@dataclass(frozen=True, slots=True)
class Files:
    """Files by their path relative to the root, sorted; ``kept`` are those that may not be seen.

    ``notes`` has a sentence for each folder that could not be entered.
    """

    paths: tuple[str, ...]
    kept: tuple[str, ...]
    notes: tuple[str, ...]


class View:
    """One root. All but ``__init__`` may touch the disk, so it belongs into a thread."""

    def __init__(self, root: str, workspace: Workspace, read_deny: Sequence[str]) -> None:
        """``root`` is an absolute path; ``read_deny`` are patterns relative to it."""
        self.paths = Paths(root, read_deny)
        self._workspace = workspace
        self._twins = Twins(self.paths)

    def opened(self) -> dict[str, Opened]:
        """The open files of this root that may be seen, by relative path, as they are now."""
        found: dict[str, Opened] = {}
        for uri, buffer in self._workspace.buffers:
            path = uris.to_path(uri)
            relative = None if path is None else self.paths.relative(path)
            place = self._seen(relative) if relative else None
            if place is not None and buffer.in_step:
                real = self.paths.relative(place.real) or place.relative
                found[real] = Opened(real, uri, buffer.text)
        return found

    def files(self, start: Place) -> Files:
        """The files at and below a place, with open buffers that are no files yet. Raises ToolRefusalError."""
        seen = {relative for relative in self.opened() if _is_at_or_below(relative, start.relative)}
        try:
            listing = list_files(Path(self.paths.real_root), (Path(start.real),))
        except TargetError:
            if not seen:
                raise ToolRefusalError(self.missing(start.relative)) from None
            return Files(tuple(sorted(seen)), (), ())
        kept: list[str] = []
        for path in map(str, listing.files):
            relative, real = self.under(start, path), self.paths.relative(path) or ""
            # No link is on the way from the start to a listed file, so its real path needs no looking up.
            denied = self.paths.denies(relative) or (real != relative and self.paths.denies(real))
            if denied or self._twins.of(path) is not None:
                kept.append(relative)
            else:
                seen.add(relative)
        return Files(tuple(sorted(seen)), tuple(kept), listing.notes)

    def size(self, relative: str, opened: dict[str, Opened]) -> int:
        """How many bytes a file has, or its open buffer would have; 0 for one that is gone."""
        buffer = opened.get(relative)
        if buffer is not None:
            return len(buffer.text.content.encode("utf-8", "replace"))
        try:
            return os.lstat(self.paths.joined(relative)).st_size
        except OSError:
            return 0

    def document(self, name: str) -> Document:
        """The text that a model means by a path. Raises ToolRefusalError or TargetError in one sentence."""
        loose = self._without_file(name)
        if loose is not None:
            return loose
        place = self.paths.resolve(name)
        self._guard(place)
        uri, text = self._buffer(place)
        if text is None:
            text = self._read(place)
        return Document(place.relative, uri, text)

    def let_pass(self, name: str) -> None:
        """Whether a model may name this path at all, before anything is done with it. Raises ToolRefusalError for one
        that is kept from it; what else is wrong with a path is for the tool to say."""
        if self._without_file(name) is None:
            self._guard(self.paths.resolve(name))

    def text(self, relative: str) -> Document | None:
        """The text of a listed file, however long its lines are; None for one that can't be read."""
        try:
            place = self.paths.located(relative)
            self._guard(place)
            uri, text = self._buffer(place)
            return Document(relative, uri, read_text(Path(place.real), LARGEST_FILE) if text is None else text)
        except (ToolRefusalError, TargetError):
            return None

    def missing(self, relative: str) -> str:
        """The sentence about a path where there is nothing, with the nearest that there are."""
        try:
            listed = list_files(Path(self.paths.real_root)).files
        except TargetError:
            listed = ()
        known = {self.paths.relative(str(path)) or "" for path in listed} | set(self.opened())
        folders = {folder for path in known for folder in _folders_of(path)}
        near = [one for one in nearest(relative, sorted((known | folders) - {""})) if self._seen(one) is not None]
        hint = f"did you mean {' or '.join(map(named, near))}?" if near else "list_files shows what there is."
        return f"{named(relative or '.')} does not exist: {hint}"

    def _guard(self, place: Place) -> None:
        """Raises ToolRefusalError for a file that is another name of one that is kept from the model."""
        twin = self._twins.of(place.real)
        if twin is not None:
            raise ToolRefusalError(
                f"{place.name} is kept from you by policy.readDeny, as it is the same file as {named(twin)}: "
                "go on without it."
            )

    def _read(self, place: Place) -> Text:
        if os.path.isdir(place.real):  # noqa: PTH112
            raise ToolRefusalError(f"{place.name} is a folder: see what is in it with list_files, and name a file.")
        if not os.path.lexists(place.real):
            raise ToolRefusalError(self.missing(place.relative))
        try:
            return read_text(Path(place.real))
        except TargetError as error:
            # The sentence names the real path, which a model does not know.
            raise ToolRefusalError(str(error).replace(shown(place.real), place.name)) from error

    def _buffer(self, place: Place) -> tuple[str, Text | None]:
        """The URI of a file and the text of its open buffer, also if it is open under another name."""
        own = uris.from_path(place.path)
        for path in dict.fromkeys((place.path, place.real, self._spelled(place))):
            uri = uris.from_path(path)
            buffer = self._workspace.buffers.get(uri)
            if buffer is not None:
                return uri, self._workspace.text(uri)
        for uri, _ in self._workspace.buffers:
            path = uris.to_path(uri)
            if path is not None and _leads_to(path, place):
                return uri, self._workspace.text(uri)
        return own, None

    def _spelled(self, place: Place) -> str:
        """Where a place leads, below the root as the client spells it."""
        inside = self.paths.relative(place.real)
        return self.paths.joined(inside) if inside else place.path

    def _without_file(self, name: str) -> Document | None:
        """An open buffer that is no file, such as ``untitled:Untitled-1``, by its URI or its name."""
        found = [
            Document(uris.name_of(uri), uri, buffer.text)
            for uri, buffer in self._workspace.buffers
            if uri.startswith(_WITHOUT_FILE)
            and buffer.in_step
            and name in {uri, buffer.spelling, uris.name_of(uri)}
            and self._workspace.root_of(uri) in {None, self.paths.root}
            and not self.paths.denies(re.split("[?#]", uri.partition(":")[2])[0].lstrip("/"))
        ]
        exact = [one for one in found if one.uri == name]
        if exact:
            return exact[0]
        if len(found) != 1 or os.path.lexists(self.paths.joined(found[0].name)):
            return None
        return found[0]

    def under(self, start: Place, path: str) -> str:
        """A listed file below a place, by the name under which the place was reached."""
        inside = path[len(start.real) :].replace(os.sep, "/").strip("/")
        return "/".join(part for part in (start.relative, inside) if part)

    def _seen(self, relative: str) -> Place | None:
        """The place at a relative path; None for one that is kept from the model, or outside."""
        try:
            place = self.paths.located(relative)
        except ToolRefusalError:
            return None
        return None if self.paths.denied(place) else place


def _folders_of(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _is_at_or_below(relative: str, folder: str) -> bool:
    return not folder or relative == folder or relative.startswith(f"{folder}/")


def _leads_to(path: str, place: Place) -> bool:
    """Whether the path of an open buffer is a place by another name: through a link, or in another case."""
    if os.path.realpath(path) == place.real:
        return True
    if path.casefold() != place.path.casefold():
        return False
    try:
        return Path(path).samefile(place.path)
    except OSError:
        return False
