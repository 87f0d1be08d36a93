"""``socreates/status``: who reviews and why, which settings are in force and where each came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.commands.params import as_object

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


async def status(session: Session, value: Any) -> dict[str, Any]:
    """Tell it all; nothing is changed."""
    as_object(value)
    told = await session.app.status()
    return {**told, "running": session.jobs.running(), "positionEncoding": session.client.encoding.value}
