"""The workspace: its roots, the open buffers over the files on disk, and names for people."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.buffers import Buffers
from socreates_lsp.workspace.links import Links
from socreates_lsp.workspace.notebooks import Notebooks, Whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.workspace.text import Text

OUT_OF_STEP = "the editor sent an edit that could not be read. Close it and open it again."
"""What is to be said of a document whose text we do not know."""


class Workspace:
    """What the editor has open, and the folders it has open it in."""

    def __init__(self, roots: Sequence[str] = ()) -> None:
        """Take the roots as the client spells them (URIs)."""
        self.buffers = Buffers()
        self.notebooks = Notebooks()
        self.links = Links()
        self._roots: dict[str, str] = {}
        for root in roots:
            self.add_root(root)

    @property
    def roots(self) -> tuple[str, ...]:
        """The paths of the roots, in the client's order."""
        return tuple(self._roots)

    def add_root(self, uri: str) -> None:
        """Add a root; one that is no file URI is left out."""
        path = uris.to_path(uri)
        if path is not None:
            self._roots[os.path.normpath(path)] = uri.rstrip("/")

    def remove_root(self, uri: str) -> None:
        """Remove a root."""
        path = uris.to_path(uri)
        if path is not None:
            self._roots.pop(os.path.normpath(path), None)

    def root_of(self, uri: str | None) -> str | None:
        """The nearest root around a document; without a document, or outside of all, the first root.

        A file outside of every root belongs to no root, a cell to that of its notebook.
        """
        if uri is None:
            return next(iter(self._roots), None)
        cell = self.notebooks.place(uri)
        if cell is not None:
            uri = cell[0]
        path = uris.to_path(uri)
        if path is None:
            return next(iter(self._roots), None)
        path = os.path.normpath(path)
        holding = [root for root in self._roots if _is_within(path, root)]
        return max(holding, key=len, default=None) or self._real_root_of(path)

    def is_of(self, uri: str, root: str) -> bool:
        """Whether a document that lies in a root belongs to it, and to no other one that lies in it as well."""
        return len(self._roots) < 2 or root not in self._roots or self.root_of(uri) == root

    def _real_root_of(self, path: str) -> str | None:
        """The nearest root around where a path leads."""
        if "\0" in path:
            return None
        real = self.links.real(path)
        holding = [root for root in self._roots if _is_within(real, self.links.real(root))]
        return max(holding, key=lambda root: len(self.links.real(root)), default=None)

    def home(self, uri: str) -> tuple[str | None, str]:
        """The root that keeps what is known of a document, and the document's path there: of a cell that of its
        notebook, of a file under a symbolic link that of where it leads, if it is in a root.
        """
        cell = self.notebooks.place(uri)
        uri = uri if cell is None else cell[0]
        path = uris.to_path(uri)
        own = self.root_of(uri)
        if path is None or "\0" in path:
            return own, self.display_path(uri)
        path = os.path.normpath(path)
        real = self.links.real(path)
        if own is not None and _is_within(real, self.links.real(own)):
            root: str | None = own
        else:
            root = self._real_root_of(path)
        if root is None:
            return own, self.display_path(uri)
        return root, _relative(real, self.links.real(root))

    def is_same_file(self, one: str, other: str) -> bool:
        """Whether two canonical URIs are one file under two names."""
        paths = [path for path in (uris.to_path(one), uris.to_path(other)) if path is not None and "\0" not in path]
        return len(paths) == 2 and len({self.links.real(path) for path in paths}) == 1

    def known(self, uri: str) -> str:
        """The canonical URI under which a document is open, if it is so under another name than this one."""
        path = uris.to_path(uri)
        if path is None or "\0" in path or self.buffers.get(uri) is not None:
            return uri
        opened = [(one, there) for one, _ in self.buffers if (there := uris.to_path(one)) is not None]
        linked = any(self.links.real(one) != one for one in (*self._roots, *(there for _, there in opened)))
        if not opened or not linked:
            return uri
        real = self.links.real(os.path.normpath(path))
        return next((one for one, there in opened if self.links.real(there) == real), uri)

    def whole(self, notebook: str) -> Whole:
        """The cells of an open notebook (canonical URI) as one text."""
        return Whole.of(self.notebooks.cells(notebook), self._shown)

    def _shown(self, uri: str) -> Text | None:
        buffer = self.buffers.get(uri)
        return None if buffer is None else buffer.text

    def text(self, uri: str) -> Text:
        """The text of a document as the editor shows it, else as it is on disk. Raises TargetError."""
        self.check_step(uri)
        buffer = self.buffers.get(uri)
        if buffer is not None:
            return buffer.text
        path = uris.to_path(uri)
        if path is None:
            raise TargetError(f"{uris.name_of(uri)} is not open in the editor, and no file: open it first.")
        from socreates_lsp.workspace.files import read_text

        return read_text(Path(path))

    def check_step(self, uri: str) -> None:
        """Raise TargetError for an open document whose text we do not know."""
        if not self.is_in_step(uri):
            raise TargetError(f"{self.display_path(uri)} cannot be read: {OUT_OF_STEP}")

    def is_in_step(self, uri: str) -> bool:
        """Whether the text that we have of a document is the one that the editor shows, if it is open."""
        buffer = self.buffers.get(uri)
        return buffer is None or buffer.in_step

    def version(self, uri: str) -> int | None:
        """The version of an open buffer; None for what is not open."""
        buffer = self.buffers.get(uri)
        return None if buffer is None else buffer.version

    def spelled(self, uri: str) -> str:
        """A canonical URI in the client's own spelling, as far as we have seen it."""
        buffer = self.buffers.get(uri)
        if buffer is not None:
            return buffer.spelling
        root = self.root_of(uri)
        prefix = None if root is None else uris.from_path(root)
        if root is not None and prefix is not None and uri.startswith(prefix + "/"):
            return self._roots[root] + uri[len(prefix) :]
        return uri

    def display_path(self, uri: str) -> str:
        """The path relative to its root with forward slashes; else the whole path; else the name.

        A cell of a notebook is its number (from 1) behind the notebook's path: ``book.ipynb#cell 2``.
        """
        cell = self.notebooks.place(uri)
        if cell is not None:
            return f"{self.display_path(cell[0])}#cell {cell[1]}"
        path = uris.to_path(uri)
        if path is None:
            return uris.name_of(uri)
        root = self.root_of(uri)
        path = os.path.normpath(path)
        if root is not None and not _is_within(path, root):
            return _relative(self.links.real(path), self.links.real(root))
        return path if root is None else _relative(path, root)


def _relative(path: str, root: str) -> str:
    return path[len(root) :].strip(os.sep).replace(os.sep, "/") or "."


def _is_within(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
