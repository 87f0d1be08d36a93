"""``notebookDocument/didChange``: cells come, go and are edited."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from socreates_lsp.server.cells import cells_of, each, listed, number_of
from socreates_lsp.server.client import member
from socreates_lsp.server.documents import change_document, open_document, uri_of

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def notebook_did_change(session: Session, params: Any) -> None:
    """A notebook was edited. Raises RequestError for what can't be read."""
    notebook = uri_of(member(params, "notebookDocument"))
    before = session.cells.texts(notebook)
    try:
        _change(session, notebook, member(params, "change", "cells"))
    finally:
        session.cells.changed(notebook, before)


def _change(session: Session, notebook: str, cells: Any) -> None:
    structure = member(cells, "structure")
    if structure is not None:
        _restructure(session, notebook, structure)

    def edit(value: Any) -> None:
        change_document(session, member(value, "document"), member(value, "changes"))

    each(edit, listed(member(cells, "textContent")))


def _restructure(session: Session, notebook: str, structure: Any) -> None:
    opened = listed(member(structure, "didOpen"))
    closed = [uri_of(document) for document in listed(member(structure, "didClose"))]
    # A cell that was moved may be in both; its questions go along.
    kept = {member(document, "uri") for document in opened}
    for uri in closed:
        if uri not in kept:
            session.cells.deleted(uri)
    each(partial(open_document, session), opened)
    start, deleted = (number_of(member(structure, "array", name)) for name in ("start", "deleteCount"))
    session.app.workspace.notebooks.splice(notebook, start, deleted, cells_of(member(structure, "array", "cells")))
