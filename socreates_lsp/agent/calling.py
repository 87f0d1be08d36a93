"""The calls of one round: through the gate, and whatever goes wrong is a result that the model reads."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from socreates_lsp.errors import SocreatesError
from socreates_lsp.tools.tool import ToolResult

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from socreates_lsp.agent.events import TurnEvent
    from socreates_lsp.agent.gate import Gate
    from socreates_lsp.model.types import ToolCall
    from socreates_lsp.tools.tool import Tool

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Underway:
    """What a call may know of the turn that it is a part of, and tell it while it runs.

    ``seconds`` and ``tokens`` are what is left for the turn, ``together`` how many calls of the same tool share it.
    """

    tell: Callable[[TurnEvent], None]
    seconds: float
    tokens: int
    together: int = 1


@runtime_checkable
class RunsWithin(Protocol):
    """A tool whose calls take long: they tell what they do, and take of what is left for the turn."""

    async def run_within(self, arguments: Mapping[str, Any], limit: int, turn: Underway) -> ToolResult:
        """As ``Tool.run``."""
        ...


async def called(
    calls: Sequence[ToolCall], tools: Mapping[str, Tool], gate: Gate, limit: int, turn: Underway
) -> list[ToolResult]:
    """Carry out the calls of a round, those that the gate lets pass, all at once. Never raises for a tool.

    They pass the gate one by one, in their order, so that the user is asked in it. Each result has at most ``limit``
    characters.
    """
    refusals = [await _guarded(_refusal(call, tools, gate), call) for call in calls]
    named = [call.name for call, refused in zip(calls, refusals, strict=True) if refused is None]
    return await asyncio.gather(
        *(
            _ran(call, tools, limit, refused, replace(turn, together=named.count(call.name)))
            for call, refused in zip(calls, refusals, strict=True)
        )
    )


def within(call: ToolCall, limit: int) -> ToolCall:
    """The call, or one with the same id whose arguments, of more than ``limit`` characters, are left out: the history
    would hold them, and no later request would fit."""
    if len(call.raw) <= limit:
        return call
    raw = json.dumps({"left out": f"{len(call.raw):,} characters, of which {limit:,} fit"})
    return replace(call, arguments=None, raw=raw)


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


async def _ran(
    call: ToolCall, tools: Mapping[str, Tool], limit: int, refused: ToolResult | None, turn: Underway
) -> ToolResult:
    if refused is not None:
        return refused
    tool, given = tools[call.name], call.arguments or {}
    work = tool.run_within(given, limit, turn) if isinstance(tool, RunsWithin) else tool.run(given, limit)
    result = await _guarded(work, call)
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


def doing(calls: Sequence[ToolCall]) -> str:
    """What the tools of a round do, for the progress."""
    first = f"{calls[0].name.replace('_', ' ')} {about(calls[0])[:60]}".strip()
    return first if len(calls) == 1 else f"{first} and {len(calls) - 1} more"


_ABOUT = ("path", "pattern", "command", "query", "agent")
_LONGEST_ABOUT = 200


def about(call: ToolCall) -> str:
    """What a call is about, on one line."""
    given = call.arguments or {}
    if isinstance(pattern := given.get("pattern"), str) and isinstance(path := given.get("path"), str):
        return " ".join(f"{pattern} in {path}".split())[:_LONGEST_ABOUT]
    found = next((given[name] for name in _ABOUT if isinstance(given.get(name), str) and given[name].strip()), "")
    return " ".join(found.split())[:_LONGEST_ABOUT]
