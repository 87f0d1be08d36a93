"""``workspace/didChangeConfiguration``: new settings, in the message or to be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.settings import Source

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session


def did_change_configuration(session: Session, params: types.DidChangeConfigurationParams) -> None:
    """Settings changed; they count for the next review."""
    if session.client.configuration:
        session.spawn(session.ask_configuration())
    elif params.settings is not None:
        session.configure(Source.EDITOR, params.settings)
    session.publisher.publish_all(session.app.store.uris())
