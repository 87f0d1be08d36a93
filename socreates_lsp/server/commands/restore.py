"""``socreates/restore``: a finding that was dismissed is open again, and forgotten by the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.commands.dismissing import answered
from socreates_lsp.server.commands.params import as_object, id_of

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


async def restore(session: Session, value: Any) -> dict[str, Any]:
    """Restore; one that is not dismissed stays as it is."""
    finding_id = id_of(as_object(value))
    return await answered(session, finding_id, session.app.dismissals.restore(finding_id))
