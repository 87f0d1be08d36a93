"""The calls of one round: through the gate, and whatever goes wrong is a result that the model reads."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from socreates_lsp.errors import SocreatesError
from socreates_lsp.tools.tool import ToolResult

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping, Sequence

    from socreates_lsp.agent.gate import Gate
    from socreates_lsp.model.types import ToolCall
    from socreates_lsp.tools.tool import Tool

log = logging.getLogger(__name__)


async def called(calls: Sequence[ToolCall], tools: Mapping[str, Tool], gate: Gate, limit: int) -> list[ToolResult]:
    """Carry out the calls of a round, those that the gate lets pass, all at once. Never raises for a tool.

    They pass the gate one by one, in their order, so that the user is asked in it. Each result has at most ``limit``
    characters.
    """
    refusals = [await _guarded(_refusal(call, tools, gate), call) for call in calls]
    return await asyncio.gather(
        *(_ran(call, tools, limit, refused) for call, refused in zip(calls, refusals, strict=True))
    )


async def _refusal(call: ToolCall, tools: Mapping[str, Tool], gate: Gate) -> ToolResult | None:
    """Why a call is not carried out; None if it may be."""
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
    return await gate.refusal(tool, call.arguments)


async def _ran(call: ToolCall, tools: Mapping[str, Tool], limit: int, refused: ToolResult | None) -> ToolResult:
    if refused is not None:
        return refused
    result = await _guarded(tools[call.name].run(call.arguments or {}, limit), call)
    assert result is not None, "a tool always has a result"
    return result


async def _guarded(work: Awaitable[ToolResult | None], call: ToolCall) -> ToolResult | None:
    """Whatever goes wrong is a result."""
    try:
        return await work
    except SocreatesError as error:
        return ToolResult(str(error), failed=True)
    except Exception:
        log.exception("The tool %s failed.", call.name)
        return ToolResult(f"{call.name} failed for a reason of its own. Go on without it.", failed=True)
