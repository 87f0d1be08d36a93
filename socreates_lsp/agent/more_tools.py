"""What a turn is offered beside the tools of its root: the project memory's, and the plugins that the user enabled."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from socreates_lsp.agent.remember import Remember
from socreates_lsp.tools.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from socreates_lsp.agent.conversations import Conversations
    from socreates_lsp.settings import Settings
    from socreates_lsp.tools.tool import Tool
    from socreates_lsp.workspace.workspace import Workspace


async def more_tools(
    conversations: Conversations,
    workspace: Workspace,
    settings: Settings,
    root: str | None,
    quotes: Callable[[str], bool] | None,
    names: Sequence[str],
    *,
    trusted: bool,
) -> tuple[Tool, ...]:
    """The tools for a root, behind those with these ``names``. ``quotes`` None: nothing is to be remembered; see
    ``Remember``. ``trusted`` False: of the plugins those that only read.
    """
    if root is None:
        return ()
    memory = conversations.memory
    notes = quotes is not None and memory is not None and memory.is_on
    own: tuple[Tool, ...] = (Remember(memory, root, quotes),) if notes and memory and quotes else ()
    if conversations.plugins is None or not settings.plugins.enabled:
        return own
    plugins = await conversations.plugins.under(settings.plugins.enabled, workspace.roots)
    view = await asyncio.to_thread(View, root, workspace, settings.policy.read_deny)
    taken = {*names, *(tool.name for tool in own)}
    found = plugins.tools(view, settings.policy.command_seconds, trusted=trusted)
    return (*own, *(tool for tool in found if tool.name not in taken))
