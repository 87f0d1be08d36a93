"""When to end: the parent's death, watched from ``initialize`` on, and Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_EVERY_S = 0.3

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it: 128 and the number of the signal."""


def is_alive(pid: int) -> bool:
    """Whether a process runs. One that is dead and not yet reaped counts as dead where the system tells."""
    if pid <= 0:
        return False
    if sys.platform == "win32":
        return _is_alive_on_windows(pid)
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except (OSError, IndexError):
        return False


def _is_alive_on_windows(pid: int) -> bool:
    import ctypes

    kernel: Any = getattr(ctypes, "windll").kernel32  # noqa: B009  (there on Windows only)
    handle = kernel.OpenProcess(0x00100000, 0, pid)  # SYNCHRONIZE
    if not handle:
        return False
    try:
        return kernel.WaitForSingleObject(handle, 0) == 0x102  # WAIT_TIMEOUT
    finally:
        kernel.CloseHandle(handle)


async def watch_parent(pid: int, on_death: Callable[[], None]) -> None:
    """Call ``on_death`` once the process is gone."""
    with contextlib.suppress(asyncio.CancelledError):
        while is_alive(pid):  # noqa: ASYNC110  (nothing tells us of its death; a pidfd is Linux only)
            await asyncio.sleep(_EVERY_S)
        on_death()


def on_interrupt(call: Callable[[], None]) -> None:
    """Call this in the running loop on Ctrl-C, from now on. A process that was told to ignore it goes on doing so.

    asyncio's own way cancels every task and waits for all of them: one that clears up slowly, or is just starting a
    process, would keep the server alive.
    """
    loop = asyncio.get_running_loop()

    def interrupted(_number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(call)

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupted)
