"""The books of a session: one for each root, made when it is first asked for, and in one hand at a time.

A book keeps one kind of thing of one root (dismissals, talks) and reads and writes the disk; whoever wants something of
it says what, and it is done in a thread while nobody else has the book.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar

from socreates_lsp.memory.folders import state_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

Book = TypeVar("Book")
Found = TypeVar("Found")


class Shelf(Generic[Book]):
    """See above. ``warnings`` are the sentences about what went wrong so far, each once."""

    def __init__(self, make: Callable[[str | None, Path], Book]) -> None:
        """``make`` opens the book of a root, given the user's state folder; None is the memory of this session."""
        self._make = make
        self._books: dict[str | None, Book] = {}
        self._locks: dict[str | None, asyncio.Lock] = {}
        self._state: Path | None = None
        self.warnings: list[str] = []

    @property
    def roots(self) -> tuple[str | None, ...]:
        """The roots whose books have been opened."""
        return tuple(self._books)

    async def use(self, root: str | None, work: Callable[[Book], Found]) -> Found:
        """What some work with the book of a root comes to. It is done in a thread, and alone."""
        async with self._locks.setdefault(root, asyncio.Lock()):
            return await asyncio.to_thread(work, await self.book(root))

    async def change(self, root: str | None, work: Callable[[Book], Iterable[str]]) -> None:
        """As ``use``, for work that comes to sentences about what went wrong."""
        self.warn(await self.use(root, work))

    async def book(self, root: str | None) -> Book:
        """The book of a root, for what needs no lock."""
        if root not in self._books:
            if self._state is None:
                self._state, warning = await asyncio.to_thread(state_folder)
                self.warn(() if warning is None else (warning,))
            self._books.setdefault(root, self._make(root, self._state))
        return self._books[root]

    def warn(self, sentences: Iterable[str]) -> None:
        """Something went wrong."""
        self.warnings += [sentence for sentence in sentences if sentence not in self.warnings]
