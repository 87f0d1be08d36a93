"""``socreates/dismiss``: a finding leaves the editor, and is not asked again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.commands.dismissing import answered
from socreates_lsp.server.commands.params import as_object, id_of, text_of

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


async def dismiss(session: Session, value: Any) -> dict[str, Any]:
    """Dismiss, for the ``reason`` that the user gives, if any."""
    params = as_object(value)
    finding_id, reason = id_of(params), text_of(params, "reason")
    return await answered(session, finding_id, session.app.dismissals.dismiss(finding_id, reason or ""))
