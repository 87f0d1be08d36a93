"""The gate: the one place that every tool call of every turn passes before it runs.

In this order: the plan (nothing runs before it is approved), the policy (paths that are kept from the model, commands
that are never run), supervision (whatever does more than read asks). A refusal is a failed result that says which rule
it was. A turn that another one delegates to is given the same gate, and with it every denial, the plan, and what is
left of the prompts; it can have no other one.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.tools.refusal import ToolRefusalError
from socreates_lsp.tools.tool import ToolResult
from socreates_lsp.workspace.leash import off_loop

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.agent.patience import Patient
    from socreates_lsp.tools.leave import Leave
    from socreates_lsp.tools.tool import Tool
    from socreates_lsp.tools.view import View

_PATHS = frozenset({"path", "paths", "file", "files", "folder", "folders", "directory", "directories", "dir", "uri"})
"""Names of arguments that are paths, whoever's tool it is; also those whose schema says ``"format": "path"``."""

_COMMANDS = frozenset({"command", "commands", "cmd"})
"""Names of arguments that are commands, or ``"format": "command"``."""


class Plan(Enum):
    """Whether anything may run yet."""

    NOT_NEEDED = "not needed"
    AWAITED = "awaited"
    APPROVED = "approved"
    REJECTED = "rejected"


_BY_PLAN = {
    Plan.AWAITED: "Nothing runs before the developer has approved a plan (planMode is on).",
    Plan.REJECTED: "The developer rejected the plan (planMode is on), so nothing runs: end here.",
}


class Gate:
    """See the module. ``plan`` is set by whoever puts the plan to the user."""

    def __init__(
        self, view: View | None, leave: Leave, user: Patient, *, supervise: bool, plan: Plan = Plan.NOT_NEEDED
    ) -> None:
        """``view`` knows which paths are kept from the model; None where there is no root, and no tool with paths.

        ``leave`` is what commands are asked about with, too, and ``user`` whom it asks.
        """
        self._view = view
        self.leave = leave
        self.user = user
        self._supervise = supervise
        self.plan = plan

    async def refusal(self, tool: Tool, arguments: Mapping[str, Any]) -> ToolResult | None:
        """Why a call may not run; None if it may. May ask the user. Never raises for what the model wrote."""
        told = _BY_PLAN.get(self.plan)
        if told is not None:
            return ToolResult(told, failed=True)
        try:
            for command in _named(tool, arguments, _COMMANDS, "command"):
                self.leave.forbid_text(command)
            paths = tuple(_named(tool, arguments, _PATHS, "path"))
            if paths and self._view is not None:
                await off_loop(_let_pass, self._view, paths)
            if self._supervise and not (tool.read_only or tool.asks):
                await self.leave.call(tool.name, arguments)
        except ToolRefusalError as error:
            return ToolResult(str(error), failed=True)
        return None


def _let_pass(view: View, paths: tuple[str, ...]) -> None:
    """Raises ToolRefusalError for a path that is kept from the model."""
    for path in paths:
        view.let_pass(path)


def _named(tool: Tool, arguments: Mapping[str, Any], names: frozenset[str], kind: str) -> Iterator[str]:
    """The texts among the arguments that are paths, or commands; in lists, too."""
    properties = cast("Mapping[str, Any]", tool.parameters.get("properties", {}))
    for name, value in arguments.items():
        schema: Any = properties.get(name)
        says = cast("Mapping[str, Any]", schema).get("format") if isinstance(schema, dict) else None
        if name.casefold() in names or says == kind:
            texts = cast("list[Any]", value) if isinstance(value, list) else [value]
            yield from (text for text in texts if isinstance(text, str) and text.strip())
