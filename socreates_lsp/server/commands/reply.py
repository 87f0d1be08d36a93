"""``socreates/reply``: the user's word about a finding, answered in the finding's own context."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from socreates_lsp.review.outcome import Replied
from socreates_lsp.review.reviewer import Stop
from socreates_lsp.review.verdict import Verdict
from socreates_lsp.review.wishes import Wish, wish_of
from socreates_lsp.server.commands.params import ReplyParams
from socreates_lsp.server.protocol import INVALID_PARAMS, RequestError
from socreates_lsp.server.reviewing import cancelled_early, carry_out, findings_now, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from socreates_lsp.review.outcome import Outcome
    from socreates_lsp.review.reviewer import Event
    from socreates_lsp.server.jobs import Job
    from socreates_lsp.server.session import Session

_ENDS = {
    Verdict.STANDS: "Answered: it stands.",
    Verdict.WITHDRAWN: "Answered: withdrawn.",
    Verdict.RESOLVED: "Answered: resolved.",
}


async def reply(session: Session, value: Any) -> dict[str, Any]:
    """Answer; with ``wait: false`` at once, and the answer goes to the hover and by a message."""
    params = ReplyParams.of(value)
    if session.app.store.get(params.id) is None:
        raise RequestError(INVALID_PARAMS, f"There is no finding with the id {params.id}.")
    answers = wish_of(params.text) is not Wish.INTENDED
    outcome = await carry_out(session, params.handling, lambda job: _work(session, job, params), lambda _: answers)
    if outcome is None:
        return {"started": True}
    verdict = outcome.verdict if isinstance(outcome, Replied) else Verdict.STANDS
    (finding,) = await findings_now(session, outcome) or (session.app.store.get(params.id),)
    return {
        "text": outcome.closed.summary,
        "verdict": verdict.value,
        "finding": None if finding is None else session.wire().finding(finding),
    }


async def _work(session: Session, job: Job, params: ReplyParams) -> Outcome:
    before = len(session.app.dialogue.warnings)
    title = "Socreates answers"
    try:
        await session.configured()
        outcome = await shown(session, job, params.handling, title, lambda hear: _reply(session, params, hear), _end_of)
    except asyncio.CancelledError:
        # Before anybody was asked: the user's words may be in the thread by then.
        return cancelled_early(session)
    if new := session.app.dialogue.warnings[before:]:
        session.tell("socreates: " + " ".join(new))
    return outcome


async def _reply(session: Session, params: ReplyParams, hear: Callable[[Event], None]) -> Outcome:
    outcome = await session.app.reply(params.id, params.text, hear)
    if outcome is None:
        raise RequestError(INVALID_PARAMS, f"There is no finding with the id {params.id}.")
    return outcome


def _end_of(outcome: Outcome) -> str:
    """The words that the progress ends with."""
    if outcome.closed.stop is Stop.CANCELLED:
        return "Cancelled."
    return _ENDS[outcome.verdict] if isinstance(outcome, Replied) else "Answered."
