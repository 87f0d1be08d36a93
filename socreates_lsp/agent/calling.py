"""One call of a tool: through the gate, and whatever goes wrong is a result that the model reads."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from socreates_lsp.errors import SocreatesError
from socreates_lsp.tools.tool import ToolResult

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.agent.gate import Gate
    from socreates_lsp.model.types import ToolCall
    from socreates_lsp.tools.tool import Tool

log = logging.getLogger(__name__)


async def called(call: ToolCall, tools: Mapping[str, Tool], gate: Gate, limit: int) -> ToolResult:
    """Carry out a call, if the gate lets it pass; its text is at most ``limit`` characters. Never raises."""
    tool = tools.get(call.name)
    if tool is None:
        told = f"There is no tool {call.name}. The tools are: {', '.join(tools)}."
        return ToolResult(told, failed=True, malformed=True)
    if call.arguments is None:
        return ToolResult(
            f"The arguments were no JSON object, so {call.name} was not run: {call.raw[:200]}\n"
            "Send the call again, with one complete JSON object.",
            failed=True,
            malformed=True,
        )
    try:
        refused = await gate.refusal(tool, call.arguments)
        return await tool.run(call.arguments, limit) if refused is None else refused
    except SocreatesError as error:
        return ToolResult(str(error), failed=True)
    except Exception:
        log.exception("The tool %s failed.", call.name)
        return ToolResult(f"{call.name} failed for a reason of its own. Go on without it.", failed=True)
