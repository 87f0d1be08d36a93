"""``textDocument/didChange``: apply the edits; findings are placed anew a moment later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.client import member
from socreates_lsp.server.documents import change_document

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def did_change(session: Session, params: Any) -> None:
    """A document was edited. Raises RequestError for what can't be read."""
    change_document(session, member(params, "textDocument"), member(params, "contentChanges"))
