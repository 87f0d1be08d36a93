"""A review of a workspace with several roots: the same review in each of them, and one outcome. No I/O of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.errors import SocreatesError, TargetError
from socreates_lsp.review.outcome import Outcome
from socreates_lsp.review.reviewer import Closed, Reading, Scope, Skipped, Stop, Usage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from socreates_lsp.review.reviewer import Event, ReviewRequest

    Hear = Callable[[Event], None]

_ENDS_ALL = frozenset({Stop.CANCELLED, Stop.FAILED})
"""After these the roots that are left are not reviewed."""


def in_each_root(request: ReviewRequest, roots: Sequence[str]) -> list[ReviewRequest]:
    """The requests that a request comes to: one for every root if it names no document and no path."""
    everywhere = request.scope in {Scope.CHANGES, Scope.WORKSPACE} and request.uri is None and not request.paths
    if not everywhere or len(roots) < 2:
        return [request]
    return [replace(request, root=root) for root in roots]


async def reviewed(
    requests: Sequence[ReviewRequest],
    review: Callable[[ReviewRequest, Hear | None], Awaitable[Outcome]],
    on_event: Hear | None = None,
) -> Outcome:
    """Carry out the requests one after the other and join what comes of them; each has its own ``max_findings``.

    A root in which there is nothing to do (for ``changes``: no git repository) is passed over with a sentence, as
    long as there is another. Raises what the review raises where nothing was found before, and TargetError with
    the sentences of all roots where none has anything to do.
    """
    if len(requests) == 1:
        return await review(requests[0], on_event)
    outcomes: list[tuple[str, Outcome]] = []
    passed: list[Skipped] = []
    for number, request in enumerate(requests):
        name = (request.root or "").replace("\\", "/").rpartition("/")[2]
        try:
            outcome = await review(request, _heard(on_event, number, len(requests)))
        except TargetError as error:
            passed.append(Skipped(f"{name} was passed over. {error}"))
            continue
        except SocreatesError as error:
            if not any(one.findings for _, one in outcomes):
                raise
            failed = Outcome((), Closed(Stop.FAILED, str(error)), outcomes[0][1].provider, outcomes[0][1].model, ())
            outcomes.append((name, failed))
            break
        outcomes.append((name, outcome))
        if outcome.closed.stop in _ENDS_ALL:
            break
    if not outcomes:
        raise TargetError(" ".join(one.reason for one in passed))
    return joined(outcomes, passed)


def joined(outcomes: Sequence[tuple[str, Outcome]], passed: Sequence[Skipped] = ()) -> Outcome:
    """One outcome of several, each with the name of its root. A failure comes first in the summary."""
    ends = [(name, outcome.closed) for name, outcome in outcomes]
    stops = [end.stop for _, end in ends]
    stop = next((one for one in reversed(stops) if one is not Stop.ANSWERED), Stop.ANSWERED)
    ends.sort(key=lambda end: end[1].stop is not Stop.FAILED)
    every = [outcome for _, outcome in outcomes]
    return Outcome(
        findings=tuple({finding.id: finding for one in every for finding in one.findings}.values()),
        closed=Closed(
            stop,
            " ".join(end.summary if end.stop is Stop.FAILED else f"{name}: {end.summary}" for name, end in ends),
            rounds=sum(end.rounds for _, end in ends),
            suppressed=sum(end.suppressed for _, end in ends),
            capped=sum(end.capped for _, end in ends),
            ungrounded=sum(end.ungrounded for _, end in ends),
            withheld=sum(end.withheld for _, end in ends),
            refuted=sum(end.refuted for _, end in ends),
        ),
        provider=every[0].provider,
        model=every[0].model,
        examined=tuple(examined for one in every for examined in one.examined),
        skipped=(*passed, *(skipped for one in every for skipped in one.skipped)),
        usage=Usage(
            sum(one.usage.input_tokens for one in every),
            sum(one.usage.cached_tokens for one in every),
            sum(one.usage.output_tokens for one in every),
            sum(one.usage.cost_usd for one in every),
        ),
        dismissed=sum(one.dismissed for one in every),
    )


def _heard(on_event: Hear | None, number: int, total: int) -> Hear | None:
    """A listener that is told of one root out of several as of a part of the whole: progress never goes back."""
    if on_event is None:
        return None

    def hear(event: Event) -> None:
        if isinstance(event, Reading):
            event = replace(event, done=number * event.total + event.done, total=total * event.total)
        on_event(event)

    return hear
