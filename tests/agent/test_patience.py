"""The time of a turn stands still while the user is asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.agent import patience
from socreates_lsp.agent import turn as turn_module
from socreates_lsp.agent.patience import Patient, in_time
from socreates_lsp.prompting import Nobody
from socreates_lsp.review.reviewer import Stop
from socreates_lsp.tools.tool import ToolResult
from tests.agent.fake_model import FakeModel
from tests.agent.test_turn import FakeTool, Talk

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Clock:
    """Goes on only when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


class Thinker(Nobody):
    """A user who takes so many seconds for an answer."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self.clock = clock
        self.seconds = seconds

    async def ask(self, question: str, choices: tuple[str, ...]) -> str | None:
        self.clock.now += self.seconds
        await asyncio.sleep(0)
        return choices[0]

    async def write(self, question: str) -> str | None:
        self.clock.now += self.seconds
        return "so"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    one = Clock()
    monkeypatch.setattr(patience, "time", one)
    monkeypatch.setattr(turn_module, "time", one)
    return one


async def test_what_a_user_takes_is_counted_once_though_many_ask(clock: Clock) -> None:
    user = Patient(Thinker(clock, 10))
    assert user.waited() == 0
    assert await user.ask("?", ("No", "Yes")) == "No"
    assert user.waited() == 10
    # Both prompts are open at once; the clock goes twice.
    await asyncio.gather(user.ask("?", ("No",)), user.ask("?", ("No",)))
    assert user.waited() == 30
    assert await user.write("?") == "so"
    clock.now += 100
    assert user.waited() == 40


async def test_a_prompt_that_is_open_counts_already(clock: Clock) -> None:
    asked = asyncio.Event()

    class Slow(Nobody):
        async def write(self, question: str) -> str | None:
            await asked.wait()
            return None

    user = Patient(Slow())
    waiting = asyncio.ensure_future(user.write("?"))
    await asyncio.sleep(0)
    clock.now += 7
    assert user.waited() == 7
    asked.set()
    await waiting
    assert user.waited() == 7


async def test_a_turn_waits_for_its_user_and_for_nothing_else(tmp_path: Path, clock: Clock) -> None:
    async def asks(_: Mapping[str, Any]) -> ToolResult:
        return ToolResult(str(await talk.user.ask("?", ("No",))))

    def dawdles(_: Mapping[str, Any]) -> ToolResult:
        clock.now += 500
        return ToolResult("late")

    model = FakeModel([("ask", {})], "Done?", [("dawdle", {})], "Done?")
    talk = Talk(tmp_path, model, FakeTool("ask", asks), FakeTool("dawdle", dawdles))
    talk.user = talk.gate.user = Patient(Thinker(clock, 500))
    finished = await talk.say("Review a.py.", seconds=60)
    assert (finished.stop, finished.waited) == (Stop.ANSWERED, 500)
    finished = await talk.say("Review a.py.", seconds=60)
    assert finished.stop is Stop.LIMIT


async def test_work_that_is_not_done_in_time_is_over() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    left = iter([1e-9, 1e-9, 0])
    with pytest.raises(TimeoutError):
        await in_time(work(), lambda: next(left))
    assert ended.is_set()


async def test_work_is_over_when_whoever_waits_for_it_is_cancelled() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    waiting = asyncio.ensure_future(in_time(work(), lambda: 600))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    assert ended.is_set()
