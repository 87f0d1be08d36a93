"""``socreates/state``: what is known of the task at hand: request, progress, reports, sources, observations, files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.commands.params import as_object, uri_of

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


async def state(session: Session, value: Any) -> dict[str, Any]:
    """Tell that of the root of ``uri``, of the first root without one: ``text`` for people, ``state`` as an object."""
    root = session.app.workspace.root_of(uri_of(as_object(value)))
    return await session.app.state(root)
