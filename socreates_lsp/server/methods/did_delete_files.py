"""``workspace/didDeleteFiles``: files or folders are gone; what was asked about them is resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.server.moving import delete_files

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session


def did_delete_files(session: Session, params: types.DeleteFilesParams) -> None:
    """Files were deleted in the editor."""
    delete_files(session, [one.uri for one in params.files])
