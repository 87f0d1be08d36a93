"""Worker processes for the examiner: started when first needed, killed when a job is cancelled or takes too long."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
from typing import TYPE_CHECKING, Any, TypeVar

from socreates_lsp.errors import ReviewError
from socreates_lsp.examiner.worker import LENGTH, Crash

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")
R = TypeVar("R")

_FAREWELL_S = 0.2
"""How long to wait for processes that were killed."""

_COMMAND = (sys.executable, "-P", "-m", "socreates_lsp.examiner.worker")
"""``-P`` keeps the folder we were started in, which may be anybody's, out of the import path."""


class JobError(ReviewError):
    """A job that came to nothing: it crashed, or took longer than it may."""


class WorkerPool:
    """At most ``size`` processes; a job that is cancelled takes its process with it."""

    def __init__(self, size: int, seconds: float = 60.0) -> None:
        """``seconds`` is what one job may take."""
        self._free = asyncio.Semaphore(size)
        self._idle: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()
        self._under_way: set[asyncio.Future[Any]] = set()
        """Starts and ends of processes, which ``close`` waits for."""
        self._closed = False
        self._seconds = seconds

    async def run(self, job: Callable[[], T]) -> T:
        """Run a job in a process of its own. Raises JobError."""
        async with self._free:
            process = self._waiting() or await self._start()
            try:
                async with asyncio.timeout(self._seconds):
                    answer = await _exchange(process, job)
            except TimeoutError:
                self._kill(process)
                raise JobError(f"it took longer than {self._seconds:.0f} seconds") from None
            except (EOFError, OSError) as error:
                self._kill(process)
                raise JobError("the parser crashed") from error
            except BaseException:
                self._kill(process)
                raise
            self._idle.append(process)
        if isinstance(answer, Crash):
            raise JobError(answer.reason)
        return answer

    def _waiting(self) -> asyncio.subprocess.Process | None:
        """A process that waits for work; those that died meanwhile (memory ran out, say) are passed over."""
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
            self._all.discard(process)
        return None

    async def warm_up(self) -> None:
        """Start one process ahead of the first job."""
        async with self._free:
            if not self._all:
                with contextlib.suppress(JobError):
                    self._idle.append(await self._start())

    async def close(self) -> None:
        """Kill all processes, and wait a little for them to be gone."""
        self._closed = True
        for process in tuple(self._all):
            self._kill(process)
        self._idle.clear()
        # A process that is just being started is killed as soon as it is there.
        until = asyncio.get_running_loop().time() + _FAREWELL_S
        while self._under_way and (left := until - asyncio.get_running_loop().time()) > 0:
            await asyncio.wait(self._under_way, timeout=left)

    async def _start(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        starting = asyncio.create_subprocess_exec(
            *_COMMAND, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, start_new_session=True
        )
        process = await self._watched(starting)
        self._all.add(process)
        if self._closed:
            self._kill(process)
            raise JobError("everything is ending")
        return process

    def _kill(self, process: asyncio.subprocess.Process) -> None:
        self._all.discard(process)
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            self._watched(process.wait())

    def _watched(self, work: Coroutine[Any, Any, R]) -> asyncio.Task[R]:
        task = asyncio.ensure_future(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task


async def _exchange(process: asyncio.subprocess.Process, job: Callable[[], T]) -> T | Crash:
    assert process.stdin is not None
    assert process.stdout is not None
    body = pickle.dumps(job)
    process.stdin.write(LENGTH.pack(len(body)) + body)
    await process.stdin.drain()
    try:
        (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
        answer = await process.stdout.readexactly(length)
    except asyncio.IncompleteReadError as error:
        raise EOFError from error
    return pickle.loads(answer)  # noqa: S301  (written by our own child)
