"""``workspace/didChangeConfiguration``: new settings, in the message or to be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.client import member
from socreates_lsp.settings import Source

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def did_change_configuration(session: Session, params: Any) -> None:
    """Settings changed; they count for the next review. Clients that are asked for them may send none."""
    settings = member(params, "settings")
    if session.client.configuration:
        session.spawn(session.ask_configuration())
    elif settings is not None:
        session.configure(Source.EDITOR, settings)
