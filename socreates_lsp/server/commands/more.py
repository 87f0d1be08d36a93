"""``socreates/more``: the next rung of a finding's ladder; its hover then tells more. With ``review.reveal: all``
everything is told already."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from socreates_lsp.server.commands.params import as_object, id_of
from socreates_lsp.server.protocol import INVALID_PARAMS, RequestError

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


async def more(session: Session, value: Any) -> dict[str, Any]:
    """Open the next rung: its name (None if there is no other), and whether there is more behind it."""
    finding_id = id_of(as_object(value))
    if session.app.store.get(finding_id) is None:
        raise RequestError(INVALID_PARAMS, f"There is no finding with the id {finding_id}.")
    rung = session.reveal.step(finding_id)
    wire = session.wire()
    finding = session.app.store.get(finding_id)
    assert finding is not None
    await asyncio.to_thread(wire.read, [finding])
    return {
        "step": None if rung is None else rung.name.lower(),
        "more": session.reveal.has_more(finding),
        "finding": wire.finding(finding),
    }
