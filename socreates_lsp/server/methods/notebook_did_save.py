"""``notebookDocument/didSave``: findings of its cells are placed anew, and looked at again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.client import member
from socreates_lsp.server.documents import uri_of

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def notebook_did_save(session: Session, params: Any) -> None:
    """A notebook was saved. Raises RequestError for what names none."""
    cells = session.app.workspace.notebooks.cells(uri_of(member(params, "notebookDocument")))
    with_findings = [cell for cell in cells if session.app.store.of(cell)]
    session.publisher.publish_all(with_findings)
    for cell in with_findings:
        session.saves.saved(cell)
