"""The one composition root: settings become services, and a review is carried out.

Server and command line both start here and know the rest only through what this module hands them.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socreates_lsp.errors import ReviewError, SocreatesError, TargetError
from socreates_lsp.review.anchor import carried
from socreates_lsp.review.finding import Source as Asker
from socreates_lsp.review.outcome import Examined, Outcome
from socreates_lsp.review.reviewer import Closed, Found, Reading, Scope, Skipped, Stop, Usage, Withdrawn
from socreates_lsp.review.store import FindingStore, Target
from socreates_lsp.settings import Layer, Resolved, Source, from_flags, resolve, user_layers, workspace_layer
from socreates_lsp.wire import Wire
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Encoding
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from socreates_lsp.examiner.reviewer import Examiner
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import Event, Reviewer, ReviewRequest
    from socreates_lsp.settings import Settings
    from socreates_lsp.workspace.text import Change, Range, Text


class App:
    """All services of one session: a server's, or one command's."""

    def __init__(self, roots: Sequence[str] = (), *, flags: Sequence[str] = ()) -> None:
        """Take the roots as URIs and the ``--set`` flags of the command line."""
        self.workspace = Workspace(roots)
        self.store = FindingStore()
        self._flags = tuple(flags)
        self._client_layers: dict[Source, Layer] = {}
        self._examiner: Examiner | None = None
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

    def _resolve(self) -> Resolved:
        """The files of all roots tighten together: they can only make things stricter."""
        files = [workspace_layer(Path(root)) for root in self.workspace.roots]
        workspace = Layer(
            Source.WORKSPACE,
            entries=tuple(entry for file in files for entry in file.entries),
            problems=tuple(problem for file in files for problem in file.problems),
        )
        layers = (*user_layers(), *self._client_layers.values(), from_flags(self._flags))
        return resolve(layers, workspace=workspace)

    # Documents

    def edit(self, uri: str, version: int, changes: Sequence[Change], encoding: Encoding) -> bool:
        """Take a client's edits to an open document; its findings go along. False if the edits were left out."""
        shifts = self.workspace.buffers.change(uri, version, changes, encoding)
        if shifts is None:
            return False
        self.store.carry(uris.canonical(uri), shifts)
        return True

    # Reviewing

    def reviewer(self) -> Reviewer:
        """Whoever reviews under the settings in force."""
        return self.examiner

    @property
    def examiner(self) -> Examiner:
        """The embedded reviewer, made when first needed."""
        if self._examiner is None:
            from socreates_lsp.examiner.reviewer import Examiner

            self._examiner = Examiner(self.workspace)
        return self._examiner

    async def review(self, request: ReviewRequest, on_event: Callable[[Event], None] | None = None) -> Outcome:
        """Carry out a review; findings enter the store as they come.

        ``on_event`` hears every event, with each finding as the store keeps it. A cancelled review returns what
        was found so far, with the stop ``cancelled``; a failure after a finding likewise, with ``failed`` and
        the reason first in the summary. Raises TargetError or ReviewError for a failure before any finding.
        """
        run = _Run(self, request, on_event or _ignore)
        return await run.outcome()

    def target_of(self, request: ReviewRequest) -> Target:
        """The part of the workspace that a request covers."""
        if request.scope in {Scope.FILE, Scope.SELECTION} and request.uri is not None:
            selected = request.range if request.scope is Scope.SELECTION else None
            ranges = None if selected is None else {request.uri: (selected,)}
            return Target(request.root, frozenset({request.uri}), ranges)
        return Target(request.root)

    async def default_scope(self, uri: str | None, span: Range | None) -> Scope:
        """The scope of a request that names none: selection, else file, else changes if any, else workspace."""
        if uri is not None:
            return Scope.FILE if span is None or span.start == span.end else Scope.SELECTION
        root = self.workspace.root_of(None)
        if root is None:
            return Scope.WORKSPACE
        from socreates_lsp.workspace.git import changes

        try:
            changed = await asyncio.to_thread(changes, Path(root), None)
        except TargetError:
            return Scope.WORKSPACE
        return Scope.CHANGES if changed else Scope.WORKSPACE

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

    def status(self) -> dict[str, Any]:
        """Who reviews and why, what is set and where from, what was found on this machine."""
        from socreates_lsp.status import status_of

        return status_of(self)

    def tools(self) -> dict[str, str | None]:
        """The programs that we use if they are there, and where."""
        from socreates_lsp.workspace.files import find_tool

        roots = [Path(root) for root in self.workspace.roots]
        return {name: find_tool(name, roots[0] if roots else None) for name in ("git", "rg")}

    @classmethod
    def for_command_line(cls, flags: Sequence[str] = ()) -> App:
        """The services of a command that runs in the current folder."""
        return cls([uris.from_path(str(Path.cwd()))], flags=flags)

    async def close(self) -> None:
        """End all that runs."""
        if self._examiner is not None:
            await self._examiner.close()


def _ignore(_event: Event) -> None:
    return


class _Run:
    """One review on its way: events in, an outcome out."""

    def __init__(self, app: App, request: ReviewRequest, on_event: Callable[[Event], None]) -> None:
        self._app = app
        self._request = request
        self._on_event = on_event
        self._reviewer = app.reviewer()
        self._found: dict[str, Finding] = {}
        self._read: dict[str, tuple[list[Range], int]] = {}
        self._skipped: list[Skipped] = []
        self._usage = Usage()
        self._closed: Closed | None = None

    async def outcome(self) -> Outcome:
        try:
            async with aclosing(self._reviewer.review(self._request)) as events:
                async for event in events:
                    self._take(event)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            assert task is not None
            task.uncancel()
            self._closed = Closed(Stop.CANCELLED, f"Cancelled. {self._so_far()}")
        except SocreatesError as error:
            if not self._found:
                raise
            self._closed = Closed(Stop.FAILED, f"{error} {self._so_far()}")
        if self._closed is None:
            raise ReviewError("The review ended without a word. Please try again.")
        if self._closed.stop is Stop.ANSWERED:
            self._replace_unfound()
        return Outcome(
            findings=tuple(self._found.values()),
            closed=self._closed,
            provider=self._reviewer.provider,
            model=self._reviewer.model,
            examined=tuple(Examined(uri, tuple(spans), rules) for uri, (spans, rules) in self._read.items()),
            skipped=tuple(self._skipped),
            usage=self._usage,
        )

    def _so_far(self) -> str:
        from socreates_lsp.examiner.summary import counted

        return f"{counted(len(self._found), 'finding')} so far."

    def _take(self, event: Event) -> None:
        match event:
            case Found(finding, version):
                event = Found(self._kept(finding, version), version)
                self._found[event.finding.id] = event.finding
            case Withdrawn(finding_id, _):
                self._found.pop(finding_id, None)
                self._app.store.withdraw(finding_id)
            case Reading(uri, span, rules):
                spans, most = self._read.setdefault(uri, ([], 0))
                self._read[uri] = (spans, max(most, rules))
                if span not in spans:
                    spans.append(span)
            case Skipped():
                self._skipped.append(event)
            case Usage():
                self._usage = _sum(self._usage, event)
            case Closed():
                self._closed = event
        self._on_event(event)

    def _kept(self, finding: Finding, version: int | None) -> Finding:
        workspace = self._app.workspace
        buffer = workspace.buffers.get(finding.uri)
        root = workspace.root_of(finding.uri) or self._request.root
        text = None if buffer is None else buffer.text
        if buffer is not None and version is not None:
            finding = carried(finding, finding.uri, buffer.shifts_since(version))
        return self._app.store.add(finding, root=root, version=version, text=text)

    def _replace_unfound(self) -> None:
        source = Asker.EXAMINER if self._reviewer.provider == "examiner" else Asker.MODEL
        target = self._app.target_of(self._request)
        if self._request.scope is Scope.CHANGES or self._request.paths:
            read = {uri: spans for uri, (spans, _) in self._read.items()}
            target = replace(target, uris=frozenset(read), ranges=read)
        self._app.store.replace_unfound(target, source, frozenset(self._found))


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        one.input_tokens + other.input_tokens,
        one.cached_tokens + other.cached_tokens,
        one.output_tokens + other.output_tokens,
        one.cost_usd + other.cost_usd,
    )
