"""``shutdown``: end all that runs, answer within half a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session

_PATIENCE_S = 0.3


async def shutdown(session: Session, _params: None) -> None:
    """Cancel the reviews; their requests are answered before this one."""
    session.server.protocol.begin_shutdown()
    await session.end(_PATIENCE_S)
