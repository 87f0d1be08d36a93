"""The model's side of a session: which model answers under the settings of a moment, and the agent made of it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from socreates_lsp.agent.agent import Agent
from socreates_lsp.agent.conversations import Conversations
from socreates_lsp.agent.talks import Talks
from socreates_lsp.agent.tool_list import NoModel, told
from socreates_lsp.errors import SocreatesError
from socreates_lsp.memory.consents import Consents
from socreates_lsp.model.choice import Choice, choose
from socreates_lsp.model.line import Lines
from socreates_lsp.settings import Provider, Reach, endpoint_of

if TYPE_CHECKING:
    from socreates_lsp.agent.session_summary import Session
    from socreates_lsp.memory.project import ProjectMemory
    from socreates_lsp.model.types import ChatModel
    from socreates_lsp.prompting import Prompter
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.settings import Endpoint, Resolved
    from socreates_lsp.tools.plugin_set import PluginSet
    from socreates_lsp.workspace.workspace import Workspace

_FRESH_S = 20.0
"""How long a choice of ``auto`` holds: a server may start or load another model meanwhile."""

ALLOW, DENY = "Allow", "Deny"


class Agents:
    """Made when the first review needs a model."""

    def __init__(
        self,
        workspace: Workspace,
        store: FindingStore,
        prompter: Prompter,
        memory: ProjectMemory | None = None,
        plugins: PluginSet | None = None,
    ) -> None:
        """Take what agents work with."""
        self._workspace = workspace
        self._store = store
        self._prompter = prompter
        self.conversations = Conversations(memory, plugins)
        self.grounding: Counter[str] = Counter()
        self._consents = Consents(self.conversations.state)
        self._choice: Choice | None = None
        self._keys: set[tuple[str, Endpoint]] = set()
        self._chosen_for: tuple[object, ...] | None = None
        self._chosen_at = 0.0
        self._choosing = asyncio.Lock()
        self._models: list[ChatModel] = []
        self._background: set[asyncio.Task[None]] = set()
        self._lines = Lines()

    async def agent(self, resolved: Resolved, *, asks: bool = True) -> Agent | None:
        """The agent under these settings; None where the examiner is to ask. Raises ModelError.

        ``asks`` False: what the user would have to be asked for is not allowed.
        """
        choice = await self._chosen(resolved, self._prompter if asks else None)
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
        admission = _Admission(resolved, self._consents, self._keys, None)
        return await choose(resolved.settings.model, os.environ, admission, resolved.doubt)

    async def _chosen(self, resolved: Resolved, prompter: Prompter | None) -> Choice:
        """The choice that holds; it is made anew when the settings changed, or when ``auto`` may see another."""
        async with self._choosing:
            model = resolved.settings.model
            allow = resolved.settings.policy.endpoints_allow
            key = (model, allow, resolved.named, resolved.variables, resolved.doubt)
            stale = time.monotonic() - self._chosen_at > _FRESH_S and model.provider is Provider.AUTO
            if self._choice is None or self._choice.model is None or stale or key != self._chosen_for:
                admission = _Admission(resolved, self._consents, self._keys, prompter)
                self._choice = await choose(model, os.environ, admission, resolved.doubt, self._lines)
                self._chosen_for, self._chosen_at = key, time.monotonic()
                self._models += [] if self._choice.model is None else [self._choice.model]
            return self._choice

    async def tools(self, resolved: Resolved, root: str | None) -> list[dict[str, Any]]:
        """The tools that a model is offered in a root, as JSON objects. No model is asked."""
        talks = Talks(
            NoModel(),
            self.conversations,
            self._workspace,
            resolved.settings,
            self._prompter,
            trusted=resolved.trusted,
        )
        return told(await talks.offered(root), supervise=resolved.settings.supervise)

    async def state(self, resolved: Resolved, root: str | None) -> dict[str, Any]:
        """What is known of the task at hand in a root: ``text`` for people, ``state`` as a JSON object."""
        state = (await self.conversations.of(root, resolved.settings.session)).state
        return {"text": state.text(), "state": state.told()}

    def sum_up(self, resolved: Resolved, root: str | None) -> None:
        """Have the session that ended in a root summed up by the model, if it is worth it. Nobody waits for it."""
        session = self.conversations.sessions.pop(root, None) if root is not None else None
        if root is not None and session is not None:
            task = asyncio.create_task(self._summed_up(resolved, root, session))
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    async def _summed_up(self, resolved: Resolved, root: str, session: Session) -> None:
        memory = self.conversations.memory
        with contextlib.suppress(SocreatesError):
            agent = await self.agent(resolved, asks=False)
            summary = None if agent is None else await agent.sum_up(root, session)
            if memory is not None and summary is not None:
                await memory.keep_summary(root, summary)

    async def close(self) -> None:
        """Let go of everything."""
        for task in self._background:
            task.cancel()
        for model in self._models:
            await model.close()
        self.conversations.close()


class _Admission:
    """May anything be sent to an endpoint, and a key with it? Asked before the first byte.

    A client's settings may come from a repository, and could name any variable of the environment as the key. So
    a variable counts where the user's own sources name it too and the endpoint is free; else the user has to say
    yes to a prompt that names both, once a session. Hosts are remembered for good, as they were named.
    """

    def __init__(
        self, resolved: Resolved, consents: Consents, keys: set[tuple[str, Endpoint]], prompter: Prompter | None
    ) -> None:
        """``keys``: the variables and where they may go, as the user said in this session; added to.

        ``prompter`` None: the user is not asked, only what was said before counts.
        """
        self._resolved = resolved
        self._consents = consents
        self._keys = keys
        self._prompter = prompter

    async def __call__(self, url: str, variable: str | None = None) -> str | None:
        """See ``Admit``."""
        reach, endpoint = self._resolved.reach(url), endpoint_of(url)
        if endpoint is None:
            return f"{url.partition('?')[0]} is no address that can be read: check model.baseUrl."
        if reach is Reach.REFUSED:
            return f"{endpoint.host} is not among policy.endpointsAllow, so nothing is sent there."
        free = reach is Reach.FREE
        own_key = variable is None or (free and variable in self._resolved.variables)
        if own_key or (variable, endpoint) in self._keys:
            variable = None
        known = free or await asyncio.to_thread(self._consents.has, endpoint.scheme, endpoint.host)
        if known and variable is None:
            return None
        return await self._asked(endpoint, None if known else "code of this workspace", variable)

    async def _asked(self, endpoint: Endpoint, code: str | None, variable: str | None) -> str | None:
        """Ask the user for leave to send the code, the key in the variable, or both; and remember a yes."""
        key = f"the content of the variable {variable}" if variable else None
        what = " and ".join(filter(None, (code, key)))
        where = f"{endpoint.host}:{endpoint.port}"
        if self._prompter is None:
            return f"Nothing is sent to {endpoint.host} before you allow {what} to go there: a review asks."
        named = "model.baseUrl" if code else "model.apiKeyEnv"
        origin = self._resolved.origins.get(named, "")
        by = origin if origin not in {"", "default"} else "a setting"
        question = f"Socreates would send {what} to {where} ({endpoint.scheme}), which {by} names and you did not."
        if await self._prompter.ask(f"{question} Allow it?", (DENY, ALLOW)) != ALLOW:
            return (
                f"Nothing is sent to {endpoint.host}, as you have not allowed {what} to go there: "
                f"name {'it' if code else 'the variable'} in your own config.toml, or allow it when asked."
            )
        if code:
            await asyncio.to_thread(self._consents.add, endpoint.scheme, endpoint.host)
        if variable:
            self._keys.add((variable, endpoint))
        return None
