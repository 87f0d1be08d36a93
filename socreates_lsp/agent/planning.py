"""Plan mode: before anything runs the model says what it is going to do, and the user approves, changes or rejects it.

The plan is made in one call without tools, and the gate lets no call pass before it is approved. Only the user's
answer approves it: no answer is none.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.agent.gate import Plan
from socreates_lsp.agent.hearing import Heard
from socreates_lsp.agent.prompts import prompt
from socreates_lsp.model.types import Message, Role
from socreates_lsp.review.reviewer import Closed, Doing, Stop, Usage
from socreates_lsp.tools.command_line import visible

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from socreates_lsp.agent.points import Points
    from socreates_lsp.agent.talks import Talk, Talks
    from socreates_lsp.agent.targets import Task
    from socreates_lsp.agent.turn import Limits
    from socreates_lsp.prompting import Prompter
    from socreates_lsp.review.reviewer import Event

APPROVE, MODIFY, ANOTHER, REJECT = "Approve", "Modify", "Another plan", "Reject"

NOBODY = (
    "planMode is on, and nobody is here who could approve a plan, so nothing was done: turn it off, or start this "
    "where you can be asked."
)
REJECTED = "You rejected the plan, so nothing was done."
UNANSWERED = "Nobody approved the plan, so nothing was done."
NO_PLAN = "The model gave no plan that can be shown (planMode is on), so nothing was done."

_MOST_PLANS = 4
"""Plans of one turn: with the last one, the user can only approve or reject."""

_MOST_STEPS, _ROOM = 10, 800
"""Steps of a plan that are shown, and their characters together: no client shows a longer prompt as a whole."""

_NUMBER = re.compile(r"\s*(?:\d{1,2}[.):]|[-*])\s+")
_HOW = "How should the plan be changed?"


class Planning:
    """The plan of one turn. ``task`` is what is to be done in the end, with the plan that was approved."""

    def __init__(self, talks: Talks, prompter: Prompter, talk: Talk, task: Task, points: Points) -> None:
        """``points`` know what of a text of the model's may reach a reader."""
        self._talks = talks
        self._prompter = prompter
        self._talk = talk
        self.task = task
        self._points = points
        self.spent = Usage()
        self.closed: Closed | None = None
        """The end, where nothing is to be done."""

    async def events(self, limits: Limits) -> AsyncGenerator[Event, None]:
        """Put plans to the user until one is approved, or the turn has ended: the last event is then ``closed``.

        Raises ModelError.
        """
        async with aclosing(self._events(limits)) as events:
            async for event in events:
                yield event
        if self.closed is not None:
            yield self.closed

    async def _events(self, limits: Limits) -> AsyncGenerator[Event, None]:
        gate = self._talk.gate
        if gate.plan is not Plan.AWAITED:
            return
        if not self._prompter.present():
            self._end(Stop.CANCELLED, NOBODY)
            return
        wish = ""
        for number in range(1, _MOST_PLANS + 1):
            heard = Heard(speaks=False)
            async with aclosing(self._planned(wish, heard, limits)) as events:
                async for event in events:
                    yield event
            if heard.ending.stop is not Stop.ANSWERED:
                self._end(heard.ending.stop, heard.ending.reason)
                return
            steps = await self._steps(heard.ending.text)
            if not steps:
                self._end(Stop.CANCELLED, NO_PLAN)
                return
            yield Doing("waiting for your word on the plan")
            answer = await self._answer(steps, last=number == _MOST_PLANS)
            if answer == APPROVE:
                gate.plan = Plan.APPROVED
                self.task = _with_plan(self.task, steps)
                return
            if answer in {None, REJECT}:
                self._end(Stop.CANCELLED, UNANSWERED if answer is None else REJECTED)
                return
            wish = await self._wish(steps, answer)

    def left(self, limits: Limits) -> Limits:
        """What the limits leave after the plans."""
        return replace(limits, tokens=max(limits.tokens - self.spent.input_tokens - self.spent.output_tokens, 1))

    def _end(self, stop: Stop, summary: str) -> None:
        self._talk.gate.plan = Plan.REJECTED
        self.closed = Closed(stop, summary)

    async def _planned(self, wish: str, heard: Heard, limits: Limits) -> AsyncGenerator[Event, None]:
        """One call that gives a plan."""
        how = await asyncio.to_thread(prompt, "plan", self._talk.conversation.config)
        content = "\n\n".join(filter(None, (self.task.message.content, how.strip(), wish)))
        task = replace(self.task, message=Message(Role.USER, content), skipped=())
        talk = await self._talks.aside(self._talk)
        async with aclosing(self._talks.turn(talk, task, "plan", heard, replace(limits, steps=1))) as steps:
            async for told in steps:
                for event in told:
                    if isinstance(event, Usage):
                        self.spent += event
                    if isinstance(event, (Usage, Doing)):
                        yield event

    async def _steps(self, text: str) -> list[str]:
        """The steps of a plan as the user may see them: no code, nothing hidden, one line each."""
        said = (await self._points.grounder()).say(text)
        lines = [line for line in said.splitlines() if line.strip()]
        numbered = [line for line in lines if _NUMBER.match(line)] or lines
        steps = [visible(" ".join(_NUMBER.sub("", line, count=1).split())) for line in numbered]
        return _fitting([step for step in steps if step][:_MOST_STEPS])

    async def _answer(self, steps: list[str], *, last: bool) -> str | None:
        change = MODIFY if self._prompter.can_write() else ANOTHER
        question = "\n".join(["Socreates plans to do this, and nothing has run yet:", *steps])
        return await self._prompter.ask(question, (REJECT, APPROVE) if last else (REJECT, APPROVE, change))

    async def _wish(self, steps: list[str], answer: str | None) -> str:
        """What the next plan is to take up."""
        text = await self._prompter.write(_HOW) if answer == MODIFY else None
        wish = f"wants it changed: {text.strip()}" if text else "wants another one."
        plan = "\n".join(steps)
        return f"Your last plan was:\n{plan}\n\nThe developer {wish}\nWrite the plan anew."


def _fitting(steps: list[str]) -> list[str]:
    """The steps with their numbers, the long ones cut so that all can be shown."""
    longest = next((size for size in range(_ROOM, 0, -1) if sum(min(len(step), size) for step in steps) <= _ROOM), 0)
    cut = [step if len(step) <= longest else f"{step[: longest - 1]}…" for step in steps]
    return [f"{number}. {step}" for number, step in enumerate(cut, start=1)]


def _with_plan(task: Task, steps: list[str]) -> Task:
    """The task with the plan that was approved."""
    plan = "\n".join(steps)
    content = f"{task.message.content}\n\nThe developer approved this plan of yours; follow it:\n{plan}"
    return replace(task, message=Message(Role.USER, content))
