"""The tool ``run_command``: a command that the user allows, on a copy of the workspace that is thrown away."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

from socreates_lsp.tools import throwaway
from socreates_lsp.tools.arguments import checked
from socreates_lsp.tools.bounded import clipped
from socreates_lsp.tools.command_line import Command, approves, parsed, starts, visible
from socreates_lsp.tools.isolation import Isolation, isolation
from socreates_lsp.tools.refusal import ToolRefusalError, answered
from socreates_lsp.tools.running import Finished, finished
from socreates_lsp.tools.tool import ToolResult
from socreates_lsp.workspace.leash import off_loop
from socreates_lsp.workspace.reading import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from socreates_lsp.prompting import Prompter
    from socreates_lsp.settings.schema import PolicySettings
    from socreates_lsp.tools.view import View

    OnCommand = Callable[[str, str], None]

ONCE = "Run once"
SESSION = "Allow for this session"
DENY = "Deny"

NOT_ALLOWED = "The user did not allow this command: go on without it, and do not ask for it again."

MOST_PROMPTS = 5
"""Prompts of one toolbox, which is one turn: more would be pressed away unread."""

REMEMBERED = "allowed for this session"
APPROVED = "allowed by policy.autoApprove"
FORBIDDEN = "refused by policy.commandsDeny"
UNANSWERED = "no answer"
AGAIN = "denied before"
TOO_MANY = "too many to ask"
"""What ``on_command`` is told, besides the titles of the prompt."""


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

    def __init__(
        self,
        view: View,
        policy: PolicySettings,
        prompter: Prompter,
        on_command: OnCommand,
        granted: set[str],
        denied: set[str],
    ) -> None:
        """``granted`` are the commands that the user allowed for the session, ``denied`` those that he did not.

        Both are added to.
        """
        self._view = view
        self._policy = policy
        self._prompter = prompter
        self._on_command = on_command
        self._granted = granted
        self._denied = denied
        self._unanswered: set[str] = set()
        self._prompts = 0
        self._one_prompt = asyncio.Lock()

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        """See ``Tool``."""
        return await answered(self._answer(arguments, limit), limit)

    async def _answer(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        command = parsed(checked(self.name, arguments, self.parameters)["command"])
        isolated = isolation(self._policy.sandbox)
        self._refuse(command)
        await off_loop(throwaway.to_copy, self._view)
        await self._ask(command, isolated)
        ran = await off_loop(self._ran, command, isolated)
        return _result(ran, self._policy.command_seconds, limit)

    def _refuse(self, command: Command) -> None:
        """Raises ToolRefusalError for a command that may not even be asked about."""
        forbidden = starts(command, self._policy.commands_deny)
        if forbidden is not None:
            self._on_command(command.text, FORBIDDEN)
            raise ToolRefusalError(f"`{forbidden}` is never run, by policy.commandsDeny: go on without it.")
        for root in (self._view.paths.root, self._view.paths.real_root):
            if len(root) > 1 and root in command.text:
                raise ToolRefusalError(
                    "The command names the workspace by its full path, and it runs in a copy: use relative paths."
                )

    async def _ask(self, command: Command, isolated: Isolation) -> None:
        """Raises ToolRefusalError unless the user allows the command, or has allowed it."""
        always = starts(command, self._policy.commands_ask) is not None
        async with self._one_prompt:
            if not always and command.text in self._granted:
                self._on_command(command.text, REMEMBERED)
                return
            if not always and approves(command, self._policy.auto_approve):
                self._on_command(command.text, APPROVED)
                return
            if command.same in self._denied | self._unanswered:
                self._on_command(command.text, AGAIN)
                raise ToolRefusalError(NOT_ALLOWED)
            if self._prompts >= MOST_PROMPTS:
                self._on_command(command.text, TOO_MANY)
                raise ToolRefusalError(
                    f"Too many commands were asked about, {MOST_PROMPTS} in one turn: go on without running any other."
                )
            self._prompts += 1
            # A command of commandsAsk is asked about each time, so no leave for it is remembered.
            choices = (ONCE, DENY) if always else (ONCE, SESSION, DENY)
            answer = await self._prompter.ask(_question(command, isolated), choices)
            self._on_command(command.text, answer or UNANSWERED)
            if answer not in choices or answer == DENY:
                # Nobody there is no answer for the session, but a turn does not wait for it twice.
                (self._denied if answer == DENY else self._unanswered).add(command.same)
                raise ToolRefusalError(NOT_ALLOWED)
            if answer == SESSION:
                self._granted.add(command.text)

    def _ran(self, command: Command, isolated: Isolation) -> _Ran:
        with throwaway.copied(self._view) as copy:
            environment = throwaway.environment(copy, self._view.paths.root)
            argv = isolated.wrapped(command.argv, copy.folder)
            try:
                done = finished(argv, copy.folder, environment, self._policy.command_seconds)
            except (OSError, ValueError) as error:
                raise ToolRefusalError(_not_started(command, error)) from error
            return _Ran(done, copy.notes)


def _question(command: Command, isolated: Isolation) -> str:
    """The prompt. The command comes last, so that none of its words can pass for ours."""
    how = "in a shell (/bin/sh -c)" if command.in_shell else "without a shell"
    return (
        f"Socreates wants to run a command {how}, on a temporary copy of the workspace. {isolated.told}\n"
        f"{visible(command.text)}"
    )


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
