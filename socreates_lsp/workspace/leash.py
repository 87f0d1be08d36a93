"""Blocking work beside the event loop that ends when its task is cancelled: its processes at once, its loops soon.

A thread can't be ended from outside. So the programs that it runs are held here, and its own loops ask ``go_on``.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from socreates_lsp.errors import SocreatesError

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


_THREADS = 32
"""Pieces of work at a time. They have threads of their own: a command may take a minute, and the loop's other work
must not wait for it."""


class AbandonedError(SocreatesError):
    """Nobody waits for the answer any more."""


class Leash:
    """What one piece of work has started. ``end`` is how a process is ended."""

    def __init__(self, end: Callable[[subprocess.Popen[bytes]], None]) -> None:
        """Start with nothing held."""
        self._end = end
        self._lock = threading.Lock()
        self._held: set[subprocess.Popen[bytes]] = set()
        self.pulled = False

    def hold(self, process: subprocess.Popen[bytes]) -> None:
        """Take a process that was just started; it is ended at once if the leash was pulled meanwhile."""
        with self._lock:
            self._held.add(process)
            pulled = self.pulled
        if pulled:
            self._end(process)

    def let_go(self, process: subprocess.Popen[bytes]) -> None:
        """Forget a process that has ended, before its number can be another's."""
        with self._lock:
            self._held.discard(process)

    def pull(self) -> None:
        """End everything that is held, and whatever is started from now on."""
        with self._lock:
            self.pulled = True
            for process in self._held:
                self._end(process)


_LEASH: contextvars.ContextVar[Leash | None] = contextvars.ContextVar("leash", default=None)


def leash() -> Leash | None:
    """The leash that this work is on, if any."""
    return _LEASH.get()


def go_on() -> None:
    """Raise AbandonedError if the task that waits for this work was cancelled."""
    held = _LEASH.get()
    if held is not None and held.pulled:
        raise AbandonedError("The work was given up.")


async def off_loop(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Do blocking work in a thread. Cancelling ends the programs that it runs, and its loops at their next step."""
    from socreates_lsp.workspace.tools import end

    held = Leash(end)

    def work() -> T:
        _LEASH.set(held)
        go_on()
        return function(*args, **kwargs)

    try:
        return await asyncio.get_running_loop().run_in_executor(_threads(), contextvars.copy_context().run, work)
    except asyncio.CancelledError:
        held.pull()
        raise


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_THREADS, thread_name_prefix="off-loop")


def within(seconds: float, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Do blocking work in another thread, and wait for it so many seconds at most; not for the event loop.

    Raises TimeoutError; the programs of the work are then ended, and its loops at their next step.
    """
    from socreates_lsp.workspace.tools import end

    held = Leash(end)

    def work() -> T:
        _LEASH.set(held)
        go_on()
        return function(*args, **kwargs)

    waiting = _threads().submit(contextvars.copy_context().run, work)
    try:
        return waiting.result(seconds)
    except BaseException:
        held.pull()
        raise
