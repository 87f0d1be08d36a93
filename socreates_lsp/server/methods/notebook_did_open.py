"""``notebookDocument/didOpen``: the cells become buffers, each with a language of its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from socreates_lsp.server.cells import cells_of, each, listed
from socreates_lsp.server.client import member
from socreates_lsp.server.documents import open_document, uri_of

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def notebook_did_open(session: Session, params: Any) -> None:
    """A notebook is open. Raises RequestError for what can't be read."""
    notebook = member(params, "notebookDocument")
    uri, cells = uri_of(notebook), cells_of(member(notebook, "cells"))
    if session.app.workspace.notebooks.is_open(uri):  # under a name that it got by being renamed
        session.cells.closing(uri)
    session.app.workspace.notebooks.open(uri, cells)
    try:
        each(partial(open_document, session), listed(member(params, "cellTextDocuments")))
    finally:
        session.cells.opened(uri)
