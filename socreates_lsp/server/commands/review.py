"""``socreates/review``: carry out a review, with progress, partial results and every kind of cancel."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from socreates_lsp.review.reviewer import ReviewRequest, Scope
from socreates_lsp.server.commands.params import ReviewParams
from socreates_lsp.server.reviewing import (
    cancelled_early,
    carry_out,
    end_of_review,
    findings_now,
    in_code_points,
    shown,
)

if TYPE_CHECKING:
    from socreates_lsp.review.outcome import Outcome
    from socreates_lsp.server.jobs import Job
    from socreates_lsp.server.session import Session


async def review(session: Session, value: Any) -> dict[str, Any]:
    """Review, and answer with the result; with ``wait: false`` at once, the rest goes by diagnostics."""
    params = ReviewParams.of(value)
    outcome = await carry_out(
        session,
        params.handling,
        lambda job: _work(session, job, params),
        lambda outcome: not outcome.findings or params.ask is not None,
    )
    return {"started": True} if outcome is None else await _answer(session, outcome)


async def request_of(session: Session, params: ReviewParams) -> ReviewRequest:
    """What to review, in code points."""
    app = session.app
    uri = None if params.uri is None else app.workspace.known(params.uri)
    span = await in_code_points(session, uri, params.range)
    scope = params.scope or (Scope.CHANGES if params.base else await app.default_scope(uri, span))
    settings = app.settings.review
    return ReviewRequest(
        scope=scope,
        root=app.workspace.root_of(uri),
        uri=uri,
        range=span,
        base=params.base,
        ask=params.ask,
        max_findings=settings.max_findings,
        min_confidence=settings.min_confidence,
    )


async def _work(session: Session, job: Job, params: ReviewParams) -> Outcome:
    try:
        await session.configured()
        request = await request_of(session, params)
    except asyncio.CancelledError:
        return cancelled_early(session)
    session.jobs.claim(job, _target(request))
    title = f"Socreates reads {_name(session, request)}"
    outcome = await shown(
        session, job, params.handling, title, lambda hear: session.app.review(request, hear), end_of_review
    )
    session.unread.take(request, outcome.closed, outcome.examined)
    return outcome


def _target(request: ReviewRequest) -> tuple[object, ...]:
    """What a new review of the same thing replaces: a selection, a document, the changes or all of a root."""
    if request.scope is Scope.SELECTION:
        return (request.uri, request.range)
    return (request.uri,) if request.scope is Scope.FILE else (request.root, request.scope, request.base)


def _name(session: Session, request: ReviewRequest) -> str:
    if request.scope is Scope.CHANGES:
        return "your changes"
    if request.uri is None or request.scope is Scope.WORKSPACE:
        return "the workspace"
    return session.app.display_path(request.uri)


async def _answer(session: Session, outcome: Outcome) -> dict[str, Any]:
    """The result, with every finding where it stands now."""
    wire, closed = session.wire(), outcome.closed

    def receipt() -> dict[str, Any]:
        return {
            "examined": [wire.examined(one) for one in outcome.examined],
            "unread": [wire.lines(one) for one in closed.unread],
        }

    read = await asyncio.to_thread(receipt)
    findings = await findings_now(session, outcome)
    rest = replace(outcome, findings=findings, examined=(), closed=replace(closed, unread=()))
    return {**session.wire().outcome(rest), **read}
