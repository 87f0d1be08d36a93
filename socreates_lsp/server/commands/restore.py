"""``socreates/restore``: a finding that was dismissed is as it was before; one that a talk settled is open again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.review.finding import Status
from socreates_lsp.server.commands.dismissing import answered
from socreates_lsp.server.commands.params import as_object, id_of

if TYPE_CHECKING:
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.server.session import Session


async def restore(session: Session, value: Any) -> dict[str, Any]:
    """Restore: the ledger forgets it, what was said stays. One that is open stays as it is."""
    finding_id = id_of(as_object(value))
    return await answered(session, finding_id, _restored(session, finding_id))


async def _restored(session: Session, finding_id: str) -> Finding | None:
    app = session.app
    known = app.store.get(finding_id)
    finding = await app.dismissals.restore(finding_id)
    if finding is None:
        return None
    if known is None or known.status is Status.DISMISSED:
        return await app.dialogue.resume(finding_id)
    return await app.dialogue.reopen(finding_id)
