"""``notebookDocument/didClose``: its cells are gone, and their questions with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.client import member
from socreates_lsp.server.documents import close_document, uri_of

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def notebook_did_close(session: Session, params: Any) -> None:
    """A notebook was closed. Raises RequestError for what names none."""
    for cell in session.app.workspace.notebooks.close(uri_of(member(params, "notebookDocument"))):
        close_document(session, cell)
