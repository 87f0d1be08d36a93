"""Dismissals whose file went to another root: out of the book of one, into that of the other.

Only what the user made or agreed to goes. What others wrote stays where they put it: in another book it would be the
user's own.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from socreates_lsp.dismissals.book import Book, is_below, renamed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from socreates_lsp.dismissals.book import Adopted, View
    from socreates_lsp.dismissals.service import Dismissals
    from socreates_lsp.memory.shelf import Shelf
    from socreates_lsp.review.ledger import Dismissal


async def moved_across(
    shelf: Shelf[Book], old: tuple[str | None, str], new: tuple[str | None, str], *, shared: bool
) -> Mapping[str, Dismissal]:
    """A file or a folder went to another root (each a root and a path there): its entries, by the ids they had."""
    (root, path), (to_root, to) = old, new
    entries = [entry for entry in await shelf.use(root, Book.own) if is_below(entry.path, path)]
    gone = [replace(entry, path=renamed(entry.path, path, to)) for entry in entries]
    return await _moved(shelf, gone, root, to_root, shared=shared)


async def _moved(
    shelf: Shelf[Book], entries: Iterable[Dismissal], root: str | None, to_root: str | None, *, shared: bool
) -> Mapping[str, Dismissal]:
    """First into one book, then out of the other: a kill in between loses nothing. What the new one cannot keep on
    disk, or is kept in no root, the old one keeps too; its file is gone there."""
    adopted: Adopted = await shelf.use(to_root, partial(Book.adopt, entries=entries, shared=shared))
    shelf.warn(adopted.warnings)
    for finding_id in adopted.kept if root != to_root else ():
        await shelf.change(root, partial(Book.drop, finding_id=finding_id))
    return adopted.entries


class Strays:
    """What the books of other roots keep of files that are gone from there: looked up once a review."""

    def __init__(self, service: Dismissals, shelf: Shelf[Book], roots: Iterable[str]) -> None:
        """``roots`` are those of the workspace."""
        self._service = service
        self._shelf = shelf
        self._roots = tuple(roots)
        self._views: dict[str, View] = {}

    @property
    def are_possible(self) -> bool:
        """Whether there is more than one root."""
        return len(self._roots) > 1

    async def take(self, root: str | None, path: str, file: str) -> list[Dismissal]:
        """Bring what other roots keep of a file with this content (a digest) into the book of this root."""
        found: list[Dismissal] = []
        for other in self._roots:
            entries = [] if root is None or other == root else await self._gone(other, file)
            if entries:
                moved = [replace(entry, path=path) for entry in entries]
                new = await _moved(self._shelf, moved, other, root, shared=self._service.are_shared)
                self._views[other].gone -= new.keys()
                self._service.hold_in(root, other, new)
                found += new.values()
        return found

    async def _gone(self, root: str, file: str) -> list[Dismissal]:
        """The user's own entries of a root whose file had this content, and is nowhere in it."""
        if root not in self._views:
            self._views[root] = await self._service.read(root)
        view = self._views[root]
        if not any(entry.file == file for entry in view.ledger if entry.id in view.gone):
            return []
        await self._service.locate(root, view)
        own = {entry.id for entry in await self._shelf.use(root, Book.own)}
        return [entry for entry in view.ledger if entry.file == file and entry.id in view.gone & own]
