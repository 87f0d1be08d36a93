"""The services of one session: the settings in force, and whatever works under them, made when first needed."""

from __future__ import annotations

import asyncio
import contextlib
import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import SocreatesError
from socreates_lsp.prompting import Nobody
from socreates_lsp.review.reviewer import Usage
from socreates_lsp.review.store import FindingStore
from socreates_lsp.settings import (
    Layer,
    Provider,
    Resolved,
    Source,
    config_folder,
    from_flags,
    resolve,
    user_layers,
    workspace_layer,
)
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from socreates_lsp.agent.agent import Agent
    from socreates_lsp.agent.agents import Agents
    from socreates_lsp.dialogue.service import Dialogue
    from socreates_lsp.dismissals.service import Dismissals
    from socreates_lsp.examiner.reviewer import Examiner
    from socreates_lsp.memory.project import ProjectMemory
    from socreates_lsp.prompting import Prompter
    from socreates_lsp.review.reviewer import Reviewer
    from socreates_lsp.settings import Settings
    from socreates_lsp.tools.plugin_set import PluginSet


class Services:
    """See the module."""

    def __init__(
        self, roots: Sequence[str] = (), *, flags: Sequence[str] = (), prompter: Prompter | None = None
    ) -> None:
        """Take the roots as URIs, the ``--set`` flags of the command line, and whoever can ask the user."""
        self.workspace = Workspace(roots)
        self.store = FindingStore()
        self._flags = tuple(flags)
        self._laid: dict[str, str] = {}
        self._client_layers: dict[Source, Layer] = {}
        self._prompter = prompter or Nobody()
        self._examiner: Examiner | None = None
        self._agents: Agents | None = None
        self._dismissals: Dismissals | None = None
        self._dialogue: Dialogue | None = None
        self._memory: ProjectMemory | None = None
        self._plugins: PluginSet | None = None
        self.on_change: Callable[[Iterable[str]], None] | None = None
        """Told of documents whose findings changed otherwise than in a review; with nobody to hear, nobody is asked."""
        self.usage: Usage = Usage()
        self._resolved: Resolved = self._resolve()

    # Settings

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._resolved.settings

    @property
    def resolved(self) -> Resolved:
        """The settings in force, where each came from, and what was wrong."""
        return self._resolved

    def configure(self, layer: Layer) -> Resolved:
        """Take a layer from the client (the last one of each source holds), and resolve again."""
        self._client_layers[layer.source] = layer
        return self.reload()

    def reload(self) -> Resolved:
        """Read the files again."""
        self._resolved = self._resolve()
        return self._resolved

    @property
    def laid(self) -> dict[str, str]:
        """The settings that the user changed in this session, as ``lay`` was given them."""
        return dict(self._laid)

    def lay(self, changes: Mapping[str, str | None]) -> Resolved:
        """Lay flags of the user's on those of the command line, by name; None takes one away again."""
        self._laid = {name: value for name, value in {**self._laid, **changes}.items() if value is not None}
        return self.reload()

    def _resolve(self) -> Resolved:
        """The files of all roots tighten together: they can only make things stricter."""
        files = [workspace_layer(Path(root)) for root in self.workspace.roots]
        workspace = Layer(
            Source.WORKSPACE,
            entries=tuple(entry for file in files for entry in file.entries),
            problems=tuple(problem for file in files for problem in file.problems),
        )
        laid = [f"{name}={value}" for name, value in self._laid.items()]
        layers = (*user_layers(), *self._client_layers.values(), from_flags((*self._flags, *laid)))
        return resolve(layers, workspace=workspace)

    # Who works

    async def reviewer(self) -> Reviewer:
        """Whoever reviews under the settings in force. Raises ModelError where the one that was chosen can't."""
        return await self.agent() or self.examiner

    async def agent(self) -> Agent | None:
        """The model that reviews, where one is chosen; asks the user where it has to. Raises ModelError."""
        return await (await self.agents()).agent(self.resolved) if await self._model_may_answer() else None

    async def _model_may_answer(self) -> bool:
        """Whether a model is chosen, or with ``auto`` anybody listens who may have one."""
        model = self.settings.model
        if model.provider is not Provider.AUTO or model.fallback:
            return model.provider is not Provider.EXAMINER
        from socreates_lsp.model.listening import may_listen

        return await may_listen(model, os.environ)

    @property
    def examiner(self) -> Examiner:
        """The embedded reviewer, made when first needed."""
        if self._examiner is None:
            from socreates_lsp.examiner.reviewer import Examiner

            self._examiner = Examiner(self.workspace, questions=lambda: self.settings.questions)
        return self._examiner

    async def agents(self) -> Agents:
        """The model's side, made when first needed; its imports take a moment, for which the loop does not wait."""
        module = await asyncio.to_thread(import_module, "socreates_lsp.agent.agents")
        agents: Agents = self._agents or module.Agents(
            self.workspace, self.store, self._prompter, self.memory, self.plugins
        )
        self._agents = agents
        return agents

    @property
    def dismissals(self) -> Dismissals:
        """The ledger of every root, made when first needed."""
        if self._dismissals is None:
            from socreates_lsp.dismissals.service import Dismissals

            self._dismissals = Dismissals(self.workspace, self.store, self._prompter, lambda: self.settings)
            self._dismissals.changed = self.on_change
        return self._dismissals

    @property
    def memory(self) -> ProjectMemory:
        """The project memory of every root, made when first needed."""
        if self._memory is None:
            from socreates_lsp.memory.project import ProjectMemory

            self._memory = ProjectMemory(lambda: self.settings, self._prompter.ask)
        return self._memory

    @property
    def plugins(self) -> PluginSet:
        """The plugins that the user enabled, loaded when first needed."""
        if self._plugins is None:
            from socreates_lsp.tools.plugin_set import PluginSet

            self._plugins = PluginSet(lambda: config_folder() / "plugins")
        return self._plugins

    @property
    def dialogue(self) -> Dialogue:
        """The talks about findings, made when first needed."""
        if self._dialogue is None:
            from socreates_lsp.dialogue.service import Dialogue

            self._dialogue = Dialogue(self.workspace, self.store, self.dismissals, lambda: self.settings)
            self._dialogue.changed = self.on_change
        return self._dialogue

    async def agent_on_hand(self) -> Agent | None:
        """The model, where one is chosen and may be asked without a word of the user."""
        with contextlib.suppress(SocreatesError):
            if await self._model_may_answer():
                return await (await self.agents()).agent(self.resolved, asks=False)
        return None

    async def close(self) -> None:
        """End all that runs."""
        if self._dismissals is not None:
            await self._dismissals.close()
        if self._dialogue is not None:
            await self._dialogue.close()
        if self._memory is not None:
            await self._memory.close()
        if self._examiner is not None:
            await self._examiner.close()
        if self._agents is not None:
            await self._agents.close()
