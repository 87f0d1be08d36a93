"""What the examiner can say to a reply: whether its rule still asks, and why it asks. It does not argue."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.review.finding import Source, Status, normalised
from socreates_lsp.review.reviewer import Closed, Found, Judged, Reading, ReviewRequest, Scope, Stop
from socreates_lsp.review.verdict import Verdict
from socreates_lsp.review.wishes import Wish, wish_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import Discussion, Event

    Examine = Callable[[ReviewRequest], AsyncGenerator[Event, None]]

_KEPT = (
    "Kept with this question: the examiner cannot weigh an answer; a model, once model.provider is set or Ollama runs, "
    "would read the lines again, and ask on or withdraw."
)
_CHANGES = "changes-"
"""With what the names of rules about changes begin."""


async def replied(
    discussion: Discussion, examine: Examine, path_of: Callable[[str], str]
) -> AsyncGenerator[Event, None]:
    """The events of a reply, the last two what it comes to and the words. Raises TargetError where a file is gone."""
    finding, wish = discussion.finding, wish_of(discussion.text)
    verdict, text = Verdict.STANDS, _KEPT
    if wish is Wish.TELL_MORE:
        text = _more(finding, path_of)
    elif wish is Wish.LOOK_AGAIN and (finding.rule is None or finding.source is not Source.EXAMINER):
        stale = finding.status is Status.STALE
        how = "have changed since it was asked" if stale else "stand as they stood when it was asked"
        text = f"A model asked this, and none is set up to look again: the lines {how}."
    elif wish is Wish.LOOK_AGAIN:
        again: Finding | None = None
        async with aclosing(_found(discussion, examine)) as events:
            async for event in events:
                if isinstance(event, Found):
                    again = event.finding
                else:
                    yield event
        verdict, text = _judged(finding, again, path_of)
    yield Judged(verdict)
    yield Closed(Stop.ANSWERED, text)


def _more(finding: Finding, path_of: Callable[[str], str]) -> str:
    """What is known of a finding beside its question."""
    who = f"the rule {finding.rule}" if finding.rule else f"the {finding.source.value}"
    places = [f"{path_of(one.uri)}:{one.range.start.line + 1} ({one.message.rstrip('.')})" for one in finding.related]
    also = f" Look also at {', '.join(places)}." if places else ""
    return f"{finding.why or 'Nothing more is known than the question.'}{also} Asked by {who}."


async def _found(discussion: Discussion, examine: Examine) -> AsyncGenerator[Event, None]:
    """What is read to look again, and the finding, if the rule still asks."""
    finding = discussion.finding
    is_change = (finding.rule or "").startswith(_CHANGES)
    scope, uri = (Scope.CHANGES, None) if is_change else (Scope.FILE, finding.uri)
    try:
        async with aclosing(examine(ReviewRequest(scope, discussion.root, uri, max_findings=0))) as events:
            async for event in events:
                if isinstance(event, Reading) or (isinstance(event, Found) and _is_same(event.finding, finding)):
                    yield event
    except TargetError:
        # Without changes there is nothing to ask about them.
        if not is_change:
            raise


def _is_same(new: Finding, old: Finding) -> bool:
    """Whether a rule asks again what it asked: of the same lines, or of one of the places that it had joined."""
    if (new.uri, new.rule, new.subject) != (old.uri, old.rule, old.subject):
        return False
    places = [old.range, *(one.range for one in old.related if one.uri == old.uri)]
    return normalised(new.quote) == normalised(old.quote) or any(map(new.range.overlaps_lines, places))


def _judged(finding: Finding, again: Finding | None, path_of: Callable[[str], str]) -> tuple[Verdict, str]:
    if again is not None:
        place = f"{path_of(again.uri)}:{again.range.start.line + 1}"
        return Verdict.STANDS, f"Looked again: {finding.rule} still asks this at {place}."
    if (finding.rule or "").startswith(_CHANGES) and finding.status is not Status.STALE:
        # It may have been asked about changes against another revision.
        return Verdict.STANDS, "The lines stand as they stood: review the changes again to have them compared."
    return Verdict.RESOLVED, f"Looked again: {finding.rule} finds nothing to ask here any more."
