"""The line before an endpoint: first come, first served; who is cancelled leaves it; it has an end."""

from __future__ import annotations

import asyncio
import random
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.model.failures import CannotConnectError, ModelError
from socreates_lsp.model.line import AT_ONCE_ELSEWHERE, AT_ONCE_HERE, MOST_WAITING, Line, Lines, Queued
from socreates_lsp.model.retrying import Retrying
from socreates_lsp.model.types import ChatRequest, Ended, Finish, InLine, TextDelta, Waiting

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from socreates_lsp.model.types import ModelEvent

ASKED = ChatRequest(())


class Slow:
    """A model that answers when it is let go, and counts who asks at once."""

    provider, name = "openai", "m"

    def __init__(self, endpoint: str = "http://127.0.0.1:1") -> None:
        self.endpoint = endpoint
        self.go = asyncio.Event()
        self.asking = self.most = self.asked = 0
        self.failures = 0

    async def context_tokens(self) -> int:
        return 1000

    async def chat(self, _request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        self.asked += 1
        self.asking += 1
        self.most = max(self.most, self.asking)
        try:
            await self.go.wait()
            if self.failures:
                self.failures -= 1
                raise CannotConnectError("not yet")
            yield TextDelta("x")
            yield Ended(Finish.STOP)
        finally:
            self.asking -= 1

    async def close(self) -> None:
        return


async def answer(model) -> list[ModelEvent]:
    async with aclosing(model.chat(ASKED)) as events:
        return [event async for event in events]


async def steps(number: int = 5) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("endpoint", "at_once", "most"),
    [
        ("http://127.0.0.1:11434", None, AT_ONCE_HERE),
        ("http://[::1]:8080", None, AT_ONCE_HERE),
        ("https://api.example.org", None, AT_ONCE_ELSEWHERE),
        ("http://127.0.0.1:11434", 3, 3),
        ("https://api.example.org", 1, 1),
    ],
)
async def test_how_many_ask_at_once(endpoint: str, at_once: int | None, most: int) -> None:
    model = Slow(endpoint)
    queued = Lines().before(model, at_once)
    tasks = [asyncio.create_task(answer(queued)) for _ in range(6)]
    await steps()
    assert model.asking == most
    model.go.set()
    results = await asyncio.gather(*tasks)
    assert model.most == most
    assert [InLine(waits=True) in events for events in results] == [False] * most + [True] * (6 - most)
    assert results[-1] == [InLine(waits=True), InLine(waits=False), TextDelta("x"), Ended(Finish.STOP)]


async def test_all_models_of_an_endpoint_share_a_line_and_a_file_has_one_of_its_own() -> None:
    lines = Lines()
    one, two, other = Slow(), Slow(), Slow("http://127.0.0.1:2")
    file = Slow("http://127.0.0.1")
    file.provider = "llamacpp"
    tasks = [asyncio.create_task(answer(lines.before(model, None))) for model in (one, two, other, file)]
    await steps()
    file.endpoint = "http://127.0.0.1:3"
    tasks.append(asyncio.create_task(answer(lines.before(file, None))))
    await steps()
    assert [model.asking for model in (one, two, other, file)] == [1, 0, 1, 1]
    for model in (one, two, other, file):
        model.go.set()
    await asyncio.gather(*tasks)


async def test_more_places_count_from_the_next_request_on() -> None:
    lines, model = Lines(), Slow()
    tasks = [asyncio.create_task(answer(lines.before(model, 1))) for _ in range(2)]
    await steps()
    lines.before(model, 3)
    model.go.set()
    await asyncio.gather(*tasks)
    model.go.clear()
    tasks = [asyncio.create_task(answer(lines.before(model, 3))) for _ in range(3)]
    await steps()
    assert model.asking == 3
    model.go.set()
    await asyncio.gather(*tasks)


async def test_a_line_that_is_too_long_sends_away_at_once() -> None:
    model = Slow()
    queued = Queued(model, Line(1))
    tasks = [asyncio.create_task(answer(queued)) for _ in range(MOST_WAITING + 1)]
    await steps()
    with pytest.raises(ModelError, match="requests wait for m already"):
        await answer(queued)
    model.go.set()
    await asyncio.gather(*tasks)
    assert await answer(queued)


async def test_to_wait_in_line_is_no_part_of_an_answer_so_that_it_may_be_asked_again() -> None:
    model = Slow()
    model.failures = 2

    async def no_sleep(_seconds: float) -> None:
        return

    retrying = Retrying(Queued(model, Line(1)), 3, sleep=no_sleep)
    tasks = [asyncio.create_task(answer(retrying)) for _ in range(2)]
    await steps()
    model.go.set()
    first, second = await asyncio.gather(*tasks)
    assert first[-1] == second[-1] == Ended(Finish.STOP)
    assert any(isinstance(event, Waiting) for event in first + second)


@pytest.mark.parametrize("seed", range(20))
async def test_whatever_is_cancelled_no_place_is_lost_and_none_is_given_twice(seed: int) -> None:
    chance = random.Random(seed)
    model = Slow()
    line = Line(2)
    tasks = []
    for _ in range(30):
        tasks.append(asyncio.create_task(answer(Queued(model, line))))
        await steps(chance.randrange(3))
        if chance.random() < 0.5:
            chance.choice(tasks).cancel()
        if chance.random() < 0.3:
            model.go.set()
            await steps(chance.randrange(4))
            model.go.clear()
    model.go.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert model.most <= 2
    assert (line._taken, len(line._waiting)) == (0, 0)
