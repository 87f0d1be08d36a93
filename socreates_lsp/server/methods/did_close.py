"""``textDocument/didClose``: the buffer is gone; findings stay on the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session


def did_close(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """A document was closed."""
    uri = uris.canonical(params.text_document.uri)
    if session.app.workspace.buffers.close(params.text_document.uri) and session.app.store.of(uri):
        session.publisher.publish_soon(uri)
