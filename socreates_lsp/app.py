"""The one composition root: settings become services, and a review is carried out.

Server and command line both start here and know the rest only through what this module hands them.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socreates_lsp.errors import SocreatesError, TargetError
from socreates_lsp.naming import named
from socreates_lsp.review.reviewer import UNREAD, Scope
from socreates_lsp.services import Services
from socreates_lsp.wire import Wire
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Encoding

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from socreates_lsp.led import Led
    from socreates_lsp.prompting import Prompter
    from socreates_lsp.review.outcome import Outcome, Preview, Replied, Surveyed
    from socreates_lsp.review.reviewer import Event, Question, Reviewer, ReviewRequest
    from socreates_lsp.run import Run
    from socreates_lsp.workspace.text import Change, Range, Text


class App(Services):
    """What is done with the services of one session: a server's, or one command's."""

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

    async def toolbox(self, root: str | None) -> dict[str, Any]:
        """The tools that a model is offered in a root, and what became of every plugin."""
        tools = await (await self.agents()).tools(self.resolved, root)
        plugins = await self.plugins.under(self.settings.plugins.enabled, self.workspace.roots)
        return {"tools": tools, "plugins": plugins.told()}

    async def state(self, root: str | None) -> dict[str, Any]:
        """What is known of the task at hand in a root: ``text`` for people, ``state`` as a JSON object."""
        return await (await self.agents()).state(self.resolved, root)

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
