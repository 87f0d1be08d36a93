"""The one composition root: settings become services, and a review is carried out.

Server and command line both start here and know the rest only through what this module hands them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socreates_lsp.errors import SocreatesError, TargetError
from socreates_lsp.naming import named
from socreates_lsp.prompting import Nobody
from socreates_lsp.review.reviewer import UNREAD, Scope, Usage
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
from socreates_lsp.wire import Wire
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Encoding
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from socreates_lsp.agent.agent import Agent
    from socreates_lsp.agent.agents import Agents
    from socreates_lsp.dialogue.service import Dialogue
    from socreates_lsp.dismissals.service import Dismissals
    from socreates_lsp.examiner.reviewer import Examiner
    from socreates_lsp.led import Led
    from socreates_lsp.memory.project import ProjectMemory
    from socreates_lsp.prompting import Prompter
    from socreates_lsp.review.outcome import Outcome, Preview, Replied, Surveyed
    from socreates_lsp.review.reviewer import Event, Question, Reviewer, ReviewRequest
    from socreates_lsp.run import Run
    from socreates_lsp.settings import Settings
    from socreates_lsp.tools.plugin_set import PluginSet
    from socreates_lsp.workspace.text import Change, Range, Text


class App:
    """All services of one session: a server's, or one command's."""

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
        self.usage = Usage()
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

    # Documents

    def edit(self, uri: str, version: int, changes: Sequence[Change], encoding: Encoding) -> set[str]:
        """Take a client's edits to an open document; findings go along. Returns the documents in which some moved."""
        key = uris.canonical(uri)
        before = self.workspace.buffers.get(key)
        shifts = self.workspace.buffers.change(uri, version, changes, encoding)
        after = self.workspace.buffers.get(key)
        if shifts is None or before is None or after is None:
            return set()
        if not before.in_step:
            self.store.lose_track(key)
            self.touched(key)
            return {key}
        moved = self.store.carry(key, shifts, before.text, after.text, version)
        if self._dialogue is not None:
            self._dialogue.watch.edited(key, shifts)
        return moved

    def touched(self, uri: str) -> None:
        """A document may hold another text than before: opened, closed, or written by another program."""
        if self._dialogue is not None:
            self._dialogue.watch.touched(uri)
        relating, buffer = self.store.relating(uri), self.workspace.buffers.get(uri)
        if relating and buffer is not None:
            relating = self.store.look_near(uri, buffer.text)
        if relating and self.on_change is not None:
            self.on_change(relating)

    # Reviewing

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

    async def toolbox(self, root: str | None) -> dict[str, Any]:
        """The tools that a model is offered in a root, and what became of every plugin."""
        tools = await (await self.agents()).tools(self.resolved, root)
        plugins = await self.plugins.under(self.settings.plugins.enabled, self.workspace.roots)
        return {"tools": tools, "plugins": plugins.told()}

    async def state(self, root: str | None) -> dict[str, Any]:
        """What is known of the task at hand in a root: ``text`` for people, ``state`` as a JSON object."""
        return await (await self.agents()).state(self.resolved, root)

    @property
    def dialogue(self) -> Dialogue:
        """The talks about findings, made when first needed."""
        if self._dialogue is None:
            from socreates_lsp.dialogue.service import Dialogue

            self._dialogue = Dialogue(self.workspace, self.store, self.dismissals, lambda: self.settings)
            self._dialogue.changed = self.on_change
        return self._dialogue

    async def recall(self) -> None:
        """Have the findings at hand whose answers rest on code, so that they open when it changes."""
        await self.dialogue.recall()

    async def reply(
        self, finding_id: str, text: str, on_event: Callable[[Event], None] | None = None
    ) -> Replied | None:
        """Answer a reply about a finding; None if there is no such. As ``ask``, but for what is found: the finding."""
        from socreates_lsp.dialogue.exchange import Exchange

        finding = self.store.get(finding_id)
        if finding is None:
            return None
        root = self.workspace.root_of(finding.uri)
        async with Exchange(self.dialogue, finding, text, root) as exchange:
            run = self._run(root, on_event, counts=False)
            outcome = await run.outcome(
                self._nobody if exchange.is_settled_by_itself else self.reviewer, exchange.events
            )
            self._counted(outcome)
            return await exchange.ended(outcome)

    async def _nobody(self) -> Reviewer:
        return self.examiner

    async def review(self, request: ReviewRequest, on_event: Callable[[Event], None] | None = None) -> Outcome:
        """Carry out a review; findings enter the store as they come.

        ``on_event`` hears every event, with each finding as the store keeps it. A cancelled review returns what
        was found so far, with the stop ``cancelled``; a failure after a finding likewise, with ``failed`` and
        the reason first in the summary. Raises SocreatesError for a failure before any finding.
        """
        from socreates_lsp.review.roots import in_each_root, reviewed

        return await reviewed(in_each_root(request, self.workspace.roots), self._review, on_event)

    async def _review(self, request: ReviewRequest, on_event: Callable[[Event], None] | None) -> Outcome:
        run = self._run(request.root, on_event)
        outcome = await run.outcome(
            lambda: self._reviewing(request, run),
            lambda reviewer: self.dismissals.hushed(
                request,
                lambda given: self.dialogue.recalled(given, lambda it: named(reviewer.review(it), self.workspace)),
            ),
        )
        run.replace_unfound(request)
        self._remembered(request.root)
        return self._counted(outcome)

    @property
    def leads_first(self) -> bool:
        """Whether the examiner's questions show before a model's."""
        return self.settings.review.leads

    async def _reviewing(self, request: ReviewRequest, run: Run) -> Reviewer | Led:
        """Whoever reviews, behind the examiner where its questions are to show first."""
        if not self.leads_first or request.ask == UNREAD or not await self._model_may_answer():
            return await self.reviewer()
        from socreates_lsp.led import Led

        return Led(self.examiner, self.reviewer, lambda: run.found, provider=self.settings.model.provider.value)

    async def look_again(self, uri: str) -> bool:
        """A document was saved: those of its findings whose lines changed are checked again, as
        ``review.recheckOnSave`` says. Whether anything came of it. The user is asked and told nothing."""
        from socreates_lsp.recheck import look_again

        return await look_again(self, uri)

    async def agent_on_hand(self) -> Agent | None:
        """The model, where one is chosen and may be asked without a word of the user."""
        with contextlib.suppress(SocreatesError):
            if await self._model_may_answer():
                return await (await self.agents()).agent(self.resolved, asks=False)
        return None

    async def ask(self, question: Question, on_event: Callable[[Event], None] | None = None) -> Outcome:
        """Answer a question of the user's own; the answer is the summary. Else as ``review``."""
        run = self._run(question.root, on_event, counts=False)
        about = question.as_request()
        outcome = await run.outcome(
            self.reviewer,
            lambda reviewer: self.dismissals.hushed(
                about,
                lambda given: self.dialogue.recalled(given, lambda _: named(reviewer.answer(question), self.workspace)),
            ),
        )
        self._remembered(question.root)
        return self._counted(outcome)

    async def survey(
        self, root: str, focus: str | None = None, on_event: Callable[[Event], None] | None = None
    ) -> Surveyed:
        """Survey the project in a root; the report is the summary. A model that fails, and a cancel, leave what was
        read off the files. Raises SocreatesError where there is nothing at all."""
        from socreates_lsp.surveying import Survey

        survey = Survey(self, root, focus)
        outcome = await self._run(root, on_event, counts=False).outcome(self._nobody, survey.events)
        self._remembered(root)
        return survey.ended(self._counted(outcome))

    def _remembered(self, root: str | None) -> None:
        """After a turn with a model: sum up the session before, and put others' facts to the user. Nobody waits."""
        if self._agents is not None:
            self._agents.sum_up(self.resolved, root)
            if self.on_change is not None:
                self.memory.propose(root)

    def _counted(self, outcome: Outcome) -> Outcome:
        self.usage += outcome.usage
        return outcome

    def _run(self, root: str | None, on_event: Callable[[Event], None] | None, *, counts: bool = True) -> Run:
        from socreates_lsp.run import Run

        provider = self.settings.model.provider.value
        return Run(
            self.store,
            self.workspace,
            provider=provider,
            root=root,
            on_event=on_event,
            on_change=self.on_change,
            counts=counts,
        )

    async def preview(self, request: ReviewRequest) -> Preview:
        """What a review would send first; nothing of the workspace is sent. Raises SocreatesError."""
        hush = await self.dismissals.hush(request)
        return await (await self.reviewer()).preview(hush.request)

    async def reset(self, root: str | None, *, purge: bool) -> str | None:
        """Start the conversation of a root anew; the name of the archive, None if there was nothing to keep."""
        agents = await self.agents()
        archived = await agents.conversations.reset(root, self.settings.session, purge=purge)
        agents.sum_up(self.resolved, root)
        return archived

    async def default_scope(self, uri: str | None, span: Range | None) -> Scope:
        """The scope of a request that names none: selection, else file, else changes if any, else workspace."""
        if uri is not None:
            return Scope.FILE if span is None or span.start == span.end else Scope.SELECTION
        from socreates_lsp.workspace.git import changes

        for root in self.workspace.roots:
            with contextlib.suppress(TargetError):
                if await asyncio.to_thread(changes, Path(root), None):
                    return Scope.CHANGES
        return Scope.WORKSPACE

    # What is shown

    def text(self, uri: str) -> Text | None:
        """The text of a document as it stands now, or None if it can't be read."""
        try:
            return self.workspace.text(uri)
        except SocreatesError:
            return None

    def display_path(self, uri: str) -> str:
        """The name of a document for people."""
        return self.workspace.display_path(uri)

    def wire(self, encoding: Encoding) -> Wire:
        """Values in the form of one client. A closed document is read once; an open one may change meanwhile."""
        on_disk: dict[str, Text | None] = {}

        def text(uri: str) -> Text | None:
            buffer = self.workspace.buffers.get(uri)
            if buffer is not None:
                return buffer.text
            if uri not in on_disk:
                on_disk[uri] = self.text(uri)
            return on_disk[uri]

        return Wire(encoding, text, self.workspace.spelled, self.display_path)

    def outcome_json(self, outcome: Outcome) -> dict[str, Any]:
        """The result of a review for ``--format json``; columns in UTF-16 units, LSP's default."""
        return self.wire(Encoding.UTF16).outcome_with_lines(outcome)

    def answer_json(self, outcome: Outcome) -> dict[str, Any]:
        """The result of a question for ``--format json``."""
        return self.wire(Encoding.UTF16).answer_with_lines(outcome)

    def survey_json(self, outcome: Surveyed) -> dict[str, Any]:
        """The result of a survey for ``--format json``."""
        return self.wire(Encoding.UTF16).survey_with_lines(outcome)

    async def status(self) -> dict[str, Any]:
        """Who reviews and why, what is set and where from, what was found on this machine. Asks the user nothing."""
        from socreates_lsp.status import status_of

        return await status_of(self)

    def tools(self) -> dict[str, str | None]:
        """The programs that we use if they are there, and where."""
        from socreates_lsp.workspace.files import find_tool

        roots = [Path(root) for root in self.workspace.roots]
        return {name: find_tool(name, roots[0] if roots else None) for name in ("git", "rg")}

    @classmethod
    def for_command_line(cls, flags: Sequence[str] = (), prompter: Prompter | None = None) -> App:
        """The services of a command that runs in the current folder."""
        return cls([uris.from_path(str(Path.cwd()))], flags=flags, prompter=prompter)

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
