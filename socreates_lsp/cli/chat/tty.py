"""The terminal that people sit at: whether there is one, what they type while nobody asks them, and Ctrl+C."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from contextlib import contextmanager
from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import FrameType

_MOST_AHEAD = 4096


def is_for_people() -> bool:
    """Whether both ends are a terminal that can move its cursor."""
    return are_terminals() and os.environ.get("TERM", "").lower() not in {"dumb", "unknown"}


def are_terminals() -> bool:
    """Whether both ends are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def unheard() -> Generator[None]:
    """What is typed is kept for the next prompt, and not shown meanwhile. Ctrl+C goes on to be a signal."""
    try:
        import termios
    except ImportError:  # Windows
        yield
        return
    try:
        before = termios.tcgetattr(sys.stdin)
    except (termios.error, OSError, ValueError):
        yield
        return
    quiet = [*before]
    quiet[3] &= ~(termios.ECHO | termios.ICANON)
    try:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(sys.stdin, termios.TCSANOW, quiet)
        yield
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(sys.stdin, termios.TCSANOW, before)


def typed_ahead() -> str:
    """Take what was typed while nobody asked, up to what is no text: no prompt is answered by it."""
    if sys.platform == "win32":  # where select knows no terminals
        return ""
    import select

    found = b""
    with contextlib.suppress(OSError, ValueError):
        descriptor = sys.stdin.fileno()
        while len(found) < _MOST_AHEAD and select.select([descriptor], [], [], 0)[0]:
            piece = os.read(descriptor, _MOST_AHEAD)
            if not piece:
                break
            found += piece
    return "".join(takewhile(str.isprintable, found.decode("utf-8", "ignore")))


@contextmanager
def interrupts(interrupted: Callable[[], object]) -> Generator[None]:
    """Ctrl+C has the running loop call this, and ends nothing by itself."""
    loop = asyncio.get_running_loop()

    def heard(_number: int, _frame: FrameType | None) -> None:
        # The loop may be waiting, and has to wake up.
        loop.call_soon_threadsafe(interrupted)

    before = signal.signal(signal.SIGINT, heard)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
