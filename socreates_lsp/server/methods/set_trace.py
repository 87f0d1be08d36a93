"""``$/setTrace``: whether the client wants to hear what is going on (``$/logTrace``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def set_trace(session: Session, params: types.SetTraceParams) -> None:
    """It counts from the next message on."""
    session.server.protocol.tracer.value = types.TraceValue(params.value)
