"""What ``socreates/tools`` tells: the tools that a model is offered, what each may do and takes of a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.agent.estimate import Estimator, size_of_tools
from socreates_lsp.agent.turn import schemas_of
from socreates_lsp.tools.plugin import PluginTool

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from socreates_lsp.model.types import ChatRequest, ModelEvent
    from socreates_lsp.tools.tool import Tool

READS, ASKS, UNASKED = "reads", "asks", "runs unasked"
"""What a tool may do: read; do more, each time by the user's leave; do more, as ``supervise`` is off."""


class NoModel:
    """In the place of a model where none is asked."""

    provider = "examiner"
    name = ""
    endpoint = ""

    async def context_tokens(self) -> int:
        """See ``ChatModel``."""
        return 0

    def chat(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """See ``ChatModel``; nobody asks it."""
        raise AssertionError(request)

    async def close(self) -> None:
        """See ``ChatModel``."""


def told(tools: Sequence[Tool], *, supervise: bool) -> list[dict[str, Any]]:
    """The tools as JSON objects, in the order in which a model is told of them. ``schemaTokens`` is an estimate."""
    estimator = Estimator()
    found: list[dict[str, Any]] = []
    for tool in tools:
        size = size_of_tools(schemas_of([tool]))
        found.append(
            {
                "name": tool.name,
                "description": tool.description,
                "source": "plugin" if isinstance(tool, PluginTool) else "built in",
                "readOnly": tool.read_only,
                "permission": _permission(tool, supervise=supervise),
                "schemaBytes": size,
                "schemaTokens": estimator.tokens(size),
            }
        )
    return found


def _permission(tool: Tool, *, supervise: bool) -> str:
    if tool.read_only:
        return READS
    return ASKS if supervise or tool.asks else UNASKED
