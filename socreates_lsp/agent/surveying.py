"""A survey by a model: it is told what was read off the files, delegates, and writes; its report is checked."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.agent.hearing import Heard
from socreates_lsp.agent.points import Points, Shown
from socreates_lsp.agent.prompts import prompt
from socreates_lsp.agent.speaking import Voice
from socreates_lsp.agent.survey_check import Known, check
from socreates_lsp.agent.targets import Task
from socreates_lsp.agent.task import SURVEYED
from socreates_lsp.errors import SocreatesError
from socreates_lsp.model.types import Message, Role
from socreates_lsp.review.counting import counted
from socreates_lsp.review.question_labels import Labels
from socreates_lsp.review.reviewer import Closed
from socreates_lsp.survey.markdown import words
from socreates_lsp.survey.report import told_to_model
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import AsyncGenerator

    from socreates_lsp.agent.talks import Talk, Talks
    from socreates_lsp.agent.targets import Targets
    from socreates_lsp.review.outcome import Ground
    from socreates_lsp.review.reviewer import Event
    from socreates_lsp.survey.facts import Facts
    from socreates_lsp.survey.report import Report
    from socreates_lsp.workspace.workspace import Workspace

_MOST_TOLD = 12_000
"""Characters of what was read off the files that a task brings along."""
_MOST_FINDINGS = 3
_LONGEST_FOCUS = 500


class Surveying:
    """One survey. ``sources`` is what its claims rest on, once it has ended."""

    def __init__(
        self, talks: Talks, targets: Targets, workspace: Workspace, root: str, grounding: Counter[str]
    ) -> None:
        """``grounding`` counts how the findings that are shown were grounded."""
        self._talks = talks
        self._targets = targets
        self._workspace = workspace
        self._root = root
        self._grounding = grounding
        self.sources: tuple[Ground, ...] = ()

    async def events(self, facts: Facts, report: Report, focus: str | None) -> AsyncGenerator[Event, None]:
        """Everything that happens; the report is the summary of the last event. Raises ReviewError or ModelError."""
        self.sources = tuple(report.sources())
        points = Points.about(
            self._workspace,
            self._root,
            None,
            suppress=True,
            may_be_read=self._targets.may_be_read,
            labels=lambda: Labels(self._targets.questions),
        )
        try:
            async with aclosing(self._events(points, facts, report, focus)) as events:
                async for event in events:
                    yield event
        finally:
            points.close()

    async def _events(
        self, points: Points, facts: Facts, report: Report, focus: str | None
    ) -> AsyncGenerator[Event, None]:
        talk = await self._talks.open(self._root, points)
        task = await asyncio.to_thread(self._task, talk, report, focus)
        limits = await self._talks.limits()
        planning = self._talks.planning(talk, task, points)
        async with aclosing(planning.events(limits)) as events:
            async for event in events:
                yield _without_plan(event, report) if isinstance(event, Closed) else event
        if planning.closed is not None:
            return
        heard, shown = Heard(speaks=False), Shown(_MOST_FINDINGS, 0.0)
        async with aclosing(self._talks.turn(talk, planning.task, "survey", heard, planning.left(limits))) as steps:
            async for told in steps:
                for event in told:
                    yield event
                points.given(lines.uri for lines in heard.read)
                for found in shown.new(points.answered):
                    yield found
        # What is claimed in the report is checked as such: only what was raised is a finding.
        answered = await points.finished("", (lines.uri for lines in heard.read))
        self._grounding.update(answered.grounding)
        for found in shown.new(answered):
            yield found
        voice = Voice(points)
        await voice.say(heard.ending.text, (lines.uri for lines in heard.read))
        await voice.end("")
        markdown = await asyncio.to_thread(self._checked, voice.said, heard.ending.reason, talk, facts, report)
        yield Closed(
            heard.ending.stop,
            markdown,
            rounds=heard.ending.rounds,
            ungrounded=len(answered.ungrounded),
            capped=len(shown.left_out),
            withheld=answered.withheld + voice.withheld,
        )

    def _task(self, talk: Talk, report: Report, focus: str | None) -> Task:
        """The mission, and what was read off the files, as data."""
        room = min(_MOST_TOLD, talk.window.attachment_limit)
        parts = [SURVEYED, prompt("survey", talk.conversation.config)]
        parts += [f"The developer wants to know most: {focus[:_LONGEST_FOCUS]}"] if focus else []
        parts.append(f"What was read off the files:\n\n{told_to_model(report, room)}")
        request = "a survey of the project" + (f": {focus[:_LONGEST_FOCUS]}" if focus else "")
        return Task(Message(Role.USER, "\n\n".join(parts)), (), request=request)

    def _checked(self, said: str, reason: str, talk: Talk, facts: Facts, report: Report) -> str:
        """The report as it is shown. Reads the disk."""
        known = Known(facts, report, talk.conversation.state.knows, self._length)
        checked = check(said, report, known)
        self.sources = checked.sources
        by = f"Written by {words(self._talks.answered_by or self._talks.model.name)} after reading, and checked:"
        head = report.head(by)
        if checked.unverified:
            head += f" {counted(checked.unverified, 'claim')} without such a place marked as unverified."
        notes = [head, *([reason] if reason else []), checked.markdown]
        return "\n\n".join(notes) + "\n"

    def _length(self, path: str) -> int | None:
        """Lines of a file; None for one that can't be read, or may not be."""
        uri = self._workspace.known(uris.from_path(f"{self._root.rstrip('/')}/{path}"))
        if not self._targets.may_be_read(uri):
            return None
        try:
            return len(self._workspace.text(uri))
        except SocreatesError:
            return None


def _without_plan(closed: Closed, report: Report) -> Closed:
    """The end of a survey whose plan was not approved: what was read off the files stands."""
    return replace(closed, summary=report.markdown(closed.summary))
