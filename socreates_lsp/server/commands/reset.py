"""``socreates/reset``: the conversation starts anew; the old one is archived, or deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.commands.params import as_object, switch_of, uri_of

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


async def reset(session: Session, value: Any) -> dict[str, Any]:
    """Reset the conversation of the root of ``uri``, of the first root without one."""
    params = as_object(value)
    purge = switch_of(params, "purge", default=False)
    root = session.app.workspace.root_of(uri_of(params))
    return {"archived": await session.app.reset(root, purge=purge)}
