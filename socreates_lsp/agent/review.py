"""One review by a model: in one look whose answer streams to the reader, or in two of which the reader sees the second.

Of two looks the first ends in a wide list of candidates. The second, a request of its own beside the conversation,
tries to refute each of them and writes those that it chooses.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.agent.candidates import Candidates, most_points
from socreates_lsp.agent.events import Finished
from socreates_lsp.agent.hearing import Heard
from socreates_lsp.agent.leads import Lead, Leads
from socreates_lsp.agent.looked import Looked, key_of
from socreates_lsp.agent.points import Points, Shown
from socreates_lsp.agent.prompts import prompt
from socreates_lsp.agent.sentences import NOTHING_LEFT, summary_of_answer, together, unverified
from socreates_lsp.agent.targets import First
from socreates_lsp.errors import SocreatesError
from socreates_lsp.review.counting import counted
from socreates_lsp.review.outcome import Examined, Preview
from socreates_lsp.review.question_labels import Labels
from socreates_lsp.review.reviewer import UNREAD, Closed, Doing, Scope, Stage, Stop, Withdrawn

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import AsyncGenerator, Callable

    from socreates_lsp.agent.answered import Answered
    from socreates_lsp.agent.gate import Gate
    from socreates_lsp.agent.talks import Talk, Talks
    from socreates_lsp.agent.targets import Targets, Task
    from socreates_lsp.agent.turn import Limits
    from socreates_lsp.review.reviewer import Event, Found, ReviewRequest
    from socreates_lsp.settings import Settings
    from socreates_lsp.workspace.text import Range
    from socreates_lsp.workspace.workspace import Workspace

_WIDER = 6
"""Candidates that the first look may write beyond as many as fit the target."""

_SECOND_STEPS = 3
"""Rounds that are kept for the second look, of a small ``review.maxSteps`` at most a third."""

_NO_REASON = "The model gave no reason in words."


class Review:
    """A review on its way."""

    def __init__(
        self,
        talks: Talks,
        targets: Targets,
        workspace: Workspace,
        settings: Settings,
        request: ReviewRequest,
        grounding: Counter[str],
    ) -> None:
        """``grounding`` counts how the findings that are shown were grounded."""
        self._talks = talks
        self._targets = targets
        self._workspace = workspace
        self._settings = settings
        self._request = request
        self._grounding = grounding
        self._looked: Looked | None = None
        self._leads = Leads(Lead.of(one, workspace.display_path(one.uri)) for one in request.leads)
        self._shown = Shown(request.most_sent, request.min_confidence, self._leads)

    async def events(self) -> AsyncGenerator[Event, None]:
        """See ``Reviewer.review``. Raises TargetError, ReviewError or ModelError."""
        request = self._request
        points = Points.about(
            self._workspace,
            request.root,
            request.uri,
            suppress=request.suppress,
            may_be_read=self._targets.may_be_read,
            labels=lambda: Labels(self._targets.questions),
        )
        try:
            limits = await self._talks.limits()
            looks = self._twice(points, limits) if self._in_two else self._once(points, limits)
            async with aclosing(looks) as events:
                async for event in events:
                    yield event
        finally:
            points.close()

    @property
    def _in_two(self) -> bool:
        """Whether there are two looks: one request has no room for both."""
        return self._settings.review.verify and self._settings.review.max_steps > 1

    async def preview(self) -> Preview:
        """What the first request would send. The server may be asked about the model."""
        talk = await self._talks.open(self._request.root, None)
        task = await (self._task(talk, self._wide, "wide") if self._in_two else self._task(talk, self._most, "single"))
        spans: dict[str, list[Range]] = {}
        for lines in task.read:
            spans.setdefault(lines.uri, []).append(lines.range)
        files = tuple(Examined(uri, tuple(ranges), 0) for uri, ranges in spans.items())
        model = self._talks.model
        return Preview(model.endpoint, model.name, files, talk.window.estimated([task.message]))

    # One look

    async def _once(self, points: Points, limits: Limits) -> AsyncGenerator[Event, None]:
        talk = await self._talks.open(self._request.root, points)
        task = await self._task(talk, self._most, "single")
        heard = Heard(speaks=False)
        if self._is_done(task):
            yield Closed(Stop.ANSWERED, NOTHING_LEFT)
            return
        planning = self._talks.planning(talk, task, points)
        async with aclosing(planning.events(limits)) as events:
            async for event in events:
                yield event
        if planning.closed is not None:
            return
        limits = planning.left(limits)
        async with aclosing(self._streamed(talk, planning.task, "review", heard, limits, points)) as events:
            async for event in events:
                yield event
        answered = await self._whole(points, heard)
        for event in (*await self._dropped(points, heard), *self._shown.new(answered)):
            yield event
        yield await self._closed(talk, answered, heard, Candidates(self._shown.left_out))

    async def _streamed(
        self, talk: Talk, task: Task, kind: str, heard: Heard, limits: Limits, points: Points
    ) -> AsyncGenerator[Event, None]:
        """The events of a turn, with its points as soon as each is complete."""
        async with aclosing(self._talks.turn(talk, task, kind, heard, limits)) as steps:
            async for told in steps:
                for event in told:
                    yield event
                points.given(lines.uri for lines in heard.read)
                if heard.has_more():
                    await points.heard(self._leads.without_marks(heard.answer), (lines.uri for lines in heard.read))
                for found in self._shown.new(points.answered):
                    yield found

    # Two looks

    async def _twice(self, points: Points, limits: Limits) -> AsyncGenerator[Event, None]:
        first = replace(limits, steps=limits.steps - min(_SECOND_STEPS, max(limits.steps // 3, 1)))
        talk = await self._talks.open(self._request.root, points)
        task = await self._task(talk, self._wide, "wide")
        if self._is_done(task):
            yield Closed(Stop.ANSWERED, NOTHING_LEFT)
            return
        heard = Heard(speaks=False)
        yield Stage("review")
        planning = self._talks.planning(talk, task, points)
        async with aclosing(planning.events(limits)) as events:
            async for event in events:
                yield event
        if planning.closed is not None:
            return
        limits, first, began = planning.left(limits), planning.left(first), time.monotonic()
        failed: SocreatesError | None = None
        try:
            async with aclosing(self._talks.turn(talk, planning.task, "review", heard, first)) as steps:
                async for told in steps:
                    points.given(lines.uri for lines in heard.read)
                    for event in told:
                        yield event
        except SocreatesError as error:
            failed = error
            heard.finished = Finished(Stop.FAILED, heard.answer, heard.rounds, self._talks.model.name, str(error))
        answered = await self._whole(points, heard)
        if failed is not None and not answered.found:
            raise failed
        for event in await self._dropped(points, heard):
            yield event
        candidates = Candidates(tuple(answered.found), tuple(answered.ungrounded))
        if not candidates or heard.ending.stop in {Stop.LIMIT, Stop.LOOPING, Stop.FAILED}:
            for found in self._unverified(candidates, self._most(task.lines), heard):
                yield found
            yield await self._closed(talk, answered, heard, candidates.refuted(self._shown.findings))
            return
        left = replace(
            limits,
            steps=limits.steps - heard.ending.rounds,
            seconds=limits.seconds - (time.monotonic() - began - heard.ending.waited),
            tokens=max(limits.tokens - heard.usage.input_tokens - heard.usage.output_tokens, 1),
        )
        second = points.again()
        try:
            async with aclosing(self._second(second, talk.gate, task, candidates, heard, left)) as events:
                async for event in events:
                    yield event
        finally:
            second.close()

    async def _second(
        self, points: Points, gate: Gate, task: Task, candidates: Candidates, before: Heard, limits: Limits
    ) -> AsyncGenerator[Event, None]:
        """The skeptic's look at the candidates: what it writes is what the reader gets.

        If it fails, the best candidates are shown as they are, marked; raises its error if there is none of them.
        """
        yield Stage("verify")
        yield Doing(f"checking {counted(len(candidates), 'candidate')}")
        heard = Heard(speaks=False, read=[*before.read])
        failed: SocreatesError | None = None
        talk = await self._talks.open(self._request.root, points, alone=True, gate=gate)
        try:
            task = await self._second_task(talk, First(task, candidates, before.read))
            async with aclosing(self._streamed(talk, task, "verify", heard, limits, points)) as events:
                async for event in events:
                    yield event
        except SocreatesError as error:
            failed = error
            heard.finished = Finished(Stop.FAILED, heard.answer, heard.rounds, self._talks.model.name, str(error))
        answered = await self._whole(points, heard)
        for event in (*await self._dropped(points, heard), *self._shown.new(answered)):
            yield event
        left = candidates.refuted(self._shown.findings)
        if not _is_whole(heard.ending):
            most = self._most(task.lines) - len(self._shown.findings)
            for found in self._unverified(left, most, heard):
                yield found
        if failed is not None and not self._shown.findings:
            raise failed
        left = candidates.refuted(self._shown.findings)
        heard.finished = together(before.ending, heard.ending)
        yield await self._closed(talk, answered, heard, left, refuted=len(left))

    def _unverified(self, candidates: Candidates, most: int, heard: Heard) -> list[Found]:
        """The best candidates that had no second look, which the summary then says."""
        shown = list(self._shown.more(candidates.best_unverified(most)))
        if shown:
            said = f"{heard.ending.reason} {unverified(len(shown))}".strip()
            heard.finished = replace(heard.ending, reason=said)
        return shown

    async def _second_task(self, talk: Talk, first: First) -> Task:
        how = self._prompt("skeptic", talk, self._most(first.task.lines))
        room = talk.window.attachment_limit
        return await asyncio.to_thread(self._targets.second, first, self._request, how, self._leads, room)

    # What both have in common

    async def _task(self, talk: Talk, most: Callable[[int], int], name: str) -> Task:
        request = self._request
        looked = talk.conversation.looked.get(key_of(request))
        if request.ask == UNREAD and looked is None:
            request = self._request = replace(request, ask=None)
        self._looked = looked if request.ask == UNREAD or request.scope is Scope.CHANGES else None
        return await asyncio.to_thread(
            self._targets.review,
            request,
            talk.window.attachment_limit,
            talk.recent,
            how=lambda lines: self._prompt(name, talk, most(lines)),
            leads=self._leads,
            looked=self._looked,
        )

    def _is_done(self, task: Task) -> bool:
        """Whether nothing of the target is left that earlier reviews have not read or left out."""
        looked = self._looked
        return self._request.ask == UNREAD and not task.attached.text and (looked is None or not looked.left)

    def _prompt(self, name: str, talk: Talk, most: int) -> str:
        return prompt(name, talk.conversation.config).replace("{most}", str(most))

    def _most(self, lines: int) -> int:
        """How many points are asked for."""
        return most_points(lines, self._request.max_findings)

    def _wide(self, lines: int) -> int:
        """How many candidates the first look may write."""
        return self._most(lines) + _WIDER

    async def _whole(self, points: Points, heard: Heard) -> Answered:
        """What the whole answer of a turn came to."""
        text = self._leads.without_marks(heard.ending.text)
        return await points.finished(text, (lines.uri for lines in heard.read))

    async def _dropped(self, points: Points, heard: Heard) -> list[Withdrawn]:
        """The leads that an answer drops, each withdrawn with the model's reason."""
        dropped = self._leads.dropped(heard.ending.text)
        if not dropped:
            return []
        grounder = await points.grounder()
        return [Withdrawn(finding.id, grounder.say(reason) or _NO_REASON) for finding, reason in dropped]

    async def _closed(
        self, talk: Talk, answered: Answered, heard: Heard, left: Candidates, *, refuted: int = 0
    ) -> Closed:
        """The end, in words and figures; what was read and left out is remembered for the next review."""
        self._grounding.update(answered.grounding)
        shown = [*self._shown.findings, *self._leads.besides(self._shown.findings)]
        looked = self._looked or Looked()
        looked.left = left
        unread = await asyncio.to_thread(self._targets.record, self._request, looked, heard.read)
        talk.conversation.looked[key_of(self._request)] = looked
        return Closed(
            heard.ending.stop,
            summary_of_answer(answered, shown, heard.ending, heard.read, unread, general=self._shown.too_general),
            rounds=heard.ending.rounds,
            suppressed=len(answered.suppressed),
            capped=len(self._shown.left_out) + self._shown.too_general,
            ungrounded=len(answered.ungrounded),
            withheld=answered.withheld,
            refuted=refuted,
            unread=unread,
            left=len(left),
        )


def _is_whole(ending: Finished) -> bool:
    """Whether an answer was given in full; one that had to be given after the last round with tools counts."""
    return ending.stop in {Stop.ANSWERED, Stop.STEP_LIMIT} and bool(ending.text.strip())
