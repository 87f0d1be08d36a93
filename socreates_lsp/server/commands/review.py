"""``socreates/review``: carry out a review, with progress, partial results and every kind of cancel."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from socreates_lsp.errors import SocreatesError
from socreates_lsp.review.outcome import Outcome
from socreates_lsp.review.reviewer import Closed, Found, Reading, ReviewRequest, Scope, Stop, Withdrawn
from socreates_lsp.server.commands.params import ReviewParams
from socreates_lsp.server.jobs import CancelledBy, Job
from socreates_lsp.server.progress import work_done
from socreates_lsp.server.protocol import REQUEST_CANCELLED, RequestError, answer_to
from socreates_lsp.workspace.text import Range

if TYPE_CHECKING:
    from collections.abc import Callable

    from socreates_lsp.review.reviewer import Event
    from socreates_lsp.server.progress import Progress
    from socreates_lsp.server.session import Session
    from socreates_lsp.workspace.text import Encoding, Text

log = logging.getLogger(__name__)

_MESSAGE_LENGTH = 300


async def review(session: Session, value: Any) -> dict[str, Any]:
    """Review, and answer with the result; with ``wait: false`` at once, the rest goes by diagnostics."""
    params = ReviewParams.of(value)
    job = Job(
        request_id=session.server.protocol.msg_id if params.wait else None,
        tokens=set() if params.work_done_token is None else {params.work_done_token},
    )
    task = session.jobs.start(job, _work(session, job, params))
    if not params.wait:
        session.spawn(_tell_end(session, job, task, params))
        return {"started": True}
    outcome = await task
    if job.cancelled_by in {CancelledBy.REQUEST, CancelledBy.SHUTDOWN}:
        raise RequestError(REQUEST_CANCELLED, "Cancelled.")
    return await _answer(session, outcome)


async def _answer(session: Session, outcome: Outcome) -> dict[str, Any]:
    """The result, with every finding where it stands now. Files that are not open are read outside of the loop."""
    wire = session.wire()
    examined = await asyncio.to_thread(lambda: [session.wire().examined(one) for one in outcome.examined])
    await asyncio.to_thread(wire.read, outcome.findings)
    store = session.app.store
    for uri in {finding.uri for finding in outcome.findings}:
        session.publisher.findings(uri, wire)
    findings = tuple(store.get(finding.id) or finding for finding in outcome.findings)
    return {**wire.outcome(replace(outcome, findings=findings, examined=())), "examined": examined}


async def _request(session: Session, params: ReviewParams) -> ReviewRequest:
    """What to review, in code points."""
    app = session.app
    span = params.range
    if span is not None and params.uri is not None:
        text = await _text(session, params.uri)
        span = span if text is None else _in_code_points(text, span, session.client.encoding)
    scope = params.scope or (Scope.CHANGES if params.base else await app.default_scope(params.uri, span))
    settings = app.settings.review
    return ReviewRequest(
        scope=scope,
        root=app.workspace.root_of(params.uri),
        uri=params.uri,
        range=span,
        base=params.base,
        ask=params.ask,
        max_findings=settings.max_findings,
        min_confidence=settings.min_confidence,
    )


async def _text(session: Session, uri: str) -> Text | None:
    buffer = session.app.workspace.buffers.get(uri)
    return await asyncio.to_thread(session.app.text, uri) if buffer is None else buffer.text


def _in_code_points(text: Text, span: Range, encoding: Encoding) -> Range:
    """A client's range in code points; one that ends at the start of a line ends on the line before.

    Lines past the end stay as they are, for the reviewer to refuse.
    """
    if span.start.line >= len(text):
        return span
    start, end = text.from_client(span.start, encoding), text.from_client(span.end, encoding)
    if end.column == 0 and end.line > start.line:
        end = replace(end, line=end.line - 1, column=len(text.line(end.line - 1)))
    return Range(start, end)


def _target(request: ReviewRequest) -> tuple[object, ...]:
    """What a new review of the same thing replaces: a selection, a document, the changes or all of a root."""
    if request.scope is Scope.SELECTION:
        return (request.uri, request.range)
    return (request.uri,) if request.scope is Scope.FILE else (request.root, request.scope, request.base)


async def _work(session: Session, job: Job, params: ReviewParams) -> Outcome:
    try:
        request = await _request(session, params)
    except asyncio.CancelledError:
        return _cancelled_early(session)
    session.jobs.claim(job, _target(request))
    title = "Socreates reads " + _name(session, request)
    async with work_done(session, job, params.work_done_token, title) as (progress, ending):
        listener = _listener(session, progress, params.partial_result_token)
        try:
            outcome = await session.app.review(request, listener)
        except SocreatesError as error:
            ending.message = str(error)
            raise
        ending.message = _end_of(outcome)
    _publish(session, outcome)
    return outcome


def _cancelled_early(session: Session) -> Outcome:
    """What a review comes to that was cancelled before it was clear what to read."""
    task, reviewer = asyncio.current_task(), session.app.reviewer()
    assert task is not None
    task.uncancel()
    closed = Closed(Stop.CANCELLED, "Cancelled. Nothing was read.")
    return Outcome((), closed, reviewer.provider, reviewer.model, ())


def _name(session: Session, request: ReviewRequest) -> str:
    if request.scope is Scope.CHANGES:
        return "your changes"
    if request.uri is None or request.scope is Scope.WORKSPACE:
        return "the workspace"
    return session.app.display_path(request.uri)


def _listener(session: Session, progress: Progress, token: int | str | None) -> Callable[[Event], None]:
    def hear(event: Event) -> None:
        match event:
            case Reading(uri, _, _, done, total):
                percentage = 100 * done // total if total > 1 else None
                progress.report(f"reading {session.app.display_path(uri)}", percentage)
            case Found(finding):
                session.publisher.publish_soon(finding.uri)
                if token is not None:
                    _partial(session, token, {"findings": [session.wire().finding(finding)]})
            case Withdrawn(finding_id):
                finding = session.app.store.get(finding_id)
                if finding is not None:
                    session.publisher.publish_soon(finding.uri)
                if token is not None:
                    _partial(session, token, {"withdrawn": [finding_id]})
            case _:
                pass

    return hear


def _partial(session: Session, token: int | str, value: dict[str, Any]) -> None:
    session.server.progress(types.ProgressParams(token=token, value=value))


def _publish(session: Session, outcome: Outcome) -> None:
    """Show the end state at once where a document is open: before the answer to the request.

    What is shown somewhere and stands nowhere any more goes too, such as findings in a file that was deleted.
    """
    shown, standing = session.publisher.shown, session.app.store.uris()
    touched = {finding.uri for finding in outcome.findings} | {one.uri for one in outcome.examined}
    for uri in sorted(touched | (shown - standing)):
        if session.app.workspace.buffers.get(uri) is not None:
            session.publisher.publish_now(uri)
        elif uri in shown | standing:
            session.publisher.publish_soon(uri)


def _end_of(outcome: Outcome) -> str:
    """The words that the progress ends with: ``3 questions``, or what was read in vain."""
    from socreates_lsp.examiner.summary import tally_of

    if outcome.closed.stop is Stop.CANCELLED:
        return "Cancelled."
    if outcome.findings:
        return tally_of(outcome.findings)
    return outcome.closed.summary.rstrip(".").replace("the examiner read ", "")


async def _tell_end(session: Session, job: Job, task: Any, params: ReviewParams) -> None:
    """After ``wait: false``: what stands on no line, in one message, to clients that have no view of ours."""
    try:
        outcome: Outcome = await task
    except Exception as error:
        session.tell(answer_to(error)[1][:_MESSAGE_LENGTH])
        return
    if job.cancelled_by is not None or session.client.findings:
        return
    if not outcome.findings or params.ask:
        words = " ".join([outcome.closed.summary, *(one.reason for one in outcome.skipped)])
        session.tell(words[:_MESSAGE_LENGTH], types.MessageType.Info)
