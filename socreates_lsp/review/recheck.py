"""Which findings to look at again when a file is saved, and what a second look at them comes to. Pure."""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from socreates_lsp.review.finding import STANDING_QUESTION, Source, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.workspace.text import Range, Text

_COMPARED = 200
"""Characters of a quotation that are compared."""

_NEAR = 3
"""Lines between a finding that lost its quotation and a place where its rule asks now, for it to be the same one."""


def changed(finding: Finding, text: Text) -> bool:
    """Whether the lines of a finding that is shown are no longer as they were when it was found."""
    if finding.status is Status.STALE:
        return True
    return finding.status is Status.OPEN and text.slice(finding.range) != finding.quote


def by_rules(findings: Iterable[Finding], text: Text) -> list[Finding]:
    """Those that a rule can be asked about again."""
    return [one for one in findings if one.source is Source.EXAMINER and one.rule and changed(one, text)]


def by_model(findings: Iterable[Finding], text: Text) -> list[Finding]:
    """Those that only a model can be asked about again."""
    return [one for one in findings if one.source is Source.MODEL and one.status is Status.STALE and changed(one, text)]


def asked_again(old: Sequence[Finding], hits: Iterable[Finding], others: Iterable[Finding]) -> dict[str, Finding]:
    """What each of some findings is now, by its id; one that its rule asks no more is not in it.

    ``hits`` are what the rules ask of the text now, ``others`` the findings that still stand there, whose hits are
    their own. A hit is the same question if it is of the same rule and touches the old lines, or those of a place
    related to it, or is near by. It keeps the old one's id and thread.
    """
    standing = [(one.rule, one.range) for one in others]
    free = [hit for hit in hits if not any(_is_at(hit, rule, span) for rule, span in standing)]
    found: dict[str, Finding] = {}
    pairs = sorted(
        (distance, -_likeness(one.quote, hit.quote), one.id, at)
        for one in old
        for at, hit in enumerate(free)
        if (distance := _away(one, hit)) <= _NEAR
    )
    taken: set[int] = set()
    by_id = {one.id: one for one in old}
    for _, _, finding_id, at in pairs:
        if finding_id not in found and at not in taken:
            taken.add(at)
            found[finding_id] = replace(free[at], id=finding_id, thread=by_id[finding_id].thread)
    return found


def _likeness(one: str, other: str) -> float:
    """How much two quotations are alike, between 0 and 1: it tells where an edit took several findings together."""
    return SequenceMatcher(None, one[:_COMPARED], other[:_COMPARED], autojunk=False).ratio()


def _is_at(hit: Finding, rule: str | None, span: Range) -> bool:
    return hit.rule == rule and rule != STANDING_QUESTION and hit.range == span


def _away(old: Finding, hit: Finding) -> int:
    """Lines between a finding and a hit; more than enough where they are not of one rule."""
    if old.rule != hit.rule or old.subject != hit.subject:
        return _NEAR + 1
    if old.rule == STANDING_QUESTION:
        return 0
    places = [old.range, *(one.range for one in old.related if one.uri == old.uri)]
    return min(_between(place.lines, hit.range.lines) for place in places)


def _between(one: range, other: range) -> int:
    return max(one.start - other.stop + 1, other.start - one.stop + 1, 0)
