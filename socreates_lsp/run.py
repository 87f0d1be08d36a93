"""One review, or one answer, on its way: events of a reviewer in, findings into the store, an outcome out."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from socreates_lsp.errors import ReviewError, SocreatesError
from socreates_lsp.review.counting import counted
from socreates_lsp.review.entry import SHOWN
from socreates_lsp.review.finding import Reply, Source, Status
from socreates_lsp.review.outcome import Examined, Outcome
from socreates_lsp.review.readings import still_read
from socreates_lsp.review.reviewer import (
    UNREAD,
    Closed,
    Found,
    Reading,
    Said,
    Scope,
    Skipped,
    Stage,
    Stop,
    Usage,
    Withdrawn,
)
from socreates_lsp.review.target import Target

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import Event, Named, ReviewRequest
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.workspace.text import Range
    from socreates_lsp.workspace.workspace import Workspace

R = TypeVar("R", bound="Named")


class Run:
    """What has come of a reviewer's events so far."""

    def __init__(
        self,
        store: FindingStore,
        workspace: Workspace,
        *,
        provider: str,
        root: str | None,
        on_event: Callable[[Event], None] | None,
        on_change: Callable[[Iterable[str]], None] | None = None,
        counts: bool = True,
    ) -> None:
        """``provider`` is the reviewer's name until it is chosen. ``on_change`` hears of documents that lost findings.

        ``on_event`` hears every event, with each finding as the store keeps it. ``counts``: whether what breaks off
        says how much was found.
        """
        self._counts = counts
        self._reviewer: Named | None = None
        self._provider = provider
        self._store = store
        self._workspace = workspace
        self._root = root
        self._serials = {uri: buffer.serial for uri, buffer in workspace.buffers}
        self._on_event = on_event
        self._on_change = on_change
        self._found: dict[str, Finding] = {}
        self._dismissed: set[str] = set()
        self._read: dict[str, tuple[list[tuple[Range, int | None]], int]] = {}
        self._skipped: list[Skipped] = []
        self._usage = Usage()
        self._rounds = 0
        """Requests to a model that have ended."""
        self._stages: dict[str, Usage] = {}
        self._stage = ""
        self._said = ""
        self._closed: Closed | None = None

    async def outcome(
        self, choose: Callable[[], Awaitable[R]], work: Callable[[R], AsyncGenerator[Event, None]]
    ) -> Outcome:
        """Take all events of some work by whoever is chosen, which may take a while.

        Raises SocreatesError for a failure before any finding.
        """
        try:
            reviewer = self._reviewer = await choose()
            async with aclosing(work(reviewer)) as events:
                async for event in events:
                    self._take(event)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            assert task is not None
            task.uncancel()
            self._closed = Closed(Stop.CANCELLED, self._said or f"Cancelled.{self._so_far()}", rounds=self._rounds)
        except SocreatesError as error:
            if not self._found:
                raise
            self._closed = Closed(Stop.FAILED, f"{error}{self._so_far()}", rounds=self._rounds)
        if self._closed is None:
            raise ReviewError("The review ended without a word. Please try again.")
        return Outcome(
            findings=tuple(self._found.values()),
            closed=self._closed,
            provider=self._provider if self._reviewer is None else self._reviewer.provider,
            model=None if self._reviewer is None else self._reviewer.model,
            examined=tuple(Examined(uri, tuple(self._as_now(uri)), rules) for uri, (_, rules) in self._read.items()),
            skipped=tuple(self._skipped),
            usage=self._usage,
            stages=tuple(self._stages.items()),
            dismissed=len(self._dismissed),
        )

    @property
    def found(self) -> tuple[Finding, ...]:
        """What was found so far and still holds, as the store keeps it."""
        return tuple(self._found.values())

    def replace_unfound(self, request: ReviewRequest) -> None:
        """Of a review that ended well: what was not found again leaves, within what was read.

        A review of what the last one did not read leaves everything.
        """
        if self._closed is None or self._closed.stop is not Stop.ANSWERED or request.ask == UNREAD:
            return
        assert self._reviewer is not None
        target = target_of(request)
        if request.scope is Scope.CHANGES or request.paths:
            read = {uri: self._as_now(uri) for uri in self._read}
            target = replace(target, uris=frozenset(read), ranges=read)
        for source in self._sources():
            self._store.replace_unfound(target, source, frozenset(self._found))

    def _sources(self) -> list[Source]:
        """Who has looked at the target: the examiner too where its rules ran before a model's review."""
        by_examiner = self._reviewer is not None and self._reviewer.provider == "examiner"
        rules_ran = any(rules for _, rules in self._read.values())
        return [*([] if by_examiner else [Source.MODEL]), *([Source.EXAMINER] if by_examiner or rules_ran else [])]

    def _so_far(self) -> str:
        return f" {counted(len(self._found), 'finding')} so far." if self._counts else ""

    def _take(self, event: Event) -> None:
        match event:
            case Found(finding, version):
                event = Found(self._kept(finding, version), version)
                if event.finding.status not in SHOWN:
                    self._found.pop(event.finding.id, None)
                    self._dismissed.update({event.finding.id} if event.finding.status is Status.DISMISSED else ())
                    return
                self._found[event.finding.id] = event.finding
            case Withdrawn(finding_id, reason):
                self._found.pop(finding_id, None)
                self._store.withdraw(finding_id, Reply("model", reason, now()))
            case Reading(uri, span, rules):
                spans, most = self._read.setdefault(uri, ([], 0))
                self._read[uri] = (spans, max(most, rules))
                version = self._workspace.version(uri) if event.version is None else event.version
                if (span, version) not in spans:
                    spans.append((span, version))
            case Skipped():
                self._skipped.append(event)
            case Usage():
                self._spend(event)
            case Stage(name):
                self._stage = name
                self._stages.setdefault(name, Usage())
            case Said(text):
                self._said += text
            case Closed():
                self._closed = event
            case _:
                pass
        if self._on_event is not None:
            self._on_event(event)

    def _spend(self, usage: Usage) -> None:
        self._rounds += 1
        self._usage += usage
        if self._stage:
            self._stages[self._stage] += usage

    def _kept(self, finding: Finding, version: int | None) -> Finding:
        self._take_over(finding)
        buffer = self._workspace.buffers.get(finding.uri)
        root = self._workspace.root_of(finding.uri) or self._root
        text = None if buffer is None else buffer.text
        shifts = None
        if buffer is not None and version is not None and self._serials.get(finding.uri) == buffer.serial:
            shifts = buffer.shifts_since(version)
        return self._store.add(finding, root=root, version=version, text=text, shifts=shifts, found=self._found.keys())

    def _as_now(self, uri: str) -> list[Range]:
        """The lines of a document that were read, as far as they are as they were, where they are now."""
        spans, _ = self._read[uri]
        buffer = self._workspace.buffers.get(uri)
        if buffer is None or self._serials.get(uri, buffer.serial) != buffer.serial:
            return list(dict.fromkeys(span for span, _ in spans))
        found: list[Range] = []
        for span, version in spans:
            shifts = [] if version is None else buffer.shifts_since(version)
            found += [] if shifts is None else still_read([span], shifts, buffer.text)
        return list(dict.fromkeys(found))

    def _take_over(self, finding: Finding) -> None:
        """A question that is known about the same file under another name (a symbolic link) is here from now on."""
        known = self._store.get(finding.id)
        if known is None or known.uri == finding.uri or not self._workspace.is_same_file(known.uri, finding.uri):
            return
        root = self._workspace.root_of(finding.uri)
        for entry in self._store.entries(known.uri):
            if entry.finding.id == finding.id:
                self._store.keep(replace(entry, finding=replace(entry.finding, uri=finding.uri), root=root, look=None))
        if self._on_change is not None:
            self._on_change((known.uri,))


def target_of(request: ReviewRequest) -> Target:
    """The part of the workspace that a request covers."""
    if request.scope in {Scope.FILE, Scope.SELECTION} and request.uri is not None:
        selected = request.range if request.scope is Scope.SELECTION else None
        ranges = None if selected is None else {request.uri: (selected,)}
        return Target(request.root, frozenset({request.uri}), ranges)
    return Target(request.root)


def now() -> str:
    """The time in UTC as ISO 8601 writes it, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
