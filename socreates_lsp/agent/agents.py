"""The model's side of a session: which model answers under the settings of a moment, and the agent made of it."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from typing import TYPE_CHECKING

from socreates_lsp.agent.agent import Agent
from socreates_lsp.agent.conversations import Conversations
from socreates_lsp.memory.consents import Consents
from socreates_lsp.model.choice import Choice, choose
from socreates_lsp.settings import Provider, Reach, address_of

if TYPE_CHECKING:
    from socreates_lsp.model.types import ChatModel
    from socreates_lsp.prompting import Prompter
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.settings import ModelSettings, Resolved
    from socreates_lsp.workspace.workspace import Workspace

_FRESH_S = 20.0
"""How long a choice of ``auto`` holds: a server may start or load another model meanwhile."""

ALLOW, DENY = "Allow", "Deny"


class Agents:
    """Made when the first review needs a model."""

    def __init__(self, workspace: Workspace, store: FindingStore, prompter: Prompter) -> None:
        """Take what agents work with."""
        self._workspace = workspace
        self._store = store
        self._prompter = prompter
        self.conversations = Conversations()
        self.grounding: Counter[str] = Counter()
        self._consents = Consents(self.conversations.state)
        self._choice: Choice | None = None
        self._chosen_for: tuple[ModelSettings, object] | None = None
        self._chosen_at = 0.0
        self._choosing = asyncio.Lock()
        self._models: list[ChatModel] = []

    async def agent(self, resolved: Resolved) -> Agent | None:
        """The agent under these settings; None where the examiner is to ask. Raises ModelError."""
        choice = await self._chosen(resolved)
        if choice.model is None:
            return None
        return Agent(
            choice.model,
            self.conversations,
            self._workspace,
            self._store,
            resolved.settings,
            self._prompter,
            grounding=self.grounding,
            trusted=resolved.trusted,
        )

    async def look(self, resolved: Resolved) -> Choice:
        """What would be chosen now. The user is asked nothing."""
        return await choose(resolved.settings.model, os.environ, _Admission(resolved, self._consents, None))

    async def _chosen(self, resolved: Resolved) -> Choice:
        """The choice that holds; it is made anew when the settings changed, or when ``auto`` may see another."""
        async with self._choosing:
            key = (resolved.settings.model, resolved.settings.policy.endpoints_allow)
            stale = time.monotonic() - self._chosen_at > _FRESH_S and key[0].provider is Provider.AUTO
            if self._choice is None or self._choice.model is None or stale or key != self._chosen_for:
                admission = _Admission(resolved, self._consents, self._prompter)
                self._choice = await choose(resolved.settings.model, os.environ, admission)
                self._chosen_for, self._chosen_at = key, time.monotonic()
                self._models += [] if self._choice.model is None else [self._choice.model]
            return self._choice

    async def close(self) -> None:
        """Let go of everything."""
        for model in self._models:
            await model.close()
        self.conversations.close()


class _Admission:
    """May anything be sent to an endpoint? Asked before the first byte."""

    def __init__(self, resolved: Resolved, consents: Consents, prompter: Prompter | None) -> None:
        """``prompter`` None: the user is not asked, only what was said before counts."""
        self._resolved = resolved
        self._consents = consents
        self._prompter = prompter

    async def __call__(self, url: str) -> str | None:
        """None for yes, else the sentence that says why not."""
        match self._resolved.reach(url):
            case Reach.FREE:
                return None
            case Reach.REFUSED:
                return f"{url} is not among policy.endpointsAllow, so nothing is sent there."
            case Reach.ASK:
                return await self._by_consent(url)

    async def _by_consent(self, url: str) -> str | None:
        address = address_of(url)
        if address is None:
            return f"{url} is no address that can be read: check model.baseUrl."
        if await asyncio.to_thread(self._consents.has, address.scheme, address.host):
            return None
        if self._prompter is None:
            return f"Nothing is sent to {address.host} before you allow it: a review asks."
        origin = self._resolved.origins.get("model.baseUrl", "")
        question = (
            f"Socreates would send code of this workspace to {address.host} ({address.scheme}), "
            f"which {origin or 'a setting'} names and you did not. Allow it?"
        )
        if await self._prompter.ask(question, (ALLOW, DENY)) != ALLOW:
            return (
                f"Nothing is sent to {address.host}, as you have not allowed it: name it in your own config.toml, "
                "or allow it when asked."
            )
        await asyncio.to_thread(self._consents.add, address.scheme, address.host)
        return None
