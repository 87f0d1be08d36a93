"""``textDocument/didClose``: the buffer is gone; findings stay on the file, if there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session


def did_close(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """A document was closed."""
    uri = uris.canonical(params.text_document.uri)
    if not session.app.workspace.buffers.close(params.text_document.uri) or not session.app.store.of(uri):
        return
    if uris.to_path(uri) is None:
        session.app.store.drop(uri)
    session.publisher.publish_soon(uri)
