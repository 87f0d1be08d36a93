"""``socreates/review``: carry out a review, with progress, partial results and every kind of cancel."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from socreates_lsp.errors import SocreatesError
from socreates_lsp.review.reviewer import Found, Reading, ReviewRequest, Scope, Stop, Withdrawn
from socreates_lsp.server.commands.params import ReviewParams
from socreates_lsp.server.jobs import CancelledBy, Job
from socreates_lsp.server.progress import work_done
from socreates_lsp.server.protocol import REQUEST_CANCELLED, RequestError
from socreates_lsp.workspace.text import Range

if TYPE_CHECKING:
    from collections.abc import Callable

    from socreates_lsp.review.outcome import Outcome
    from socreates_lsp.review.reviewer import Event
    from socreates_lsp.server.progress import Progress
    from socreates_lsp.server.session import Session

log = logging.getLogger(__name__)

_MESSAGE_LENGTH = 300


async def review(session: Session, value: Any) -> dict[str, Any]:
    """Review, and answer with the result; with ``wait: false`` at once, the rest goes by diagnostics."""
    params = ReviewParams.of(value)
    request = await _request(session, params)
    token = params.work_done_token
    job = Job(
        request_id=session.server.protocol.msg_id if params.wait else None,
        target=_target(request),
        tokens=set() if token is None else {token},
    )
    task = session.jobs.start(job, _work(session, job, request, params))
    if not params.wait:
        session.spawn(_tell_end(session, job, task, request))
        return {"started": True}
    outcome = await task
    if job.cancelled_by in {CancelledBy.REQUEST, CancelledBy.SHUTDOWN}:
        raise RequestError(REQUEST_CANCELLED, "Cancelled.")
    return session.wire().outcome(outcome)


async def _request(session: Session, params: ReviewParams) -> ReviewRequest:
    """What to review, in code points."""
    app = session.app
    span = params.range
    if span is not None and params.uri is not None:
        span = _in_code_points(session, params.uri, span)
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


def _in_code_points(session: Session, uri: str, span: Range) -> Range:
    """A client's range in code points; one that ends at the start of a line ends on the line before.

    Lines past the end stay as they are, for the reviewer to refuse.
    """
    text = session.app.text(uri)
    if text is None or span.start.line >= len(text):
        return span
    encoding = session.client.encoding
    start, end = text.from_client(span.start, encoding), text.from_client(span.end, encoding)
    if end.column == 0 and end.line > start.line:
        end = replace(end, line=end.line - 1, column=len(text.line(end.line - 1)))
    return Range(start, end)


def _target(request: ReviewRequest) -> tuple[object, ...]:
    """What a new review of the same thing replaces: the document, the changes or the workspace of a root."""
    if request.scope is Scope.SELECTION:
        return (request.uri, request.range)
    return (request.root, request.scope if request.uri is None else request.uri)


async def _work(session: Session, job: Job, request: ReviewRequest, params: ReviewParams) -> Outcome:
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


async def _tell_end(session: Session, job: Job, task: Any, request: ReviewRequest) -> None:
    """After ``wait: false``: what stands on no line, in one message, to clients that have no view of ours."""
    try:
        outcome: Outcome = await task
    except SocreatesError as error:
        session.tell(str(error)[:_MESSAGE_LENGTH])
        return
    if job.cancelled_by is not None or session.client.findings:
        return
    if not outcome.findings or request.ask:
        words = " ".join([outcome.closed.summary, *(one.reason for one in outcome.skipped)])
        session.tell(words[:_MESSAGE_LENGTH], types.MessageType.Info)
