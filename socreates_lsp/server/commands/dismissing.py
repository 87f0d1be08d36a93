"""What ``socreates/dismiss`` and ``socreates/restore`` have in common: the answer, and what is shown of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from socreates_lsp.server.protocol import INVALID_PARAMS, RequestError

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.server.session import Session


async def answered(session: Session, finding_id: str, work: Awaitable[Finding | None]) -> dict[str, Any]:
    """The finding as it is after some work on it, shown so; what could not be kept on disk is told the user.

    Raises RequestError if there is no such finding.
    """
    dismissals = session.app.dismissals
    before = len(dismissals.warnings)
    finding = await work
    if finding is None:
        raise RequestError(INVALID_PARAMS, f"There is no finding with the id {finding_id}.")
    if new := dismissals.warnings[before:]:
        session.tell("socreates: " + " ".join(new))
    session.publisher.publish_soon(finding.uri)
    wire = session.wire()
    await asyncio.to_thread(wire.read, [finding])
    session.publisher.findings(finding.uri, wire)
    return {"finding": wire.finding(session.app.store.get(finding.id) or finding)}
