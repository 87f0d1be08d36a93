"""The tool ``remember``: a fact for the project memory. It changes nothing of the workspace, and grants nothing.

What a fact says is data whatever it says: an instruction among the facts stays one of the facts.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from socreates_lsp.memory.fact import CATEGORIES, LONGEST
from socreates_lsp.memory.project import UnfitFactError, fitting
from socreates_lsp.review.voice import voiced
from socreates_lsp.tools.arguments import checked
from socreates_lsp.tools.refusal import ToolRefusalError, answered
from socreates_lsp.tools.tool import ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from socreates_lsp.memory.project import ProjectMemory

_MOST = 8
"""Facts of one turn."""


class Remember:
    """See the module. One for each turn."""

    name = "remember"
    description = (
        "Keep one fact about this project for later sessions: what took reading to find out, or what the developer "
        "decided. Not what this review found; no secrets, no code."
    )
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {
            "category": {"type": "string", "enum": list(CATEGORIES)},
            "fact": {"type": "string", "description": f"One sentence, at most {LONGEST} characters."},
            "source": {"type": "string", "description": "Where it is from: path:line, or who said so."},
        },
        "required": ["category", "fact", "source"],
    }

    read_only = True
    asks = False

    def __init__(self, memory: ProjectMemory, root: str, quotes: Callable[[str], bool]) -> None:
        """``quotes``: whether a piece of code stands in what the model has read; such a piece may be kept."""
        self._memory = memory
        self._root = root
        self._quotes = quotes
        self._noted = 0

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        """See ``Tool``."""
        return await answered(self._run(arguments), limit)

    async def _run(self, arguments: Mapping[str, Any]) -> ToolResult:
        given = checked(self.name, arguments, self.parameters)
        if self._noted >= _MOST:
            raise ToolRefusalError(f"{_MOST} facts were noted in this turn already, which is enough: go on without it.")
        try:
            said = await asyncio.to_thread(voiced, given["fact"][: 4 * LONGEST], self._quotes)
            fitting(given["fact"])
            if said.withheld or said.is_empty:
                raise ToolRefusalError(
                    "The fact holds code that stands in no file that you have read, so it was not kept: use words."
                )
            noted = await self._memory.note(self._root, given["category"], said.text, given["source"], "model")
        except UnfitFactError as error:
            raise ToolRefusalError(str(error)) from error
        if noted.fact is None:
            raise ToolRefusalError("The memory is full, so the fact was not kept: go on without it.")
        if noted.warnings and noted.warnings[-1].startswith("Not kept"):
            raise ToolRefusalError("The memory cannot be written, so the fact was not kept: go on without it.")
        self._noted += 1
        return ToolResult("That was known already." if noted.merged else "Kept for later sessions.")
