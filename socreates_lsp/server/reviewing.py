"""What every command that lets a reviewer work does: columns into code points, events to the client, the end shown."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from socreates_lsp.errors import SocreatesError
from socreates_lsp.review.counting import tally_of
from socreates_lsp.review.outcome import Outcome
from socreates_lsp.review.reviewer import Closed, Doing, Found, Reading, Said, Stop, Withdrawn
from socreates_lsp.server.jobs import CancelledBy, Job
from socreates_lsp.server.progress import work_done
from socreates_lsp.server.protocol import REQUEST_CANCELLED, RequestError, answer_to
from socreates_lsp.workspace.text import Range

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import Event
    from socreates_lsp.server.commands.params import Handling
    from socreates_lsp.server.progress import Progress
    from socreates_lsp.server.session import Session
    from socreates_lsp.workspace.text import Encoding, Text

ENDED_WELL = frozenset({Stop.ANSWERED, Stop.STEP_LIMIT})
_MESSAGE_LENGTH = 300
"""Characters of a message to the user."""


async def in_code_points(session: Session, uri: str | None, span: Range | None) -> Range | None:
    """A client's range of a document in code points; None without one."""
    if span is None or uri is None:
        return span
    text = await _text(session, uri)
    return span if text is None else _in_code_points(text, span, session.client.encoding)


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


async def carry_out(
    session: Session,
    handling: Handling,
    work: Callable[[Job], Coroutine[Any, Any, Outcome]],
    tell: Callable[[Outcome], bool],
) -> Outcome | None:
    """Start some work as a job and wait for it; None with ``wait: false``, where the rest goes by diagnostics.

    ``tell``: whether what stands on no line is then shown as a message. Raises RequestError if the request was
    cancelled, and what the work raises.
    """
    job = Job(
        request_id=session.server.protocol.msg_id if handling.wait else None,
        tokens=set() if handling.work_done_token is None else {handling.work_done_token},
    )
    task = session.jobs.start(job, work(job))
    if not handling.wait:
        session.spawn(_tell_end(session, job, task, tell))
        return None
    outcome = await task
    if job.cancelled_by in {CancelledBy.REQUEST, CancelledBy.SHUTDOWN}:
        raise RequestError(REQUEST_CANCELLED, "Cancelled.")
    return outcome


async def shown(
    session: Session,
    job: Job,
    handling: Handling,
    title: str,
    run: Callable[[Callable[[Event], None]], Awaitable[Outcome]],
    end_of: Callable[[Outcome], str],
) -> Outcome:
    """Run something with progress and partial results, and show its end state. Raises what it raises.

    ``end_of`` gives the words that the progress ends with.
    """
    async with work_done(session, job, handling.work_done_token, title) as (progress, ending):
        try:
            outcome = await run(_listener(session, progress, handling.partial_result_token))
        except SocreatesError as error:
            ending.message = str(error)
            raise
        ending.message = end_of(outcome)
    _publish(session, outcome)
    return outcome


async def findings_now(session: Session, outcome: Outcome) -> tuple[Finding, ...]:
    """Every finding where it stands now. Files that are not open are read outside of the loop."""
    wire = session.wire()
    await asyncio.to_thread(wire.read, outcome.findings)
    store = session.app.store
    for uri in {finding.uri for finding in outcome.findings}:
        session.publisher.findings(uri, wire)
    return tuple(store.get(finding.id) or finding for finding in outcome.findings)


def cancelled_early(session: Session) -> Outcome:
    """What a review comes to that was cancelled before it was clear what to read."""
    task = asyncio.current_task()
    assert task is not None
    task.uncancel()
    closed = Closed(Stop.CANCELLED, "Cancelled. Nothing was read.")
    return Outcome((), closed, session.app.settings.model.provider.value, None, ())


def _listener(session: Session, progress: Progress, token: int | str | None) -> Callable[[Event], None]:
    def hear(event: Event) -> None:
        match event:
            case Reading(uri, _, _, done, total):
                percentage = 100 * done // total if total > 1 else None
                progress.report(f"reading {session.app.display_path(uri)}", percentage)
            case Doing(message):
                progress.report(message)
            case Said(text):
                if token is not None:
                    _partial(session, token, {"text": text})
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


def end_of_review(outcome: Outcome) -> str:
    """The words that the progress of a review ends with: ``3 questions``, or what was read in vain."""
    if outcome.closed.stop is Stop.CANCELLED:
        return "Cancelled."
    if outcome.findings:
        found = tally_of(outcome.findings)
        return found if outcome.closed.stop in ENDED_WELL else f"{found}. {outcome.closed.summary}"[:_MESSAGE_LENGTH]
    return outcome.closed.summary.rstrip(".").replace("the examiner read ", "") + dismissed_before(outcome)


def dismissed_before(outcome: Outcome) -> str:
    """What silence is to be completed with: how many questions there would have been, had they not been dismissed."""
    return f" ({outcome.dismissed:,} dismissed before)" if outcome.dismissed else ""


async def _tell_end(session: Session, job: Job, task: Any, tell: Callable[[Outcome], bool]) -> None:
    """After ``wait: false``: what stands on no line, in one message, to clients that have no view of ours."""
    try:
        outcome: Outcome = await task
    except Exception as error:
        session.tell(answer_to(error)[1][:_MESSAGE_LENGTH])
        return
    if job.cancelled_by is not None:
        return
    words = " ".join([outcome.closed.summary + dismissed_before(outcome), *(one.reason for one in outcome.skipped)])
    if outcome.closed.stop is Stop.FAILED:
        session.tell(words[:_MESSAGE_LENGTH])
    elif not session.client.findings and (tell(outcome) or outcome.closed.stop not in ENDED_WELL):
        session.tell(words[:_MESSAGE_LENGTH], types.MessageType.Info)
