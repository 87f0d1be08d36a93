"""``workspace/didRenameFiles``: files or folders have other names; what is asked about them goes along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.server.moving import move_files

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session


def did_rename_files(session: Session, params: types.RenameFilesParams) -> None:
    """Files were renamed in the editor."""
    move_files(session, [(one.old_uri, one.new_uri) for one in params.files])
