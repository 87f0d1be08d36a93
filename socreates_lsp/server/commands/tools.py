"""``socreates/tools``: the tools that a model is offered, what each may do and takes of a prompt, and the plugins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.server.commands.params import as_object, uri_of

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


async def tools(session: Session, value: Any) -> dict[str, Any]:
    """Tell those of the root of ``uri``, of the first root without one. No model is asked."""
    root = session.app.workspace.root_of(uri_of(as_object(value)))
    return await session.app.toolbox(root)
