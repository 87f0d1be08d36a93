"""``workspace/didChangeWatchedFiles``: ``socreates.toml`` changed on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session


def did_change_watched_files(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    """Files changed on disk."""
    for change in params.changes:
        session.app.touched(uris.canonical(change.uri))
    if any(uris.name_of(change.uri) == "socreates.toml" for change in params.changes):
        session.app.reload()
        session.report_problems()
