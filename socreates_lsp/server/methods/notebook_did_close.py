"""``notebookDocument/didClose``: its cells are gone; what was asked about them stays on the file, if it is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.cells import listed
from socreates_lsp.server.client import member
from socreates_lsp.server.documents import close_document, uri_of
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def notebook_did_close(session: Session, params: Any) -> None:
    """A notebook was closed. Raises RequestError for what names none."""
    uri = uri_of(member(params, "notebookDocument"))
    session.cells.closing(uri)
    left = session.app.workspace.notebooks.close(uri)
    # Of a notebook that was renamed, the client closes the cells under its old name.
    named = [cell for one in listed(member(params, "cellTextDocuments")) if (cell := member(one, "uri"))]
    for cell in left or [cell for cell in named if isinstance(cell, str)]:
        if left or session.app.workspace.notebooks.place(uris.canonical(cell)) is None:
            close_document(session, cell)
    session.app.touched(uris.canonical(uri))
