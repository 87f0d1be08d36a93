"""The tool ``run_command``: a command that the user allows, on a copy of the workspace that is thrown away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from socreates_lsp.tools import throwaway
from socreates_lsp.tools.arguments import checked
from socreates_lsp.tools.bounded import clipped
from socreates_lsp.tools.command_line import Command, parsed
from socreates_lsp.tools.isolation import Isolation, isolation
from socreates_lsp.tools.refusal import ToolRefusalError, answered
from socreates_lsp.tools.running import Finished, finished
from socreates_lsp.tools.tool import ToolResult
from socreates_lsp.workspace.leash import off_loop
from socreates_lsp.workspace.reading import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.settings.schema import PolicySettings
    from socreates_lsp.tools.leave import Leave
    from socreates_lsp.tools.view import View


class _Ran(NamedTuple):
    finished: Finished
    notes: tuple[str, ...]


class RunCommand:
    """See the module."""

    name = "run_command"
    description = (
        "Run a command, such as the tests, if the user allows it. It works on a temporary copy of the workspace, "
        "without .git and ignored files; nothing is kept. No input, no pager."
    )
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {"command": {"type": "string", "description": "Program and arguments, as for a POSIX shell."}},
        "required": ["command"],
    }

    read_only = False
    asks = True

    def __init__(self, view: View, policy: PolicySettings, leave: Leave) -> None:
        """``leave`` is asked before anything runs."""
        self._view = view
        self._policy = policy
        self._leave = leave

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        """See ``Tool``."""
        return await answered(self._answer(arguments, limit), limit)

    async def _answer(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        command = parsed(checked(self.name, arguments, self.parameters)["command"])
        isolated = isolation(self._policy.sandbox)
        self._leave.forbid(command)
        self._refuse(command)
        await off_loop(throwaway.to_copy, self._view)
        await self._leave.command(command, isolated.told)
        ran = await off_loop(self._ran, command, isolated)
        return _result(ran, self._policy.command_seconds, limit)

    def _refuse(self, command: Command) -> None:
        """Raises ToolRefusalError for a command that would leave the copy."""
        for root in (self._view.paths.root, self._view.paths.real_root):
            if len(root) > 1 and root in command.text:
                raise ToolRefusalError(
                    "The command names the workspace by its full path, and it runs in a copy: use relative paths."
                )

    def _ran(self, command: Command, isolated: Isolation) -> _Ran:
        with throwaway.copied(self._view) as copy:
            environment = throwaway.environment(copy, self._view.paths.root)
            argv = isolated.wrapped(command.argv, copy.folder)
            try:
                done = finished(argv, copy.folder, environment, self._policy.command_seconds)
            except (OSError, ValueError) as error:
                raise ToolRefusalError(_not_started(command, error)) from error
            return _Ran(done, copy.notes)


def _not_started(command: Command, error: OSError | ValueError) -> str:
    program = shown(command.argv[0])
    if isinstance(error, FileNotFoundError):
        return (
            f"There is no program {program} on PATH: take another one, or name one of the workspace by its path, such "
            "as ./run.sh."
        )
    if isinstance(error, PermissionError):
        return f"{program} may not be executed: start it by its interpreter, such as sh or python3."
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"{program} could not be started ({reason}): take another command."


def _result(ran: _Ran, seconds: float, limit: int) -> ToolResult:
    head = ran.finished.outcome(seconds)
    notes = "".join(f"\n[{note}]" for note in ran.notes)
    if len(notes) > limit // 4:
        notes = ""
    output = ran.finished.output.text(max(limit - len(head) - len(notes) - 1, 0)) or "[no output]"
    return ToolResult(clipped(f"{head}\n{output}{notes}", limit), failed=ran.finished.code is None)
