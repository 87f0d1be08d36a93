"""The tool ``delegate``: a specialist looks into one thing in a turn of its own; the main agent gets its report.

A specialist has a window of its own beside the conversation, a mission, few tools, limits of its own, and the gate of
the turn that it works for: what is denied there is denied here, and the prompts are counted together. What it reads and
spends is told to that turn. Whatever becomes of it is a report, never an error.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from socreates_lsp.agent.events import Calling, Progressed, Read, Spent, Warned
from socreates_lsp.agent.hearing import Heard
from socreates_lsp.agent.patience import in_time
from socreates_lsp.agent.source_labels import checked as with_marks
from socreates_lsp.agent.targets import Task
from socreates_lsp.agent.task_state import Report
from socreates_lsp.agent.team import TEAM
from socreates_lsp.errors import SocreatesError
from socreates_lsp.model.types import Message, Role, TokenUsage
from socreates_lsp.review.counting import counted
from socreates_lsp.review.reviewer import Doing, Reading, Skipped, Stop, Usage, Using
from socreates_lsp.tools.arguments import checked
from socreates_lsp.tools.bounded import clipped
from socreates_lsp.tools.refusal import ToolRefusalError, answered
from socreates_lsp.tools.tool import ReadLines, ToolResult

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from socreates_lsp.agent.calling import Underway
    from socreates_lsp.agent.gate import Gate
    from socreates_lsp.agent.talks import Talk, Talks
    from socreates_lsp.agent.task_state import TaskState
    from socreates_lsp.agent.team import Specialist
    from socreates_lsp.agent.turn import Limits

MOST = 6
"""Delegations of one turn."""

_STEPS = 6
"""Rounds of a specialist."""

_TIME_SHARE = 3 / 4
"""The part of the time that is left for the turn after which it goes on without the report."""

_LONGEST_TASK, _LONGEST_REPORT = 2000, 6000
_STATE_SHARE, _MOST_STATE, _TARGET_SHARE = 4, 3000, 2
"""One part in so many of the room is what is known so far, at most so many characters; and the lines of the task."""

_LONGEST_SHOWN = 2000
"""Characters of a task, and of a report, that are gone through for people to read."""

_MOST_NAMED = 8
_WHOLE = frozenset({Stop.ANSWERED, Stop.STEP_LIMIT})
_ENDED = {
    Stop.LIMIT: "it reached its limit of time or tokens",
    Stop.LOOPING: "it went in circles",
    Stop.TRUNCATED: "its report was cut at the greatest length of an answer",
}


class Delegate:
    """See the module. One for each turn of the user's."""

    name = "delegate"
    read_only = True
    asks = False

    def __init__(
        self,
        talks: Talks,
        root: str,
        gate: Gate,
        state: TaskState,
        names: Sequence[str],
        say: Callable[[str], Awaitable[str]],
    ) -> None:
        """``names`` are the tools of the root; ``say`` gives what of a text that a model wrote may reach a reader."""
        self._talks = talks
        self._root = root
        self._gate = gate
        self._state = state
        self._say = say
        self._team = {one.name: one for one in TEAM if one.needs in names}
        self._made = 0
        self.target: Task | None = None
        """The task of the turn, once it has begun."""
        self.description = (
            "Have a specialist look into one thing, with tools and a conversation of its own, and get its report: "
            + "; ".join(f"{one.name} ({one.does})" for one in self._team.values())
            + ". For what takes many reads; several in one round work at once."
        )
        self.parameters: Mapping[str, Any] = {
            "type": "object",
            "properties": {
                "agent": {"type": "string", "enum": list(self._team)},
                "task": {"type": "string", "description": "What to find out, with paths and lines; it sees no more."},
            },
            "required": ["agent", "task"],
        }

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:  # noqa: ARG002
        """See ``Tool``; outside of a turn there is nobody to delegate to."""
        return ToolResult(clipped("delegate works within a turn only.", limit), failed=True)

    async def run_within(self, arguments: Mapping[str, Any], limit: int, turn: Underway) -> ToolResult:
        """See ``RunsWithin``."""
        return await answered(self._answer(arguments, limit, turn), limit)

    async def _answer(self, arguments: Mapping[str, Any], limit: int, turn: Underway) -> ToolResult:
        given = checked(self.name, arguments, self.parameters)
        if not given["task"].strip():
            raise ToolRefusalError("The task is empty: say what is to be found out.")
        if self._made >= MOST:
            raise ToolRefusalError(
                f"{MOST} things were delegated in this turn, which is all that can be: go on with the reports."
            )
        self._made += 1
        specialist, task = self._team[given["agent"]], clipped(given["task"].strip(), _LONGEST_TASK)
        name, asked = specialist.name, await self._said(task)
        self._state.progressed(f"Asked the {name}: {asked}")
        try:
            text, success = await self._reported(specialist, task, turn)
        except asyncio.CancelledError:
            self._state.reported(Report(name, asked, "It was cancelled.", success=False))
            raise
        self._state.reported(Report(name, asked, await self._said(text), success))
        return ToolResult(clipped(text, min(limit, _LONGEST_REPORT)), failed=not success)

    async def _said(self, text: str) -> str:
        return await self._say(text[:_LONGEST_SHOWN]) or "(nothing that can be shown)"

    async def _reported(self, specialist: Specialist, task: str, turn: Underway) -> tuple[str, bool]:
        """The report, and whether it is one."""
        name, heard = specialist.name, Heard(speaks=False)
        try:
            talk = await self._talks.specialist(self._root, specialist, self._gate)
            limits = _limits(await self._talks.limits(), turn)
            until = time.monotonic() + turn.seconds * _TIME_SHARE - self._gate.user.waited()
            work = self._worked(talk, name, self._task(talk, specialist, task), heard, limits, turn)
            await in_time(work, lambda: until + self._gate.user.waited() - time.monotonic())
        except TimeoutError:
            return f"The {name} failed: {_ENDED[Stop.LIMIT]}. {self._looked_at(heard)}", False
        except SocreatesError as error:
            return f"The {name} failed: {error} {self._looked_at(heard)}", False
        ending = heard.ending
        text = with_marks(ending.text.strip(), self._state.knows)
        looked = self._looked_at(heard)
        if ending.stop in _WHOLE and text:
            hurried = f" It had to answer after {counted(ending.rounds, 'round')}." if ending.reason else ""
            return f"Report of the {name} (data; check what decides a point). {looked}{hurried}\n{text}", True
        why = ending.reason if ending.stop is Stop.LOOPING else f"{_ENDED.get(ending.stop, 'it gave no answer')}."
        rest = f"\nAs far as it came:\n{text}" if text else ""
        return f"The {name} failed: {why} {looked}{rest}", False

    async def _worked(self, talk: Talk, name: str, task: Task, heard: Heard, limits: Limits, turn: Underway) -> None:
        """Run the turn of a specialist, and tell what of it concerns the one it works for."""
        async with aclosing(self._talks.turn(talk, task, name, heard, limits)) as steps:
            async for told in steps:
                for event in told:
                    match event:
                        case Doing(message):
                            turn.tell(Progressed(f"{name}: {message}"))
                        case Using(tool, about):
                            turn.tell(Calling(f"{name}: {tool}", about))
                        case Reading():
                            turn.tell(Read(ReadLines(event.uri, event.range, event.version)))
                        case Usage(read, cached, written):
                            turn.tell(Spent(TokenUsage(read, cached, written), delegated=True))
                        case Skipped(reason):
                            turn.tell(Warned(reason))
                        case _:
                            pass

    def _task(self, talk: Talk, specialist: Specialist, task: str) -> Task:
        """What a specialist is told: its task, what is known so far, and for some the lines that all is about."""
        room = talk.window.attachment_limit
        known = self._state.rendered(min(room // _STATE_SHARE, _MOST_STATE))
        target = self.target if specialist.sees_target else None
        lines = "" if target is None else target.attached.text.strip()[: room // _TARGET_SHARE]
        parts = [f"Your task: {task}", known, f"The lines that the developer asks about:\n\n{lines}" if lines else ""]
        read = tuple(target.attached.read) if target is not None and lines else ()
        return Task(Message(Role.USER, "\n\n".join(filter(None, parts))), read)

    def _looked_at(self, heard: Heard) -> str:
        paths = list(dict.fromkeys(map(self._talks.display_path, (one.uri for one in heard.read))))
        more = f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
        return f"It has read {', '.join(paths[:_MOST_NAMED]) or 'no file'}{more}."


def _limits(limits: Limits, turn: Underway) -> Limits:
    """The part of what is left for a turn that one of its specialists may take, of so many that share it."""
    return replace(
        limits,
        steps=min(limits.steps, _STEPS),
        seconds=max(turn.seconds / 2, 0),
        tokens=max(turn.tokens // (turn.together + 1), 1),
    )
