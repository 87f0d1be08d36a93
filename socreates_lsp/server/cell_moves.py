"""Findings in a notebook whose cells come and go, which is opened, renamed and closed: they follow their lines.

A split or a merge comes in pieces, in either order (VS Code sends the edit of a cell and the new order of the cells
one after the other), so that a line that went and one that came belong together if they come in two notifications
one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.review.regroup import gather, homeless, resettle, scatter
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from socreates_lsp.server.session import Session
    from socreates_lsp.workspace.text import Text


class CellMoves:
    """What came to the notebooks of a session lately."""

    def __init__(self, session: Session) -> None:
        """Nothing came yet."""
        self._session = session
        self._before: dict[str, dict[str, Text | None]] = {}

    def texts(self, notebook: str) -> dict[str, Text | None]:
        """The texts of the cells of a notebook before it changes."""
        workspace = self._session.app.workspace
        return {cell: self._text(cell) for cell in workspace.notebooks.cells(notebook)}

    def changed(self, notebook: str, before: Mapping[str, Text | None]) -> None:
        """A notebook was changed, whose cells had these texts: what is asked about lines that went to another cell
        goes there too."""
        app = self._session.app
        key, workspace = uris.canonical(notebook), app.workspace
        app.touched(key)
        cells = workspace.notebooks.cells(key)
        came = {cell: before.get(cell) for cell in cells if before.get(cell) is not self._text(cell)}
        last, self._before[key] = self._before.get(key, {}), came
        lost = homeless(app.store, (*cells, *workspace.notebooks.former(key)))
        if not lost:
            return
        arrivals: dict[str, tuple[Text | None, Text]] = {}
        for cell, was in {**came, **last}.items():
            text = self._text(cell)
            if text is not None and cell in cells:
                arrivals[cell] = (was, text)
        self._show(resettle(app.store, lost, arrivals, workspace.root_of(key)))

    def deleted(self, cell: str) -> None:
        """A cell was deleted: what was asked about it is resolved, until its lines come back."""
        app, key = self._session.app, uris.canonical(cell)
        app.workspace.buffers.close(cell)
        app.touched(key)
        if app.store.of(key):
            app.store.vanish(key)
            self._show((key,))

    def opened(self, notebook: str) -> None:
        """A notebook is open: what was asked about its file stands in its cells."""
        app, key = self._session.app, uris.canonical(notebook)
        app.touched(key)
        if app.store.of(key) and app.workspace.notebooks.cells(key):
            whole = app.workspace.whole(key)
            root = app.workspace.root_of(key)
            self._show(scatter(app.store, key, whole.text, whole.cell_at, self._text, root))

    def closing(self, notebook: str) -> None:
        """A notebook that is a file is about to be closed: what was asked about its cells stays on the file."""
        app, key = self._session.app, uris.canonical(notebook)
        self._before.pop(key, None)
        if uris.to_path(key) is None:
            return
        for cell in app.workspace.notebooks.former(key):
            app.store.drop(cell)
        whole = app.workspace.whole(key)
        self._show(gather(app.store, whole.starts, whole.text, key, app.workspace.root_of(key)))

    def renamed(self, old: str, new: str) -> None:
        """A notebook, or a folder around some, has another name (canonical URIs): so have those that are open."""
        notebooks = self._session.app.workspace.notebooks
        for one in uris.below(notebooks, old):
            to = new + one[len(old) :]
            if notebooks.is_open(to):
                self.closing(one)
                notebooks.close(one)
                self._session.app.store.move(one, to, self._session.app.workspace.root_of(to))
            else:
                notebooks.rename(one, to)
        for one in uris.below(notebooks, new):
            self.opened(one)

    def _text(self, cell: str) -> Text | None:
        buffer = self._session.app.workspace.buffers.get(cell)
        return None if buffer is None else buffer.text

    def _show(self, changed: Iterable[str]) -> None:
        self._session.publisher.publish_all(changed)
