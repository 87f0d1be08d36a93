"""Worker processes: one that crashes or hangs costs its own job, and none is left when all ends."""

from __future__ import annotations

import asyncio
import os
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.examiner.pool import JobError, WorkerPool

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    Process = asyncio.subprocess.Process


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    """The processes that were started."""
    found: list[Process] = []
    really = asyncio.create_subprocess_exec

    async def noted(*args: Any, **named: Any) -> Process:
        process = await really(*args, **named)
        found.append(process)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    return found


async def refused(work: Coroutine[Any, Any, object]) -> str:
    with pytest.raises(JobError) as raised:
        await work
    return str(raised.value)


async def test_a_process_works_again_and_a_crash_costs_its_own_job(started: list[Process]) -> None:
    pool = WorkerPool(1)
    assert await pool.run(partial(max, 1, 2)) == 2
    assert await pool.run(partial(max, 3, 2)) == 3
    assert len(started) == 1
    assert await refused(pool.run(partial(os._exit, 1))) == "the parser crashed"
    assert await pool.run(partial(max, 4, 2)) == 4
    assert len(started) == 2
    await pool.close()
    assert all(process.returncode is not None for process in started)


async def test_a_job_that_takes_too_long_ends_with_its_process(started: list[Process]) -> None:
    pool = WorkerPool(1, seconds=0.1)
    assert "longer than 0 seconds" in await refused(pool.run(partial(time.sleep, 600)))
    await pool.close()
    assert [process.returncode for process in started] == [-9]


async def test_the_process_of_a_job_that_was_cancelled_is_waited_for(started: list[Process]) -> None:
    pool = WorkerPool(1)
    job = asyncio.ensure_future(pool.run(partial(time.sleep, 600)))
    while not started:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    job.cancel()
    await asyncio.wait([job])
    await pool.close()
    assert [process.returncode for process in started] == [-9]


@pytest.mark.parametrize("steps", range(6))
async def test_a_process_that_is_being_started_does_not_outlive_the_end(started: list[Process], steps: int) -> None:
    pool = WorkerPool(1)
    warming = asyncio.ensure_future(pool.warm_up())
    for _ in range(steps):
        await asyncio.sleep(0)
    await pool.close()
    await warming
    await pool.close()
    assert all(process.returncode is not None for process in started)
