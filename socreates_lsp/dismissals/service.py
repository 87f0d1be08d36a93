"""Dismissals of a session: given, taken back, honoured in reviews, and those of others put to the user once."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socreates_lsp.dismissals.across import Strays, moved_across
from socreates_lsp.dismissals.book import Book
from socreates_lsp.dismissals.documents import Documents
from socreates_lsp.dismissals.hush import Hush
from socreates_lsp.dismissals.moved import left_behind
from socreates_lsp.dismissals.telling import told
from socreates_lsp.memory.background import Background
from socreates_lsp.memory.encoding import now
from socreates_lsp.memory.shelf import Shelf
from socreates_lsp.review.counting import counted
from socreates_lsp.review.finding import Finding, Status, normalised
from socreates_lsp.review.ledger import Dismissal
from socreates_lsp.review.store import SHOWN

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Mapping

    from socreates_lsp.dismissals.book import View
    from socreates_lsp.prompting import Prompter
    from socreates_lsp.review.reviewer import Event, ReviewRequest
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.settings import Settings
    from socreates_lsp.workspace.text import Text
    from socreates_lsp.workspace.workspace import Workspace

ACCEPT, REFUSE = "Accept them", "Not now"

_LONGEST_REASON = 2000
_SOON_S = 0.3
"""How long a review waits for the search for files that moved; what it finds needs it, not its beginning."""


class Dismissals:
    """The books of all roots. ``changed`` is told of documents whose findings are to be shown anew."""

    def __init__(
        self, workspace: Workspace, store: FindingStore, prompter: Prompter, settings: Callable[[], Settings]
    ) -> None:
        """Take what there is to work with. Nothing is read yet."""
        self.documents = Documents(workspace)
        self._workspace = workspace
        self._store = store
        self._prompter = prompter
        self._settings = settings
        self._shelf = Shelf(Book)
        self._background = Background()
        self._asked: set[str | None] = set()
        self._held: dict[str, tuple[str | None, str]] = {}
        self.changed: Callable[[Iterable[str]], None] | None = None

    @property
    def warnings(self) -> list[str]:
        """What went wrong so far, for the user."""
        return self._shelf.warnings

    @property
    def are_shared(self) -> bool:
        """Whether git is to see them."""
        return self._settings().review.share_dismissals

    # What the user does

    async def dismiss(self, finding_id: str, reason: str) -> Finding | None:
        """Dismiss a finding and remember it; None if there is no such."""
        finding = self._store.get(finding_id) or await self._recalled(finding_id)
        if finding is None:
            return None
        root, path = self.documents.home(finding.uri)
        text = await self.documents.text(finding.uri)
        self._store.set_status(finding_id, Status.DISMISSED)
        entry = Dismissal.of(*self._about(finding, path, text), reason.strip()[:_LONGEST_REASON], now())
        self._held[finding_id] = (root, entry.id)
        await self._shelf.change(root, partial(Book.put, entry=entry, shared=self.are_shared))
        return self._store.get(finding_id) or finding

    async def restore(self, finding_id: str) -> Finding | None:
        """Take a dismissal back: its finding is open again. None if there is no such finding."""
        finding = self._store.get(finding_id) or await self._recalled(finding_id)
        if finding is None:
            return None
        root, path = self.documents.home(finding.uri)
        view = await self.view(root)
        entry = view.known(self._held.get(finding_id, (root, finding_id))[1])
        if entry is None:
            about = self._about(finding, path, await self.documents.text(finding.uri))
            entry = view.ledger.covering(*about)
        if entry is not None:
            await self._shelf.change(root, partial(Book.drop, finding_id=entry.id))
        self._held.pop(finding_id, None)
        if finding.status is Status.DISMISSED:
            self._store.set_status(finding_id, Status.OPEN)
        return self._store.get(finding_id)

    async def moved(self, moves: Iterable[tuple[str, str]]) -> None:
        """Files or folders were renamed (canonical URIs, old and new): their dismissals hold under the new name."""
        for old, new in moves:
            (root, path), (to_root, to) = self.documents.home(old), self.documents.home(new)
            if root == to_root:
                await self._shelf.use(root, partial(Book.rename, path=path, to=to))
            else:
                there = (to_root, to)
                self.hold_in(
                    to_root, root, await moved_across(self._shelf, (root, path), there, shared=self.are_shared)
                )

    async def recall(self) -> None:
        """Bring what the ledger holds into the store, as dismissed, where the store does not know it yet."""
        for root in self._roots():
            view = await self.view(root)
            for finding in await asyncio.to_thread(left_behind, tuple(self._store), root, view.ledger, self.documents):
                self._store.forget(finding.id)
            for entry in view.ledger:
                if self._store.get(entry.id) is None:
                    await self._recall(root, entry, view)

    async def _recalled(self, finding_id: str) -> Finding | None:
        """The finding of an entry that the store does not know."""
        for root in self._roots():
            view = await self.view(root)
            entry = view.known(finding_id)
            if entry is not None:
                return await self._recall(root, entry, view)
        return None

    async def _recall(self, root: str | None, entry: Dismissal, view: View) -> Finding | None:
        """Put an entry into the store as a finding; None where its file is not to be had."""
        uri = self.documents.uri(root, entry.path)
        text = None if uri is None else await self.documents.text(uri)
        if uri is None or text is None or self._store.get(entry.id) is not None:
            return None
        ledger = view.ledger if view.ledger.get(entry.id) is not None else view.foreign
        place = ledger.place_of(entry, text)
        first = min(entry.line, text.last_line) if place is None else place.first
        span = text.trimmed(first, first if place is None else place.last)
        uri, span, text = self.documents.shown(uri, span, text)
        kept = self._store.add(entry.finding(uri, span), root=root, version=self._workspace.version(uri), text=text)
        self._held[kept.id] = (root, entry.id)
        return kept

    def _about(self, finding: Finding, path: str, text: Text | None) -> tuple[Finding, str, Text | None]:
        """A finding, the path of its file and what that holds, as the ledger has them."""
        finding, text = self.documents.in_file(finding, text)
        return finding, path, text

    # What a review does

    async def hush(self, request: ReviewRequest) -> Hush:
        """What a review needs: its request as the reviewer is to have it, and a filter for its events."""
        view = await self.read(request.root)
        self._reopen(request.root, view)
        hush = Hush(self, request, view)
        await hush.located(_SOON_S)
        return hush

    async def hushed(
        self, request: ReviewRequest, work: Callable[[ReviewRequest], AsyncGenerator[Event, None]]
    ) -> AsyncGenerator[Event, None]:
        """The events of some work on a request, as ``Hush`` lets them through."""
        hush = await self.hush(request)
        async with aclosing(hush.events(work(hush.request))) as events:
            async for event in events:
                yield event

    def is_dismissed(self, finding: Finding) -> bool:
        """Whether the store has this very question as dismissed: by its place, where the ledger cannot tell."""
        quote, line = normalised(finding.quote), finding.range.start.line
        return any(
            one.status is Status.DISMISSED
            and (one.category, one.range.start.line) == (finding.category, line)
            and normalised(one.quote) == quote
            for one in self._store.of(finding.uri)
        )

    def hold(self, root: str | None, entry_id: str) -> None:
        """A review found what this entry hides."""
        self._held[entry_id] = (root, entry_id)

    def hold_in(self, root: str | None, old: str | None, entries: Mapping[str, Dismissal]) -> None:
        """These entries, by the ids that they had in the book of an old root, are kept by this one now."""
        for finding_id, (where, entry_id) in self._held.items():
            if where == old and entry_id in entries:
                self._held[finding_id] = (root, entries[entry_id].id)

    def strays(self) -> Strays:
        """What other roots keep of files that came from there, for one review."""
        return Strays(self, self._shelf, self._workspace.roots)

    def seen(self, root: str | None, view: View, files: Mapping[str, str], *, foreign: bool) -> None:
        """A review ended that saw these files of a root: their digests by path.

        ``foreign``: others' dismissals would have hidden some of it. Nobody waits for what comes of it: where files
        are is noted, and the user is asked once.
        """
        places = {entry.id: (entry.path, files[entry.path]) for entry in view.ledger if entry.path in files}
        if places and root is not None:
            self._background.write(self._shelf.use(root, lambda book: book.note(places)))
        if foreign and self.changed is not None and root not in self._asked:
            self._asked.add(root)
            self._background.start(self._propose(root, view))

    async def _propose(self, root: str | None, view: View) -> None:
        """Ask whether the dismissals of others may hold, and let them if so."""
        count = counted(len(view.foreign), "dismissal")
        name = "this workspace" if root is None else Path(root).name
        question = (
            f"{name} brings {count} that {'was' if len(view.foreign) == 1 else 'were'} not made on this machine "
            "(.socreates/dismissed.json). Accepted, they hide questions, now and in later reviews."
        )
        if await self._prompter.ask(question, (REFUSE, ACCEPT)) != ACCEPT:
            return
        await self._shelf.change(root, partial(Book.accept, digests=view.digests))
        await self._apply(root)

    async def _apply(self, root: str | None) -> None:
        """Let what holds now hide what is shown."""
        view = await self.view(root)
        hidden: set[str] = set()
        for finding in self._store:
            where, path = self.documents.home(finding.uri)
            if finding.status in SHOWN and where == root:
                text = await self.documents.text(finding.uri)
                entry = view.ledger.covering(*self._about(finding, path, text))
                if entry is not None:
                    self._store.set_status(finding.id, Status.DISMISSED)
                    self._held[finding.id] = (root, entry.id)
                    hidden.add(finding.uri)
        self._tell(hidden)

    def _reopen(self, root: str | None, view: View) -> None:
        """What another editor restored is open here too."""
        open_again: set[str] = set()
        for finding_id, (where, entry_id) in tuple(self._held.items()):
            if where == root and view.ledger.get(entry_id) is None:
                del self._held[finding_id]
                finding = self._store.get(finding_id)
                if finding is not None and finding.status is Status.DISMISSED:
                    self._store.set_status(finding_id, Status.OPEN)
                    open_again.add(finding.uri)
        self._tell(open_again)

    # What is told

    async def told(self) -> list[dict[str, Any]]:
        """For ``status``: of each root how many dismissals hold, and which wait for the user's word."""
        views = [(root, await self.view(root)) for root in self._workspace.roots]
        return [told(root, view, self.warnings) for root, view in views]

    # The books

    async def view(self, root: str | None) -> View:
        """What a root keeps at this moment, with its files where they are by now."""
        view = await self.read(root)
        await self.locate(root, view)
        return view

    async def read(self, root: str | None) -> View:
        """What a root keeps at this moment, with its files where they were."""
        review = self._settings().review
        return await self._shelf.use(
            root,
            lambda book: book.view(
                accepts=review.accept_dismissals,
                shared=review.share_dismissals,
                is_there=lambda path: self.documents.is_there(root, path),
            ),
        )

    async def locate(self, root: str | None, view: View) -> None:
        """Look for the files that are gone."""
        if view.gone:
            await asyncio.to_thread((await self._shelf.book(root)).locate, view)

    async def close(self) -> None:
        """End what nobody waits for."""
        await self._background.close()

    def _roots(self) -> tuple[str | None, ...]:
        return (*self._workspace.roots, *(root for root in self._shelf.roots if root not in self._workspace.roots))

    def _tell(self, uris_of: Iterable[str]) -> None:
        if self.changed is not None and uris_of:
            self.changed(uris_of)
