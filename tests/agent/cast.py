"""A main agent and its specialists on one stage: a model that says to each of them what their script says."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from socreates_lsp.agent.conversations import Conversations
from socreates_lsp.agent.hearing import Heard
from socreates_lsp.agent.points import Points
from socreates_lsp.agent.talks import Talks
from socreates_lsp.agent.targets import Task
from socreates_lsp.memory.turns import TEAM
from socreates_lsp.model.types import Message, Role
from socreates_lsp.settings import SessionSettings, Settings
from socreates_lsp.settings.schema import PolicySettings
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.workspace import Workspace
from tests.agent.fake_model import FakeModel

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping
    from pathlib import Path

    from socreates_lsp.agent.gate import Plan
    from socreates_lsp.agent.talks import Talk
    from socreates_lsp.agent.turn import Limits
    from socreates_lsp.model.types import ChatRequest, ModelEvent


class User:
    """Answers every prompt alike, and remembers them."""

    def __init__(self, answer: str | None = None) -> None:
        self.answer = answer
        self.questions: list[str] = []

    def present(self) -> bool:
        return True

    async def ask(self, question: str, choices: tuple[str, ...]) -> str | None:
        self.questions.append(question)
        return self.answer if self.answer in choices else None

    def can_write(self) -> bool:
        return False

    async def write(self, question: str) -> str | None:
        return None


class Model(FakeModel):
    """Each who asks has a script of their own: replies as of ``FakeModel``, or functions that may wait."""

    def __init__(self, scripts: Mapping[str, list[Any]], context: int) -> None:
        super().__init__(context=context, usage=lambda _: 100)
        self.scripts = {who: list(replies) for who, replies in scripts.items()}
        self.sent: list[tuple[str, ChatRequest]] = []

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        who = next((name for name in TEAM if request.messages[0].content.startswith(f"You are the {name}")), "main")
        self.sent.append((who, request))
        reply = self.scripts[who].pop(0)
        if callable(reply):
            reply = reply(request)
        try:
            reply = await reply if asyncio.iscoroutine(reply) else reply
        except BaseException:
            self.closed += 1
            raise
        self.replies.insert(0, reply)
        async with aclosing(super().chat(request)) as events:
            async for event in events:
                yield event


class Stage:
    """One root, one user, one model, and what happened."""

    def __init__(
        self,
        root: Path,
        user: User | None = None,
        *,
        context: int = 32_768,
        trusted: bool = True,
        policy: Mapping[str, Any] | None = None,
        supervise: bool = True,
        **scripts: list[Any],
    ) -> None:
        self.root = str(root)
        self.user = user or User()
        self.model = Model(scripts, context)
        self.conversations = Conversations()
        self.workspace = Workspace([uris.from_path(self.root)])
        self.settings = replace(
            Settings(),
            session=SessionSettings(store=False),
            supervise=supervise,
            policy=PolicySettings(**(policy or {})),
        )
        self.talks = Talks(self.model, self.conversations, self.workspace, self.settings, self.user, trusted=trusted)
        self.events: list[Any] = []
        self.heard = Heard(speaks=False)

    async def state(self) -> Any:
        return (await self.conversations.of(self.root, self.settings.session)).state

    async def open(self, **more: Any) -> Talk:
        points = Points.about(self.workspace, self.root, None, suppress=True, may_be_read=lambda _: True)
        return await self.talks.open(self.root, points, **more)

    async def ask(
        self, text: str = "Well?", *, plan: Plan | None = None, limits: Limits | None = None, **task: Any
    ) -> Heard:
        """One turn of the user's."""
        talk = await self.open()
        if plan is not None:
            talk.gate.plan = plan
        given = Task(Message(Role.USER, text), (), request=text, **task)
        limits = limits or await self.talks.limits()
        async with aclosing(self.talks.turn(talk, given, "ask", self.heard, limits)) as steps:
            async for told in steps:
                self.events += told
        return self.heard

    def sent_to(self, who: str) -> list[ChatRequest]:
        """The requests of one of them."""
        return [request for one, request in self.model.sent if one == who]

    def results_of(self, who: str) -> list[str]:
        """What their last request holds of results."""
        return [message.content for message in self.sent_to(who)[-1].messages if message.role is Role.TOOL]


def delegated(*pairs: tuple[str, str]) -> list[tuple[str, dict[str, Any]]]:
    """A round that delegates."""
    return [("delegate", {"agent": agent, "task": task}) for agent, task in pairs]
