"""``socreates/preview``: what the first request of a review would send. Nothing of the workspace is sent."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from socreates_lsp.server.commands.params import ReviewParams
from socreates_lsp.server.commands.review import request_of

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


async def preview(session: Session, value: Any) -> dict[str, Any]:
    """Tell; params as of ``socreates/review``."""
    request = await request_of(session, ReviewParams.of(value))
    found = await session.app.preview(request)
    return await asyncio.to_thread(session.wire().preview, found)
