"""The lines that a user's answer names, found as those that a model names. Reads the disk: not for the event loop."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import SocreatesError
from socreates_lsp.review.answers import Anchor
from socreates_lsp.review.citations import FileIndex, find_citations
from socreates_lsp.tools.readable import Readable
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.files import list_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.workspace.text import Text
    from socreates_lsp.workspace.workspace import Workspace

_MOST = 8
"""Places of one answer that are kept as its ground."""


class Claims:
    """Looks for what is cited in the files of a workspace; what a model may not read is no ground."""

    def __init__(self, workspace: Workspace, read_deny: Sequence[str]) -> None:
        """``read_deny`` as in the settings."""
        self._workspace = workspace
        self._may_be_read = Readable(workspace, read_deny)

    def of(self, said: str, root: str | None, current: str) -> list[tuple[str, Anchor]]:
        """The ground of an answer: documents (URIs) and their lines. ``current`` is the document of the finding."""
        if not any(map(str.isdigit, said)):
            return []
        known = {self._workspace.display_path(uri): uri for uri, _ in self._open(root)}
        known[self._workspace.display_path(current)] = current
        listed = () if root is None else _listed(root)
        texts: dict[str, Text | None] = {}

        def uri_of(path: str) -> str:
            return known.get(path) or self._workspace.known(uris.from_path(str(Path(root or os.sep) / path)))

        def text_of(path: str) -> Text | None:
            if path not in texts:
                texts[path] = self._text(uri_of(path))
            return texts[path]

        def lines_of(path: str) -> int | None:
            text = text_of(path)
            return None if text is None else text.last_line + 1

        files = FileIndex(dict.fromkeys((*known, *listed)), lines_of, root)
        found: list[tuple[str, Anchor]] = []
        for one in find_citations(said, files, self._workspace.display_path(current)):
            text = text_of(one.path)
            uri, path, first = self._kept_as(uri_of(one.path), one.path)
            if text is not None and uri != uri_of(one.path):
                text = self._workspace.whole(uri).text
            anchor = None if text is None else Anchor.of(path, text, first + one.start, first + one.end, said)
            if anchor is not None:
                found.append((uri, anchor))
        return found[:_MOST]

    def _kept_as(self, uri: str, path: str) -> tuple[str, str, int]:
        """A document and its path as an answer keeps them, and the line (from 0) of it where the document begins: of a
        cell its notebook, since its number may change."""
        cell = self._workspace.notebooks.place(uri)
        if cell is None:
            return uri, path, 0
        return cell[0], self._workspace.home(uri)[1], self._workspace.whole(cell[0]).first_line(uri)

    def _open(self, root: str | None) -> list[tuple[str, object]]:
        return [(uri, buffer) for uri, buffer in self._workspace.buffers if self._workspace.root_of(uri) == root]

    def _text(self, uri: str) -> Text | None:
        if not self._may_be_read(uri):
            return None
        try:
            return self._workspace.text(uri)
        except SocreatesError:
            return None


def _listed(root: str) -> list[str]:
    """The files of a root, with forward slashes."""
    try:
        files = list_files(Path(root)).files
    except SocreatesError:
        return []
    prefix = len(os.path.normpath(root).rstrip(os.sep)) + 1
    return [str(file)[prefix:].replace(os.sep, "/") for file in files]
