"""Which talks a root forgets, so that its file does not grow for ever; and which are fresh again. Pure.

A talk is as old as its last word, or as the last review that met its question, whichever is later.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from socreates_lsp.memory.encoding import time_of
from socreates_lsp.review.talks import SETTLED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from socreates_lsp.review.talks import Talk

MOST = 2000
"""Talks of one root that are kept."""

_LONGEST_DAYS = 36_500
_NEVER_OLD = datetime.max.replace(tzinfo=UTC)


def forgotten(talks: Iterable[Talk], at: datetime, keep_days: int, opened: Collection[str]) -> set[str]:
    """The ids of talks that are older than so many days at a moment, and beyond ``MOST`` the oldest.

    What holds a question down by an answer that cites code has no age, nor has the talk about one that is open
    (``opened``: the ids of such findings); of too many they are the last to go.
    """
    limit = at - _days(keep_days)
    by_age = sorted(talks, key=lambda talk: (_is_needed(talk, opened), _seen(talk)))
    old = {talk.id for talk in by_age if _seen(talk) < limit and not _is_needed(talk, opened)}
    return old | {talk.id for talk in by_age[: max(len(by_age) - MOST, 0)]}


def refreshed(talks: Iterable[Talk], at: datetime, keep_days: int, met: Collection[str]) -> list[Talk]:
    """Those of some talks that a review met (by their ids), as young as this moment; not those that are young."""
    young = at - _days(keep_days) / 10
    now = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return [
        replace(talk, about=replace(talk.about, at=now)) for talk in talks if talk.id in met and _seen(talk) < young
    ]


def _days(keep_days: int) -> timedelta:
    return timedelta(days=min(keep_days, _LONGEST_DAYS))


def _is_needed(talk: Talk, opened: Collection[str]) -> bool:
    return talk.id in opened or (talk.status in SETTLED and bool(talk.anchors))


def _seen(talk: Talk) -> datetime:
    """When it was last of use; one that does not say so is never old."""
    times = [moment for at in (talk.at, talk.about.at) if (moment := time_of(at)) is not None]
    return max(times, default=_NEVER_OLD)
