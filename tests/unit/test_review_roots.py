"""One review over several roots: what is asked in each, and what is made of the answers."""

from __future__ import annotations

import pytest

from socreates_lsp.errors import ReviewError, TargetError
from socreates_lsp.review.outcome import Outcome
from socreates_lsp.review.reviewer import Closed, Reading, ReviewRequest, Scope, Stop, Usage
from socreates_lsp.review.roots import in_each_root, reviewed
from socreates_lsp.workspace.text import Range, Text
from tests.unit.samples import about

ROOTS = ("/w/one", "/w/two", "/w/three")
TEXT = Text("a()\nb()\nc()\n")


def outcome(line: int, stop: Stop = Stop.ANSWERED, summary: str = "Read.") -> Outcome:
    closed = Closed(stop, summary, rounds=1, suppressed=2, capped=3, ungrounded=4, withheld=5, refuted=6)
    return Outcome((about(TEXT, line),), closed, "examiner", None, (), usage=Usage(1, 2, 3, 0.5), dismissed=7)


async def review(*answers, hear=None):
    """Review the roots with these outcomes or errors; what comes of it, and the roots that were reviewed."""
    seen: list[str | None] = []

    async def one(request, on_event):
        answer = answers[len(seen)]
        seen.append(request.root)
        if on_event is not None:
            for done in (1, 2):
                on_event(Reading("file:///x", Range.of(0, 0, 0, 0), 1, done, 2))
        if isinstance(answer, Exception):
            raise answer
        return answer

    requests = in_each_root(ReviewRequest(Scope.WORKSPACE, ROOTS[0]), ROOTS)
    return await reviewed(requests, one, hear), seen


@pytest.mark.parametrize("scope", [Scope.WORKSPACE, Scope.CHANGES])
def test_the_workspace_and_its_changes_are_those_of_every_root(scope) -> None:
    request = ReviewRequest(scope, ROOTS[0], base="main", max_findings=3)
    assert in_each_root(request, ROOTS) == [ReviewRequest(scope, root, base="main", max_findings=3) for root in ROOTS]
    assert in_each_root(request, ROOTS[:1]) == [request]
    assert in_each_root(ReviewRequest(scope, None), ()) == [ReviewRequest(scope, None)]


@pytest.mark.parametrize(
    "request_",
    [
        ReviewRequest(Scope.FILE, ROOTS[1], uri="file:///w/two/a.py"),
        ReviewRequest(Scope.CHANGES, ROOTS[1], uri="file:///w/two/a.py"),
        ReviewRequest(Scope.WORKSPACE, ROOTS[1], paths=("/w/two/src",)),
    ],
)
def test_what_names_a_document_or_a_path_means_one_root(request_) -> None:
    assert in_each_root(request_, ROOTS) == [request_]


async def test_all_that_was_found_and_counted_is_joined() -> None:
    whole, seen = await review(outcome(0), outcome(1), outcome(1))
    assert seen == list(ROOTS)
    assert [one.range.start.line for one in whole.findings] == [0, 1], "nested roots find the same once more"
    closed = Closed(Stop.ANSWERED, "one: Read. two: Read. three: Read.", 3, 6, 9, 12, 15, 18)
    assert (whole.closed, whole.usage, whole.dismissed) == (closed, Usage(3, 6, 9, 1.5), 21)


async def test_a_root_with_nothing_to_do_is_passed_over_with_a_sentence() -> None:
    whole, _ = await review(TargetError("It has no git."), outcome(0), outcome(1))
    assert [one.reason for one in whole.skipped] == ["one was passed over. It has no git."]
    assert whole.closed.stop is Stop.ANSWERED
    with pytest.raises(TargetError, match=r"one was passed over\. A\. two was passed over\. B\. three"):
        await review(TargetError("A."), TargetError("B."), TargetError("C."))


async def test_a_cancel_ends_them_all() -> None:
    whole, seen = await review(outcome(0), outcome(1, Stop.CANCELLED, "Cancelled."))
    assert (whole.closed.stop, seen) == (Stop.CANCELLED, list(ROOTS[:2]))
    assert len(whole.findings) == 2


async def test_a_failure_after_a_finding_comes_first_and_one_before_any_is_raised() -> None:
    for failure in (ReviewError("No model."), outcome(1, Stop.FAILED, "No model.")):
        whole, seen = await review(outcome(0), failure)
        assert whole.closed.stop is Stop.FAILED
        assert whole.closed.summary == "No model. one: Read."
        assert seen == list(ROOTS[:2])
    with pytest.raises(ReviewError, match="No model"):
        await review(ReviewError("No model."), outcome(0))


async def test_a_limit_in_one_root_is_the_stop_of_all() -> None:
    whole, seen = await review(outcome(0), outcome(1, Stop.LIMIT), outcome(2))
    assert (whole.closed.stop, len(seen)) == (Stop.LIMIT, 3)


async def test_progress_never_goes_back() -> None:
    heard: list[Reading] = []
    await review(outcome(0), outcome(1), outcome(2), hear=heard.append)
    assert [(one.done, one.total) for one in heard] == [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (6, 6)]
