"""``socreates/findings``: the findings of a document or of all, placed in the text of this moment."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from socreates_lsp.review.finding import Status
from socreates_lsp.server.commands.params import as_object, text_of, uri_of
from socreates_lsp.server.protocol import INVALID_PARAMS, RequestError

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


async def findings(session: Session, value: Any) -> dict[str, Any]:
    """List findings; ``status`` narrows them to one state."""
    params = as_object(value)
    uri, status = uri_of(params), text_of(params, "status")
    if status is not None and status not in set(Status):
        raise RequestError(INVALID_PARAMS, f"status has to be one of {', '.join(Status)}.")
    if status == Status.DISMISSED:
        await session.app.dismissals.recall()
    if session.recalling is not None:
        await asyncio.wait([session.recalling])
    await session.app.dialogue.watch.look()
    wire = session.wire()
    store = session.app.store
    wanted = sorted(store.uris()) if uri is None else [uri]
    closed = [one for one in wanted if session.app.workspace.buffers.get(one) is None]
    await asyncio.to_thread(lambda: [wire.text(one) for one in closed if store.of(one)])
    for one in wanted:
        session.publisher.findings(one, wire)
    chosen = [finding for one in wanted for finding in store.of(one) if status in {None, finding.status.value}]
    return {"findings": [wire.finding(finding) for finding in chosen]}
