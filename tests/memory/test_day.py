"""What was used today."""

from __future__ import annotations

import stat
from datetime import date
from pathlib import Path

import pytest

from socreates_lsp.memory.day import DayUsage

TODAY = date(2026, 3, 1)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def usage(state: Path, day: date = TODAY) -> DayUsage:
    return DayUsage(state, lambda: day)


def file(state: Path, day: date = TODAY) -> Path:
    return state / "usage" / f"{day}.jsonl"


def test_it_adds_up_over_servers(state: Path) -> None:
    one, two = usage(state), usage(state)
    assert one.spent() == (0, 0.0)
    assert not state.exists()
    one.add(100, 0.25)
    two.add(50, 0.5)
    two.add(0, 0.25)
    assert one.spent() == two.spent() == usage(state).spent() == (150, 1.0)
    one.add(1, 0)
    assert two.spent() == (151, 1.0)
    assert stat.S_IMODE(file(state).stat().st_mode) == 0o600
    assert one.warnings == ()


@pytest.mark.parametrize(("tokens", "cost"), [(0, 0.0), (-5, -1.0), (0, float("nan")), (0, float("inf"))])
def test_nothing_is_passed_over(tokens: int, cost: float, state: Path) -> None:
    usage(state).add(tokens, cost)
    assert not state.exists()


def test_a_new_day_starts_at_nothing_and_removes_old_ones(state: Path) -> None:
    today = [date(2026, 2, 27)]
    day = DayUsage(state, lambda: today[0])
    for now in (date(2026, 2, 27), date(2026, 2, 28), TODAY):
        today[0] = now
        assert day.spent() == (0, 0.0)
        day.add(1, 0)
        assert day.spent() == (1, 0.0)
    (state / "usage" / "mine.jsonl").touch()
    assert sorted(path.name for path in (state / "usage").iterdir()) == [
        *("2026-02-28.jsonl", "2026-03-01.jsonl", "mine.jsonl"),
    ]


def test_damage_is_passed_over(state: Path) -> None:
    usage(state).add(1, 0.5)
    bad = [
        b"\xff", b"[]", b"{", b"", b'{"tokens": true, "costUsd": true}', b'{"tokens": -9, "costUsd": -9}',
        b'{"tokens": "9", "costUsd": "9"}', b'{"tokens": 1e400, "costUsd": 1e400}', b'{"costUsd": NaN}',
        b'{"tokens": 1' + b"0" * 400 + b', "costUsd": 1' + b"0" * 400 + b"}", b'{"tokens": 2}',
    ]  # fmt: skip
    with file(state).open("ab") as out:
        out.write(b"\n".join(bad) + b'\n{"tokens": 77')
    day = usage(state)
    assert day.spent() == (3, 0.5)
    day.add(4, 0.5)
    assert day.spent() == usage(state).spent() == (7, 1.0)


def test_what_cannot_be_written_counts_in_this_process() -> None:
    day = usage(Path("/dev/null"))
    day.add(5, 0.5)
    assert day.spent() == (5, 0.5)
    assert "cannot be" in day.warnings[0]


def test_a_folder_in_its_place_is_a_warning(state: Path) -> None:
    file(state).mkdir(parents=True)
    day = usage(state)
    assert day.spent() == (0, 0.0)
    assert "cannot be read" in day.warnings[0]
    day.add(5, 0.5)
    assert day.spent() == (5, 0.5)


def test_the_day_is_the_users(state: Path) -> None:
    day = DayUsage(state)
    day.add(1, 0)
    assert day.spent() == (1, 0.0)
