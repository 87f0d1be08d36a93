"""What a tool answers when it won't or can't: one sentence that the model can act on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.errors import SocreatesError
from socreates_lsp.tools.bounded import clipped
from socreates_lsp.tools.tool import ToolResult

if TYPE_CHECKING:
    from collections.abc import Awaitable


class ToolRefusalError(SocreatesError):
    """The model asked for something that it can't have; its text says what it can ask for instead."""


class MalformedCallError(ToolRefusalError):
    """The arguments of a call are not what the tool's schema says."""


async def answered(work: Awaitable[ToolResult], limit: int) -> ToolResult:
    """What a tool comes to; a refusal, and what the machine can't do, are failed results of one sentence."""
    try:
        return await work
    except SocreatesError as error:
        malformed = isinstance(error, MalformedCallError)
        return ToolResult(clipped(str(error), limit), failed=True, malformed=malformed)
    except OSError as error:
        reason = error.strerror or str(error) or type(error).__name__
        return ToolResult(clipped(f"The tool failed on this machine ({reason}): go on without it.", limit), failed=True)
