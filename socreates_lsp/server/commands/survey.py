"""``socreates/survey``: a report on the whole project, in four sections, each claim with its source."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from socreates_lsp.review.outcome import Surveyed
from socreates_lsp.review.reviewer import Stop
from socreates_lsp.server.commands.params import SurveyParams
from socreates_lsp.server.protocol import INVALID_PARAMS, RequestError
from socreates_lsp.server.reviewing import cancelled_early, carry_out, findings_now, shown

if TYPE_CHECKING:
    from socreates_lsp.review.outcome import Outcome
    from socreates_lsp.server.jobs import Job
    from socreates_lsp.server.session import Session

_ENDED = {Stop.ANSWERED: "Surveyed.", Stop.STEP_LIMIT: "Surveyed.", Stop.CANCELLED: "Cancelled."}


async def survey(session: Session, value: Any) -> dict[str, Any]:
    """Survey the root of ``uri``, the first root without one; a newer survey of it takes the place of one that runs."""
    params = SurveyParams.of(value)
    if session.app.workspace.root_of(params.uri) is None:
        raise RequestError(INVALID_PARAMS, "There is no folder open that could be surveyed.")
    outcome = await carry_out(session, params.handling, lambda job: _work(session, job, params), lambda _: True)
    if outcome is None:
        return {"started": True}
    findings = await findings_now(session, outcome)
    return session.wire().survey(_surveyed(replace(outcome, findings=findings, examined=())))


async def _work(session: Session, job: Job, params: SurveyParams) -> Outcome:
    root = session.app.workspace.root_of(params.uri)
    assert root is not None, "looked at before"
    session.jobs.claim(job, ("survey", root))
    try:
        await session.configured()
    except asyncio.CancelledError:
        return cancelled_early(session)

    async def run(hear: Any) -> Outcome:
        return await session.app.survey(root, params.focus, hear)

    return await shown(session, job, params.handling, "Socreates surveys the project", run, _end_of)


def _surveyed(outcome: Outcome) -> Surveyed:
    """The outcome of a survey; one that was cancelled before it began has no sources."""
    if isinstance(outcome, Surveyed):
        return outcome
    return Surveyed.of(outcome, outcome.closed, (), (outcome.provider, outcome.model))


def _end_of(outcome: Outcome) -> str:
    """The words that the progress ends with."""
    return _ENDED.get(outcome.closed.stop, "Surveyed, as far as it came.")
