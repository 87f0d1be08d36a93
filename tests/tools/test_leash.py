"""Work beside the event loop, and that it ends with its task."""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.workspace.leash import AbandonedError, go_on, leash, off_loop, within
from socreates_lsp.workspace.tools import run

if TYPE_CHECKING:
    from pathlib import Path


async def test_answers_and_errors_come_through() -> None:
    assert await off_loop(lambda one, *, two: (one, two, threading.current_thread().name), 1, two=2) != (1, 2, "")
    assert leash() is None
    go_on()

    def fail():
        raise KeyError("x")

    with pytest.raises(KeyError):
        await off_loop(fail)


async def test_a_loop_ends_at_its_next_step() -> None:
    begun, ended = threading.Event(), threading.Event()

    def work():
        try:
            while True:
                begun.set()
                go_on()
        except AbandonedError:
            ended.set()
            raise

    task = asyncio.ensure_future(off_loop(work))
    await asyncio.to_thread(begun.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(ended.wait, 20)


async def test_a_program_ends_at_once_and_so_does_one_that_is_started_later(tmp_path: Path) -> None:
    begun, codes, done = threading.Event(), [], threading.Event()

    def work():
        for _ in range(2):
            script = f"import time; open({str(tmp_path / 'begun')!r}, 'w'); time.sleep(300)"
            begun.set()
            codes.append(run([sys.executable, "-c", script], tmp_path, seconds=300, most=10).code)
        done.set()

    task = asyncio.ensure_future(off_loop(work))
    while not (tmp_path / "begun").exists():
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(done.wait, 20)
    assert codes == [-9, -9]


def test_work_that_takes_longer_than_it_may_is_ended_with_its_programs(tmp_path: Path) -> None:
    ended: queue.Queue[int] = queue.Queue()

    def work() -> None:
        ended.put(run([sys.executable, "-c", "import time; time.sleep(30)"], tmp_path, seconds=30, most=10).code)

    with pytest.raises(TimeoutError):
        within(0.2, work)
    assert ended.get(timeout=20) != 0
    assert within(5, len, "abc") == 3
