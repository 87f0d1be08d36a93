"""``textDocument/didOpen``: take the text; findings of the file show in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.client import member
from socreates_lsp.server.documents import open_document

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def did_open(session: Session, params: Any) -> None:
    """A document is open. Raises RequestError for what can't be read."""
    open_document(session, member(params, "textDocument"))
