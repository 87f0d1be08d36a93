"""``socreates/ask``: a question of the user's own, answered by the model in the conversation of the root."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from socreates_lsp.review.reviewer import Question, Stop
from socreates_lsp.server.commands.params import AskParams
from socreates_lsp.server.reviewing import cancelled_early, carry_out, findings_now, in_code_points, shown

if TYPE_CHECKING:
    from socreates_lsp.review.outcome import Outcome
    from socreates_lsp.server.jobs import Job
    from socreates_lsp.server.session import Session


async def ask(session: Session, value: Any) -> dict[str, Any]:
    """Answer; with ``wait: false`` at once, and the answer goes by a message."""
    params = AskParams.of(value)
    outcome = await carry_out(session, params.handling, lambda job: _work(session, job, params), lambda _: True)
    if outcome is None:
        return {"started": True}
    findings = await findings_now(session, outcome)
    return session.wire().answer(replace(outcome, findings=findings, examined=()))


async def _work(session: Session, job: Job, params: AskParams) -> Outcome:
    uri = None if params.uri is None else session.app.workspace.known(params.uri)
    try:
        await session.configured()
        span = await in_code_points(session, uri, params.range)
    except asyncio.CancelledError:
        return cancelled_early(session)
    question = Question(params.text, session.app.workspace.root_of(uri), uri, span)
    title = "Socreates answers"
    return await shown(session, job, params.handling, title, lambda hear: session.app.ask(question, hear), _end_of)


def _end_of(outcome: Outcome) -> str:
    """The words that the progress ends with; the answer itself stands elsewhere."""
    return {Stop.ANSWERED: "Answered.", Stop.CANCELLED: "Cancelled."}.get(outcome.closed.stop, "Stopped.")
