"""Which talks are forgotten: what is old and holds nothing; of too many the oldest."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from socreates_lsp.dialogue import forgetting
from socreates_lsp.dialogue.forgetting import forgotten, refreshed
from socreates_lsp.review.answers import Anchor
from socreates_lsp.review.finding import Category, Reply, Status
from socreates_lsp.review.ledger import Dismissal
from socreates_lsp.review.talks import Talk

if TYPE_CHECKING:
    import pytest

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ANCHOR = Anchor("db.py", "with LOCK:", 6, "The lock.")


def talk(name: str, days: float, status: Status = Status.ANSWERED, *, met: float | None = None, **more) -> Talk:
    """A talk whose last word was said, and whose question was met, so many days ago."""
    said, seen = ((NOW - timedelta(days=one)).isoformat() for one in (days, days if met is None else met))
    about = Dismissal(name, "app.py", Category.CORRECTNESS, "x = 1", "Why?", at=seen)
    return Talk(about, status, (Reply("user", "So it is.", said),), **more)


def test_what_is_old_and_holds_nothing_is_forgotten() -> None:
    talks = [
        talk("new", 29),
        talk("old", 31),
        talk("old but met", 300, met=29),
        talk("old and open in the store", 31, Status.OPEN),
        talk("old and only said", 31, Status.OPEN),
        talk("anchored", 300, anchors=(ANCHOR,)),
        talk("anchored, and opened again", 300, Status.OPEN, anchors=(ANCHOR,)),
    ]
    assert forgotten(talks, NOW, 30, {"old and open in the store"}) == {
        "old",
        "old and only said",
        "anchored, and opened again",
    }
    assert forgotten(talks, NOW, 10**9, ()) == set()


def test_of_too_many_the_oldest_go_and_those_that_hold_something_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "MOST", 2)
    talks = [talk("a", 1), talk("b", 3), talk("c", 2), talk("d", 9, anchors=(ANCHOR,)), talk("e", 10)]
    assert forgotten(talks, NOW, 30, {"e"}) == {"a", "b", "c"}
    assert forgotten(talks[:3], NOW, 30, ()) == {"b"}
    assert forgotten([*talks[3:], talk("f", 12)], NOW, 30, {"e", "f"}) == {"f"}


def test_what_a_review_met_is_young_again_and_is_not_written_anew_each_time() -> None:
    talks = [talk("met", 20), talk("not met", 20), talk("met lately", 20, met=2)]
    (young,) = refreshed(talks, NOW, 30, {"met", "met lately"})
    assert (young.id, young.about.at, young.at) == ("met", "2026-05-01T00:00:00.000Z", talks[0].at)
    assert forgotten([young], NOW + timedelta(days=29), 30, ()) == set()


def test_a_talk_without_a_time_is_never_old() -> None:
    old = talk("old", 31)
    nameless = replace(old, about=replace(old.about, at="last week"), thread=())
    assert forgotten([nameless], NOW, 30, ()) == set()
