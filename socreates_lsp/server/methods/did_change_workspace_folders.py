"""``workspace/didChangeWorkspaceFolders``: roots come and go; findings of a root that goes leave with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session


def did_change_workspace_folders(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """The folders of the workspace changed."""
    for folder in params.event.removed:
        session.app.workspace.remove_root(folder.uri)
        path = uris.to_path(uris.canonical(folder.uri))
        gone = session.app.store.remove_root(path) if path is not None else []
        session.publisher.publish_all({finding.uri for finding in gone})
    for folder in params.event.added:
        session.app.workspace.add_root(folder.uri)
    session.app.reload()
    session.report_problems()
