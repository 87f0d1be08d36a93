"""``$/setTrace``: whether the client wants to hear what is going on (``$/logTrace``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session


def set_trace(session: Session, params: types.SetTraceParams) -> None:
    """Remember it."""
    session.server.protocol.trace = params.value
