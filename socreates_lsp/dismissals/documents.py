"""Where documents are: which root keeps their dismissals, under which path, and what they hold now."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.dismissals.book import is_inside
from socreates_lsp.errors import SocreatesError
from socreates_lsp.review.anchor import carried
from socreates_lsp.review.path import moved
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import Found
    from socreates_lsp.workspace.notebooks import Whole
    from socreates_lsp.workspace.text import Range, Text
    from socreates_lsp.workspace.workspace import Workspace


class Documents:
    """The documents of a workspace, as the ledger names them."""

    def __init__(self, workspace: Workspace) -> None:
        """Look at this workspace."""
        self._workspace = workspace

    def home(self, uri: str, root: str | None = None) -> tuple[str | None, str]:
        """The root that keeps the dismissals of a document, and its path there. ``root``: that of the review.

        None is the memory of this session: for what is no file, and for files outside of every root.
        """
        cell = self._workspace.notebooks.place(uri)
        path = uris.to_path(uri if cell is None else cell[0])
        if path is None:
            return None, uri
        own, named = self._workspace.home(uri)
        if own is not None:
            return own, named
        if root is not None and Path(path).is_relative_to(root):
            return root, Path(path).relative_to(root).as_posix()
        return None, uri

    def uri(self, root: str | None, path: str) -> str | None:
        """The document that an entry is about; None for one in memory, and for a path out of the root."""
        if root is None or not is_inside(path):
            return None
        return uris.from_path(os.path.normpath(Path(root) / path))

    def is_there(self, root: str | None, path: str) -> bool:
        """Whether there is such a file or open document. What cannot be looked for counts as there."""
        uri = self.uri(root, path)
        if uri is None:
            return True
        file = uris.to_path(uri)
        return self._is_open(uri) or (file is not None and os.path.lexists(file))

    def _is_open(self, uri: str) -> bool:
        return self._workspace.buffers.get(uri) is not None or self._workspace.notebooks.is_open(uri)

    def in_file(self, finding: Finding, text: Text | None) -> tuple[Finding, Text | None]:
        """A finding, which stands in this text of its document, as it stands in the text of its file: a cell is a part
        of its notebook. Only its place is another one."""
        cell = self._workspace.notebooks.place(finding.uri)
        if cell is None:
            return finding, text
        whole = self._workspace.whole(cell[0])
        return replace(finding, range=moved(finding.range, whole.first_line(finding.uri))), whole.text

    def opened(self, uri: str) -> Whole | None:
        """The cells of a notebook that is open; None for all else."""
        return self._workspace.whole(uri) if self._workspace.notebooks.is_open(uri) else None

    def shown(self, uri: str, span: Range, text: Text) -> tuple[str, Range, Text]:
        """Lines of a file as the editor shows them: of an open notebook they are lines of a cell."""
        whole = self.opened(uri)
        cell = None if whole is None else whole.cell_at(span.start.line)
        buffer = None if cell is None else self._workspace.buffers.get(cell[0])
        if cell is None or buffer is None:
            return uri, span, text
        return cell[0], moved(span, -cell[1]), buffer.text

    def line_name(self, uri: str, path: str, line: int) -> str:
        """A line (from 0) of a document with this path for people; of an open notebook it is one of a cell."""
        whole = self.opened(uri)
        cell = None if whole is None else whole.cell_at(line)
        if cell is not None:
            path, line = self._workspace.display_path(cell[0]), line - cell[1]
        return f"{path}:{line + 1}"

    async def text(self, uri: str) -> Text | None:
        """What a document holds now; None if it can't be read."""
        buffer = self._workspace.buffers.get(uri)
        whole = self.opened(uri) if buffer is None else None
        if whole is not None:
            return whole.text
        return await asyncio.to_thread(self._on_disk, uri) if buffer is None else buffer.text

    def as_now(self, found: Found) -> Finding:
        """A finding of a review where the edits since its birth took it."""
        buffer = self._workspace.buffers.get(found.finding.uri)
        if buffer is None or found.version is None:
            return found.finding
        return carried(found.finding, found.finding.uri, buffer.shifts_since(found.version) or ())

    def _on_disk(self, uri: str) -> Text | None:
        try:
            return self._workspace.text(uri)
        except SocreatesError:
            return None
