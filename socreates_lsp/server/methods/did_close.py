"""``textDocument/didClose``: the buffer is gone; findings stay on the file, if there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.server.documents import close_document

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session


def did_close(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """A document was closed."""
    close_document(session, params.text_document.uri)
