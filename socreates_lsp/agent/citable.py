"""The documents of one root that a model can cite: their names, and their texts as they are at this moment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import SocreatesError
from socreates_lsp.review.citations import FileIndex
from socreates_lsp.review.finding import normalised
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.files import list_files
from socreates_lsp.workspace.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from socreates_lsp.workspace.text import Text
    from socreates_lsp.workspace.workspace import Workspace


def files_of(root: str | None) -> list[str]:
    """The files of a root that can be cited, with forward slashes. Reads the disk: not for the event loop."""
    if root is None:
        return []
    try:
        listed = list_files(Path(root)).files
    except SocreatesError:
        return []
    prefix = len(os.path.normpath(root).rstrip(os.sep)) + 1
    return [str(file)[prefix:].replace(os.sep, "/") for file in listed]


class Citable:
    """See the module. Each text is read once, until ``look_again``. Reads the disk: not for the event loop."""

    def __init__(
        self, workspace: Workspace, root: str | None, files: Sequence[str], may_be_read: Callable[[str], bool]
    ) -> None:
        """``files`` are those of the root (``files_of``). A document that may not be read has no text."""
        self._workspace = workspace
        self._listed = files
        self._root = root
        self._may_be_read = may_be_read
        self._texts: dict[str, tuple[Text, int | None] | None] = {}
        self._uris: dict[str, str] = {}
        self._index: FileIndex | None = None
        self._normals: dict[str, tuple[Text, str]] = {}

    def afresh(self) -> Citable:
        """Another one for the same files."""
        return Citable(self._workspace, self._root, self._listed, self._may_be_read)

    def look_again(self) -> None:
        """The texts may have changed since."""
        self._texts.clear()

    def path(self, uri: str) -> str:
        """The path of a document as it is cited."""
        path = self._workspace.display_path(uri)
        self._uris[path] = uri
        return path

    def uri(self, path: str) -> str:
        """The document that is cited so."""
        known = self._uris.get(path)
        if known is not None:
            return known
        return self._workspace.known(uris.from_path(str(Path(self._root or "/") / path)))

    @property
    def files(self) -> FileIndex:
        """Every file that can be cited."""
        if self._index is None:
            self._index = self._files()
        return self._index

    def _files(self) -> FileIndex:
        for uri in dict(self._workspace.buffers):
            if self._root is None or self._workspace.root_of(uri) == self._root:
                self.path(uri)
        return FileIndex(dict.fromkeys((*self._uris, *self._listed)), self._lines, self._root)

    def _lines(self, path: str) -> int | None:
        text = self.text(path)
        return None if text is None else text.last_line + 1

    def text(self, path: str) -> Text | None:
        """The text of a document, None if it can't or may not be read."""
        seen = self.seen(path)
        return None if seen is None else seen[0]

    def seen(self, path: str) -> tuple[Text, int | None] | None:
        """The text of a document and, if it is open, its version."""
        if path not in self._texts:
            uri = self.uri(path)
            # Of what may not be read, a number would be enough to show a line.
            self._texts[path] = self._looked_up(uri) if self._may_be_read(uri) else None
        return self._texts[path]

    def _looked_up(self, uri: str) -> tuple[Text, int | None] | None:
        buffer = self._workspace.buffers.get(uri)
        try:
            text = self._workspace.text(uri) if buffer is None or not buffer.in_step else buffer.text
        except SocreatesError:
            return None
        return text, None if buffer is None else buffer.version

    def normal(self, path: str) -> str:
        """The text of a document with its white space made alike; empty if it has none."""
        text = self.text(path)
        if text is None:
            return ""
        known = self._normals.get(path)
        if known is None or known[0] is not text:
            known = self._normals[path] = (text, normalised(text.content))
        return known[1]

    def language(self, uri: str, text: Text) -> str | None:
        """The language of a document: what its editor says, else what its name and first line do."""
        buffer = self._workspace.buffers.get(uri)
        return language_of(uri, text.line(0), None if buffer is None else buffer.language_id)
