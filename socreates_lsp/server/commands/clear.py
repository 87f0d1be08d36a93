"""``socreates/clear``: open findings without a thread leave the editor; nothing is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.commands.params import as_object, uri_of

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


async def clear(session: Session, value: Any) -> dict[str, Any]:
    """Clear one document, or all."""
    gone = session.app.store.clear(uri_of(as_object(value)))
    session.publisher.publish_all({finding.uri for finding in gone})
    return {"cleared": len(gone)}
