"""The time of a turn stands still while the user is asked: whoever thinks about an answer spoils nothing by it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from socreates_lsp.prompting import Prompter

T = TypeVar("T")

_LEAST_S = 0.05
"""Between two looks at the time."""


class Patient:
    """A prompter that knows for how long its user was waited for."""

    def __init__(self, prompter: Prompter) -> None:
        """Count from now on."""
        self._prompter = prompter
        self._waited = 0.0
        self._asking = 0
        self._since = 0.0

    def waited(self) -> float:
        """Seconds so far, with those of a prompt that is open."""
        return self._waited + (time.monotonic() - self._since if self._asking else 0.0)

    def present(self) -> bool:
        """See ``Prompter``."""
        return self._prompter.present()

    async def ask(self, question: str, choices: tuple[str, ...]) -> str | None:
        """See ``Prompter``."""
        return await self._waiting(self._prompter.ask(question, choices))

    def can_write(self) -> bool:
        """See ``Prompter``."""
        return self._prompter.can_write()

    async def write(self, question: str) -> str | None:
        """See ``Prompter``."""
        return await self._waiting(self._prompter.write(question))

    async def _waiting(self, answer: Awaitable[T]) -> T:
        if not self._asking:
            self._since = time.monotonic()
        self._asking += 1
        try:
            return await answer
        finally:
            self._asking -= 1
            if not self._asking:
                self._waited += time.monotonic() - self._since


async def in_time(work: Awaitable[T], left: Callable[[], float]) -> T:
    """The result of some work, as long as there are seconds left for it, which may become more meanwhile.

    Raises TimeoutError. The work is over in any case when this ends.
    """
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            seconds = left()
            if seconds <= 0:
                raise TimeoutError
            await asyncio.wait([task], timeout=max(seconds, _LEAST_S))
    finally:
        await ended(task)
    return task.result()


async def ended(task: asyncio.Future[T]) -> None:
    """Nothing goes on without whoever started it."""
    if not task.done():
        task.cancel()
        await asyncio.wait([task])
