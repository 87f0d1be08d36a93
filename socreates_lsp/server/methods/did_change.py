"""``textDocument/didChange``: apply the edits; findings are placed anew a moment later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Change, Range

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def did_change(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    """A document was edited."""
    document = params.text_document
    changes = [_change(change) for change in params.content_changes]
    if not session.app.edit(document.uri, document.version, changes, session.client.encoding):
        return
    uri = uris.canonical(document.uri)
    if session.app.store.of(uri):
        session.publisher.publish_soon(uri, edited=True)


def _change(change: types.TextDocumentContentChangeEvent) -> Change:
    if isinstance(change, types.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        return Change(Range.of(start.line, start.character, end.line, end.character), change.text)
    return Change(None, change.text)
