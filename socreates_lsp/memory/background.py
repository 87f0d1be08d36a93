"""Work for which nobody waits, and which ends with the session: at once, or in a moment if it writes something down."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Coroutine

_LAST_S = 1.0
"""How long the end of the session waits for what is being written."""


class Background:
    """The tasks of one service."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._writing: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin some work that may be broken off at any moment."""
        self._begin(work, self._tasks)

    def write(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin some work that writes something down, for which the end of the session waits a moment."""
        self._begin(work, self._writing)

    def _begin(self, work: Coroutine[Any, Any, None], tasks: set[asyncio.Task[None]]) -> None:
        task = asyncio.create_task(work)
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def close(self) -> None:
        """End it all."""
        for task in tuple(self._tasks):
            task.cancel()
        if self._writing:
            await asyncio.wait(tuple(self._writing), timeout=_LAST_S)
