"""Leave to do more than read: what the settings say of a command, and what the user answers to a prompt.

One for each turn of the user's, shared by every turn that it delegates to: so many prompts, and no more, whoever
among them asks. Only ``policy.autoApprove`` and the user's answer give leave; ``policy.commandsDeny`` comes before
both, and ``policy.commandsAsk`` before the first.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from socreates_lsp.tools.command_line import approves, is_clear, parsed, starts, visible
from socreates_lsp.tools.refusal import ToolRefusalError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from socreates_lsp.prompting import Prompter
    from socreates_lsp.settings.schema import PolicySettings
    from socreates_lsp.tools.command_line import Command

    OnCommand = Callable[[str, str], None]

ONCE = "Run once"
SESSION = "Allow for this session"
DENY = "Deny"

NOT_ALLOWED = "The user did not allow this command: go on without it, and do not ask for it again."
NOT_ALLOWED_TOOL = "The user did not allow this call (supervise is on): go on without it, and do not ask for it again."

MOST_PROMPTS = 5
"""Prompts of one turn: more would be pressed away unread."""

REMEMBERED = "allowed for this session"
APPROVED = "allowed by policy.autoApprove"
FORBIDDEN = "refused by policy.commandsDeny"
UNANSWERED = "no answer"
AGAIN = "denied before"
TOO_MANY = "too many to ask"
"""What ``on_command`` is told, besides the titles of the prompt."""

_LONGEST_SHOWN = 600
"""Characters of a call's arguments in a prompt; a longer call is refused, as it can't be shown."""


class Leave:
    """See the module."""

    def __init__(
        self,
        policy: PolicySettings,
        prompter: Prompter,
        on_command: OnCommand,
        granted: set[str] | None = None,
        denied: set[str] | None = None,
    ) -> None:
        """``on_command`` is told each command that was asked for, and the answer: a title of the prompt, or one of
        the words above. ``granted`` is what the user allowed for the session, ``denied`` what he did not; both are
        added to: give the same sets again to whatever takes the place of this."""
        self._policy = policy
        self._prompter = prompter
        self._on_command = on_command
        self._granted = set[str]() if granted is None else granted
        self._denied = set[str]() if denied is None else denied
        self._unanswered: set[str] = set()
        self._prompts = 0
        self._one_prompt = asyncio.Lock()

    def forbid(self, command: Command) -> None:
        """Raises ToolRefusalError for a command that may not even be asked about."""
        forbidden = starts(command, self._policy.commands_deny)
        if forbidden is not None:
            self._on_command(command.text, FORBIDDEN)
            raise ToolRefusalError(f"`{forbidden}` is never run, by policy.commandsDeny: go on without it.")

    def forbid_text(self, text: str) -> None:
        """As ``forbid``, for an argument of any tool that is a command. Raises ToolRefusalError for one that is none,
        too."""
        self.forbid(parsed(text))

    async def command(self, command: Command, told: str) -> None:
        """Raises ToolRefusalError unless the user allows the command, or has allowed it. ``told`` says in the prompt
        what it can do."""
        self.forbid(command)
        policy = self._policy
        listed = (*policy.commands_deny, *policy.commands_ask)
        always = starts(command, policy.commands_ask) is not None or not is_clear(command, listed)
        async with self._one_prompt:
            if not always and command.text in self._granted:
                self._on_command(command.text, REMEMBERED)
                return
            if not always and approves(command, self._policy.auto_approve):
                self._on_command(command.text, APPROVED)
                return
            # A command of commandsAsk is asked about each time, so no leave for it is remembered. Nor for one that
            # can't be read: what it does may be another thing the next time.
            choices = (DENY, ONCE) if always else (DENY, ONCE, SESSION)
            answer = await self._ask(command.same, command.text, _question(command, told), choices, NOT_ALLOWED)
            if answer == SESSION:
                self._granted.add(command.text)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> None:
        """The same for a call of a tool that does more than read and is no command: leave is for this call alone."""
        given = json.dumps(arguments, sort_keys=True, ensure_ascii=False)
        text = f"{name} {given}"
        key = f"\0{text}"  # no command holds NUL
        async with self._one_prompt:
            if key in self._granted:
                self._on_command(text, REMEMBERED)
                return
            shown = visible(given)
            if len(shown) > _LONGEST_SHOWN:
                raise ToolRefusalError(
                    f"The call of {name} is too long to be shown to the user, who has to allow it (supervise is on): "
                    "make its arguments shorter."
                )
            question = f"Socreates wants to use the tool {name}, which may do more than read:\n{shown}"
            if await self._ask(key, text, question, (DENY, ONCE, SESSION), NOT_ALLOWED_TOOL) == SESSION:
                self._granted.add(key)

    async def _ask(self, key: str, text: str, question: str, choices: tuple[str, ...], refusal: str) -> str:
        """The user's leave, a title other than no. Raises ToolRefusalError."""
        if key in self._denied | self._unanswered:
            self._on_command(text, AGAIN)
            raise ToolRefusalError(refusal)
        if self._prompts >= MOST_PROMPTS:
            self._on_command(text, TOO_MANY)
            raise ToolRefusalError(
                f"Too many commands were asked about, {MOST_PROMPTS} in one turn: go on without running any other."
            )
        self._prompts += 1
        answer = await self._prompter.ask(question, choices)
        self._on_command(text, answer or UNANSWERED)
        if answer not in choices or answer == DENY:
            # Nobody there is no answer for the session, but a turn does not wait for it twice.
            (self._denied if answer == DENY else self._unanswered).add(key)
            raise ToolRefusalError(refusal)
        return answer


def _question(command: Command, told: str) -> str:
    how = "in a shell (/bin/sh -c)" if command.in_shell else "without a shell"
    return (
        f"Socreates wants to run this command {how}, on a temporary copy of the workspace. {told}\n"
        f"{visible(command.text)}"
    )
