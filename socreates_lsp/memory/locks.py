"""Locks between processes that the system takes back however their holder ends.

A lock is a file of its own, which stays: to remove it would let two processes hold locks of one name.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from typing import TYPE_CHECKING

from socreates_lsp.memory.files import opened

if TYPE_CHECKING:
    from pathlib import Path

_HELD = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}
_PAUSE_S = 0.01


class Lock:
    """A lock that is held until ``release``, or until the process ends."""

    def __init__(self, descriptor: int) -> None:
        """Take the descriptor that holds the lock. See ``take``."""
        self._descriptor: int | None = descriptor

    @classmethod
    def take(cls, path: Path) -> Lock | None:
        """Take the lock of a file, which is made if need be; None if another holds it (in this process or not).

        Raises OSError where there can be no such file, or the file system knows no locks.
        """
        descriptor = opened(path, os.O_RDWR | os.O_CREAT)
        try:
            _lock(descriptor)
        except OSError as error:
            os.close(descriptor)
            if error.errno in _HELD:
                return None
            raise
        return cls(descriptor)

    @classmethod
    def wait(cls, path: Path, seconds: float) -> Lock | None:
        """Take the lock, waiting so long for its holder; None if it was not to be had. Raises OSError as ``take``."""
        end = time.monotonic() + seconds
        while (lock := cls.take(path)) is None and time.monotonic() < end:
            time.sleep(_PAUSE_S)
        return lock

    def release(self) -> None:
        """Let go; a second time does nothing."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
