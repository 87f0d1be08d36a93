"""``socreates/restore``: a finding that was dismissed, or settled by a talk, is open again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    finding = await session.app.dismissals.restore(finding_id)
    return None if finding is None else await session.app.dialogue.reopen(finding_id)
