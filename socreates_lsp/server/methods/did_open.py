"""``textDocument/didOpen``: take the text; findings of the file show in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session


def did_open(session: Session, params: types.DidOpenTextDocumentParams) -> None:
    """A document is open."""
    item = params.text_document
    session.app.workspace.buffers.open(item.uri, item.language_id, item.version, item.text)
    uri = uris.canonical(item.uri)
    if session.app.store.of(uri):
        session.publisher.publish_soon(uri)
