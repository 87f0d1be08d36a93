"""The agent as a Reviewer: a model, tools that only read, one conversation for each root."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from socreates_lsp.agent.again import stands_still
from socreates_lsp.agent.hearing import Heard
from socreates_lsp.agent.points import Points, Shown
from socreates_lsp.agent.replying import replied
from socreates_lsp.agent.review import Review
from socreates_lsp.agent.session_summary import by_model
from socreates_lsp.agent.source_labels import without_labels
from socreates_lsp.agent.speaking import Voice
from socreates_lsp.agent.surveying import Surveying
from socreates_lsp.agent.talks import Talks
from socreates_lsp.agent.targets import Targets
from socreates_lsp.review.question_labels import Labels
from socreates_lsp.review.reviewer import Closed, Said

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import AsyncGenerator

    from socreates_lsp.agent.again import SecondThought
    from socreates_lsp.agent.conversations import Conversations
    from socreates_lsp.agent.session_summary import Session
    from socreates_lsp.memory.fact import Fact
    from socreates_lsp.model.types import ChatModel
    from socreates_lsp.prompting import Prompter
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.outcome import Preview
    from socreates_lsp.review.reviewer import Discussion, Event, Question, ReviewRequest
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.settings import Settings
    from socreates_lsp.workspace.workspace import Workspace


class Agent:
    """Reviews with one model, under the settings of one moment."""

    def __init__(
        self,
        model: ChatModel,
        conversations: Conversations,
        workspace: Workspace,
        store: FindingStore,
        settings: Settings,
        prompter: Prompter,
        *,
        grounding: Counter[str],
        trusted: bool,
    ) -> None:
        """``grounding`` counts how findings were grounded; ``trusted`` False: no command may run."""
        self._talks = Talks(model, conversations, workspace, settings, prompter, trusted=trusted)
        self._workspace = workspace
        self._settings = settings
        self._targets = Targets(workspace, store, settings, conversations.memory)
        self._grounding = grounding

    @property
    def provider(self) -> str:
        """See ``Reviewer``."""
        return self._talks.model.provider

    @property
    def model(self) -> str | None:
        """See ``Reviewer``; the one that answered last, where a fallback did."""
        return self._talks.answered_by or self._talks.model.name

    def review(self, request: ReviewRequest) -> AsyncGenerator[Event, None]:
        """See ``Reviewer``. Raises TargetError, ReviewError or ModelError."""
        return self._review(request).events()

    def survey(self, root: str) -> Surveying:
        """A survey of the project in a root."""
        return Surveying(self._talks, self._targets, self._workspace, root, self._grounding)

    def reply(self, discussion: Discussion) -> AsyncGenerator[Event, None]:
        """See ``Reviewer``. Raises TargetError, ReviewError or ModelError."""
        return replied(self._talks, self._targets.attacher, self._workspace, discussion)

    async def preview(self, request: ReviewRequest) -> Preview:
        """See ``Reviewer``. The server may be asked about the model. Raises TargetError or ModelError."""
        return await self._review(request).preview()

    def _review(self, request: ReviewRequest) -> Review:
        return Review(self._talks, self._targets, self._workspace, self._settings, request, self._grounding)

    async def stands_still(self, finding: Finding, root: str | None) -> SecondThought:
        """Whether a finding whose lines changed still stands: one short question. Never raises for the model."""
        return await stands_still(self._talks, self._workspace, self._settings, finding, root)

    async def sum_up(self, root: str, session: Session) -> Fact | None:
        """What a session came to, in the model's words; None where it gives none."""
        return await by_model(self._talks, root, session)

    async def answer(self, question: Question) -> AsyncGenerator[Event, None]:
        """See ``Reviewer``. Raises TargetError, ReviewError or ModelError."""
        targets = self._targets
        points = Points.about(
            self._workspace,
            question.root,
            question.uri,
            suppress=True,
            may_be_read=targets.may_be_read,
            labels=lambda: Labels(targets.questions),
        )
        shown = Shown(0, 0.0)
        try:
            talk = await self._talks.open(question.root, points)
            room = talk.window.attachment_limit
            task = await asyncio.to_thread(self._targets.question, question, room, talk.recent)
            limits = await self._talks.limits()
            planning = self._talks.planning(talk, task, points)
            async with aclosing(planning.events(limits)) as events:
                async for event in events:
                    yield event
            if planning.closed is not None:
                return
            heard = Heard(speaks=True)
            voice = Voice(points, talk.conversation.state.knows)
            limits = planning.left(limits)
            async with aclosing(self._talks.turn(talk, planning.task, "ask", heard, limits)) as steps:
                async for told in steps:
                    for event in told:
                        if not isinstance(event, Said):
                            yield event
                        elif said := await voice.say(event.text, (lines.uri for lines in heard.read)):
                            yield said
            if said := await voice.end(heard.ending.reason):
                yield said
            text = without_labels(heard.ending.text)
            answered = await points.finished(text, (lines.uri for lines in heard.read))
            self._grounding.update(answered.grounding)
            for found in shown.new(answered):
                yield found
            yield Closed(
                heard.ending.stop,
                voice.said,
                rounds=heard.ending.rounds,
                suppressed=len(answered.suppressed),
                ungrounded=len(answered.ungrounded),
                withheld=answered.withheld + voice.withheld,
            )
        finally:
            points.close()
