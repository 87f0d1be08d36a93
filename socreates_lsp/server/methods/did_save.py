"""``textDocument/didSave``: settings of the workspace may have changed; findings are placed and looked at anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session


def did_save(session: Session, params: types.DidSaveTextDocumentParams) -> None:
    """A document was saved."""
    uri = uris.canonical(params.text_document.uri)
    if uris.name_of(uri) == "socreates.toml":
        session.app.reload()
        session.report_problems()
    if session.app.store.of(uri):
        session.publisher.publish_soon(uri)
        session.saves.saved(uri)
