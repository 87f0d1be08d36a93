"""The examiner as a Reviewer: which documents to examine, in which order, and what of it the reader sees."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.examiner.again_job import again
from socreates_lsp.examiner.changes_job import ChangesJob
from socreates_lsp.examiner.chosen import chosen
from socreates_lsp.examiner.examination import Document, FileJob, Report
from socreates_lsp.examiner.pool import JobError, WorkerPool
from socreates_lsp.examiner.replying import replied
from socreates_lsp.examiner.summary import ADD_A_MODEL, Read, names_of, summary_of
from socreates_lsp.review.counting import counted
from socreates_lsp.review.outcome import Preview
from socreates_lsp.review.reviewer import Closed, Found, Reading, Scope, Skipped, Stop
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.files import list_files
from socreates_lsp.workspace.globs import Globs
from socreates_lsp.workspace.text import Position, Range
from socreates_lsp.workspace.workspace import OUT_OF_STEP

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence

    from socreates_lsp.examiner.again_job import Again
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.questions import ProjectQuestion
    from socreates_lsp.review.reviewer import Discussion, Event, Question, ReviewRequest
    from socreates_lsp.workspace.buffers import Buffer
    from socreates_lsp.workspace.text import Text
    from socreates_lsp.workspace.workspace import Workspace

    _Buffers = Mapping[str, Buffer]
    """The open buffers by canonical URI, as they were when the review began."""

_MOST_UNKNOWN = 3
"""Misspelt names in comments that are told of one file."""


@dataclass(slots=True)
class _Tally:
    """What a running examination has seen. ``versions`` are those of the buffers that it reads."""

    versions: dict[str, int]
    findings: list[Finding] = field(default_factory=list["Finding"])
    suppressed: int = 0
    lines: int = 0
    files: int = 0
    rules: int = 0
    without_rules: Counter[str] = field(default_factory=Counter[str])
    unreadable: int = 0
    lines_without_rules: int = 0
    changes: Report | None = None
    """Of a review of changes: what they are."""

    def take(self, report: Report) -> None:
        self.findings += report.findings
        self.suppressed += report.suppressed
        if report.rules:
            self.files += 1
            self.lines += report.lines
            self.rules = max(self.rules, report.rules)


class Examiner:
    """The embedded reviewer. It works with no model, no network and no settings; the project's own questions come
    from them where there are any."""

    provider = "examiner"
    model = None

    def __init__(
        self,
        workspace: Workspace,
        *,
        questions: Callable[[], Sequence[tuple[str, str]]] = tuple,
        processes: int | None = None,
    ) -> None:
        """``processes`` is how many files are examined at once; the number of cores, at most 4, when None.

        ``questions`` gives the standing questions of the moment, each with its path pattern.
        """
        self._workspace = workspace
        self._questions = questions
        self._pool = WorkerPool(processes or min(os.cpu_count() or 1, 4))

    async def warm_up(self) -> None:
        """Start a worker, so that the first review does not wait for one."""
        await self._pool.warm_up()

    async def close(self) -> None:
        """End all workers."""
        await self._pool.close()

    async def review(self, request: ReviewRequest) -> AsyncGenerator[Event, None]:
        """Examine what is asked for. Raises TargetError where there is nothing to read."""
        buffers = dict(self._workspace.buffers)
        tally = _Tally(versions={uri: buffer.version for uri, buffer in buffers.items()})
        if request.scope is Scope.CHANGES:
            changes = tally.changes = await self._examine_changes(request, buffers)
            tally.take(changes)
            tasks, notes = self._changed(request, changes, buffers), changes.unread
        elif request.scope is Scope.WORKSPACE:
            tasks, notes = await self._everything(request, buffers)
        else:
            tasks, notes = [await self._single(request, buffers)], ()
        if given := tuple(self._questions()):
            tasks, left = await asyncio.to_thread(_with_questions, tasks, given)
            notes = (*notes, *left)
        lost = [task.document for task in tasks if not self._workspace.is_in_step(task.document.uri)]
        tasks = [task for task in tasks if task.document not in lost]
        for note in (*notes, *(f"{document.path} was passed over: {OUT_OF_STEP}" for document in lost)):
            yield Skipped(note)
        async for event in self._examine_all(tasks, request, tally):
            yield event
        for event in self._chosen(request, tally):
            yield event

    async def again(self, uri: str, rules: frozenset[str]) -> Again:
        """What some rules ask now of a document as the editor shows it."""
        return await again(self._pool, self._document(uri, dict(self._workspace.buffers)), rules, self._questions())

    async def answer(self, question: Question) -> AsyncGenerator[Event, None]:  # noqa: ARG002
        """See ``Reviewer``: the examiner knows its own questions only, and says so."""
        yield Closed(Stop.ANSWERED, ADD_A_MODEL)

    def reply(self, discussion: Discussion) -> AsyncGenerator[Event, None]:
        """See ``Reviewer``: it looks again, and tells what its rule knows."""
        return replied(discussion, self.review, self._workspace.display_path)

    async def preview(self, request: ReviewRequest) -> Preview:  # noqa: ARG002
        """See ``Reviewer``: nothing is sent anywhere."""
        return Preview()

    async def _single(self, request: ReviewRequest, buffers: _Buffers) -> _Task:
        assert request.uri is not None
        self._workspace.check_step(request.uri)
        document = self._document(request.uri, buffers)
        if request.scope is Scope.FILE or request.range is None:
            return _Task(document, None, named=True)
        text = await asyncio.to_thread(document.text)
        return _Task(document, (_within(request.range, text, document.path),), named=True)

    def _document(self, uri: str, buffers: _Buffers) -> Document:
        path = self._workspace.display_path(uri)
        buffer = buffers.get(uri)
        if buffer is None:
            return Document(uri, path)
        return Document(uri, path, buffer.text.content, buffer.language_id)

    async def _everything(self, request: ReviewRequest, buffers: _Buffers) -> tuple[list[_Task], tuple[str, ...]]:
        if request.root is None:
            if not buffers:
                raise TargetError("There is nothing to review: no folder is open, and no file.")
            return [_Task(self._document(uri, buffers), None, named=True) for uri in buffers], ()
        named = set(map(Path, request.paths))
        listing = await asyncio.to_thread(list_files, Path(request.root), tuple(map(Path, request.paths)))
        documents = (
            (self._document(self._workspace.known(uri), buffers), file in named)
            for file in listing.files
            for uri in [uris.from_path(str(file))]
            if file in named or self._workspace.is_of(uri, request.root)
        )
        return [_Task(document, None, is_named) for document, is_named in documents], listing.notes

    def _changed(self, request: ReviewRequest, report: Report, buffers: _Buffers) -> list[_Task]:
        root = Path(request.root or ".")
        return [
            _Task(
                self._document(self._workspace.known(uris.from_path(str(root / change.path))), buffers),
                change.added,
                named=False,
            )
            for change in report.changed
        ]

    async def _examine_changes(self, request: ReviewRequest, buffers: _Buffers) -> Report:
        if request.root is None:
            raise TargetError("There are no changes to review: no folder is open.")
        opened = {
            self._workspace.display_path(uri): buffer.text.content
            for uri, buffer in buffers.items()
            if self._workspace.root_of(uri) == request.root
        }
        job = ChangesJob(request.root, request.base, request.paths, opened, request.suppress)
        try:
            report = await self._pool.run(job)
        except JobError as error:
            raise TargetError(f"The changes could not be examined: {error}.") from error
        if report.refused is not None:
            raise TargetError(report.refused)
        return self._own(report, request.root)

    def _own(self, report: Report, root: str) -> Report:
        """Without what belongs to a root within this one, which is reviewed by itself."""
        folder, is_of = Path(root), self._workspace.is_of
        return replace(
            report,
            findings=tuple(one for one in report.findings if is_of(one.uri, root)),
            changed=tuple(one for one in report.changed if is_of(uris.from_path(str(folder / one.path)), root)),
        )

    async def _examine_all(
        self, tasks: list[_Task], request: ReviewRequest, tally: _Tally
    ) -> AsyncGenerator[Event, None]:
        """Examine all documents, several at once; events come in the order of the documents."""
        running = [asyncio.ensure_future(self._examine(task, suppress=request.suppress)) for task in tasks]
        try:
            for done, (task, job) in enumerate(zip(tasks, running, strict=True), start=1):
                report = await job
                tally.take(report)
                if report.refused is not None and request.scope in {Scope.FILE, Scope.SELECTION}:
                    raise TargetError(report.refused)
                for event in _events(task, report, tally, done, len(tasks)):
                    yield event
        finally:
            for job in running:
                job.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        if tally.without_rules:
            yield Skipped(names_of(tally.without_rules))
        if tally.unreadable:
            yield Skipped(f"Passed over as they hold no text: {counted(tally.unreadable, 'file')}.")

    async def _examine(self, task: _Task, *, suppress: bool) -> Report:
        try:
            return await self._pool.run(FileJob(task.document, task.ranges, suppress, task.questions))
        except JobError as error:
            return Report(refused=f"{task.document.path} could not be examined: {error}.")

    def _chosen(self, request: ReviewRequest, tally: _Tally) -> Iterable[Event]:
        """The findings that the reader sees, best first, and the end of the review."""
        near = request.range.start.line if request.range is not None else None
        choice = chosen(tally.findings, request.most_sent, request.min_confidence, near)
        for finding in choice.shown:
            yield Found(finding, tally.versions.get(finding.uri))
        yield Closed(
            Stop.ANSWERED,
            " ".join(filter(None, (summary_of(choice.shown, _read(tally), request), choice.note))),
            suppressed=tally.suppressed,
            capped=choice.capped,
        )


def _read(tally: _Tally) -> Read:
    report = tally.changes
    return Read(
        tally.files,
        tally.lines,
        tally.rules,
        tally.lines_without_rules,
        {} if report is None else report.without_lines,
        () if report is None else report.submodules,
    )


@dataclass(frozen=True, slots=True)
class _Task:
    """A document to examine, the lines that count (None: all), whether the user named it, and what is always asked."""

    document: Document
    ranges: tuple[Range, ...] | None
    named: bool
    questions: tuple[ProjectQuestion, ...] = ()


def _with_questions(tasks: Iterable[_Task], given: Sequence[tuple[str, str]]) -> tuple[list[_Task], list[str]]:
    """The documents with the standing questions whose pattern they match, and a sentence if some are not put."""
    from socreates_lsp.review.questions import left_out, path_of, standing_questions

    asked = [(one, Globs([one.glob])) for one in standing_questions(given)]
    put = [
        replace(task, questions=tuple(one for one, globs in asked if globs.match(path_of(task.document.path))))
        for task in tasks
    ]
    return put, [*filter(None, [left_out(given)])]


def _within(span: Range, text: Text, path: str) -> Range:
    """A selection cut to the document. Raises TargetError where it lies behind its end."""
    last = text.last_line
    if span.start.line > last:
        lines = counted(last + 1, "line")
        raise TargetError(f"{path} has {lines}; the selection starts at line {span.start.line + 1}.")
    return Range(span.start, min(span.end, Position(last, len(text.line(last)))))


def _events(task: _Task, report: Report, tally: _Tally, done: int, total: int) -> Iterable[Event]:
    document = task.document
    if report.refused is not None:
        if task.named or not report.binary:
            yield Skipped(report.refused, document.uri)
        else:
            tally.unreadable += 1
        return
    if report.no_rules_for is not None:
        tally.without_rules[report.no_rules_for] += 1
        tally.lines_without_rules += report.lines
    whole = Range(Position(0, 0), Position(max(report.lines - 1, 0), report.last_column))
    for span in task.ranges or (whole,):
        yield Reading(document.uri, span, report.rules, done, total, tally.versions.get(document.uri))
    for line, name in report.unknown[:_MOST_UNKNOWN]:
        yield Skipped(
            f"{document.path}:{line + 1}: a comment is to hide {name}, which is neither a rule nor a category: "
            "check its spelling.",
            document.uri,
        )
    if report.broken is not None and task.named:
        yield Skipped(
            f"{document.path} does not parse from line {report.broken + 1} on; "
            "what could be read around it was examined.",
            document.uri,
        )
