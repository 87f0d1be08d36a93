"""``workspace/didChangeWatchedFiles``: ``socreates.toml`` changed on disk, or a file that is not open did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def did_change_watched_files(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    """Files changed on disk: what is asked about one that is not open is searched for in its new text."""
    session.app.workspace.links.forget()
    for change in params.changes:
        session.app.touched(uris.canonical(change.uri))
    if any(uris.name_of(change.uri) == "socreates.toml" for change in params.changes):
        session.app.reload()
        session.report_problems()
    store, buffers = session.app.store, session.app.workspace.buffers
    known = store.uris()
    for change in params.changes:
        for uri in uris.below(known, uris.canonical(change.uri)):
            if buffers.get(uri) is None:
                store.lose_track(uri)
                if change.type is types.FileChangeType.Deleted:
                    store.vanish(uri)
                session.publisher.publish_soon(uri)
