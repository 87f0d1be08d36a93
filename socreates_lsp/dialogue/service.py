"""Talks of a session: those that come back with their findings, and answers that lose their ground."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from socreates_lsp.dialogue.book import Book, View
from socreates_lsp.dialogue.claims import Claims
from socreates_lsp.dialogue.held import Held
from socreates_lsp.dialogue.watch import Watch
from socreates_lsp.memory.background import Background
from socreates_lsp.memory.shelf import Shelf
from socreates_lsp.review.counting import counted
from socreates_lsp.review.finding import Status
from socreates_lsp.review.ledger import Ledger
from socreates_lsp.review.reviewer import Closed, Found, Scope, Skipped
from socreates_lsp.review.store import SHOWN
from socreates_lsp.review.talks import SETTLED, as_others

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable

    from socreates_lsp.dismissals.service import Dismissals
    from socreates_lsp.review.answers import Anchor
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import Event, ReviewRequest
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.review.talks import Talk
    from socreates_lsp.settings import Settings
    from socreates_lsp.workspace.text import Text
    from socreates_lsp.workspace.workspace import Workspace

_MOST_TOLD = 8
"""Answers that a reviewer is told of, so that it does not ask again in other words."""

_MOST_ROOM = 200
"""Findings beyond the cap that a reviewer may send, as they may turn out to be settled."""


class Dialogue:
    """The talks of all roots. ``changed`` is told of documents whose findings are to be shown anew."""

    def __init__(
        self, workspace: Workspace, store: FindingStore, dismissals: Dismissals, settings: Callable[[], Settings]
    ) -> None:
        """Take what there is to work with. Nothing is read yet."""
        self.documents = dismissals.documents
        self.busy: set[str] = set()
        """The findings about which an answer is on its way."""
        self.changed: Callable[[Iterable[str]], None] | None = None
        self.store = store
        self._workspace = workspace
        self._dismissals = dismissals
        self._settings = settings
        self._shelf = Shelf(Book)
        self._background = Background()
        self.watch = Watch(workspace, self.documents, store, self._background, self._tell)

    @property
    def warnings(self) -> list[str]:
        """What went wrong so far, for the user."""
        return self._shelf.warnings

    # Talks

    def version(self, uri: str) -> int | None:
        """The version of an open document."""
        return self._workspace.version(uri)

    async def grounds(self, said: str, root: str | None, uri: str) -> list[tuple[str, Anchor]]:
        """The lines that an answer about a finding in this document names."""
        claims = Claims(self._workspace, self._settings().policy.read_deny)
        return await asyncio.to_thread(claims.of, said, root, uri)

    async def keep(self, root: str | None, talk: Talk) -> None:
        """Write a talk down."""
        await self._shelf.change(root, partial(Book.put, talk=talk))

    async def reopen(self, finding_id: str) -> Finding | None:
        """Open a finding again that a talk has settled; what was said stays. None if there is no such finding."""
        finding, held = self.store.get(finding_id), self.watch.held(finding_id)
        if finding is None or held is None or held.talk.status not in SETTLED:
            return finding
        talk = replace(held.talk, status=Status.OPEN, anchors=())
        self.watch.hold(finding_id, Held(held.root, talk))
        status = Status.OPEN if finding.status in SETTLED else finding.status
        self.store.amend(replace(finding, status=status))
        shown = self.watch.show(finding_id)
        await self.keep(held.root, talk)
        return shown

    async def resume(self, finding_id: str) -> Finding | None:
        """A finding is no longer dismissed: it is as its talk, if there is one, has left it. None if there is none."""
        finding = self.store.get(finding_id)
        if finding is None:
            return None
        held, lost = self.watch.held(finding_id), None
        if held is None:
            root, path = self.documents.home(finding.uri)
            talk = await self.known(finding, root, path, await self.documents.text(finding.uri))
            if talk is None:
                return finding
            held, lost = await self._grounded(root, talk)
            self.watch.hold(finding_id, held)
        status = held.talk.status if held.talk.status in SETTLED else finding.status
        if finding.asked_again:  # It had lost its ground before it was dismissed.
            status = Status.OPEN
        self.store.amend(replace(finding, status=status, thread=held.thread))
        return self.watch.show(finding_id, lost)

    async def moved(self, moves: Iterable[tuple[str, str]]) -> None:
        """Files or folders were renamed (canonical URIs, old and new): talks, and what they cite, go along. Between
        roots, what is cited goes along for this session."""
        for old, new in moves:
            (root, path), (to_root, to) = self.documents.home(old), self.documents.home(new)
            if root == to_root:
                await self._shelf.change(root, partial(Book.rename, path=path, to=to))

    async def known(self, finding: Finding, root: str | None, path: str, text: Text | None) -> Talk | None:
        """What the user talked about a finding before this session, if it is none that the store has from there."""
        finding, text = self.documents.in_file(finding, text)
        met = (await self._view(root)).covering(finding, path, text)
        return met[0] if met is not None and met[1] else None

    # Talks come back

    async def recall(self) -> None:
        """Bring findings whose answers cite code into the store, so that they open when that changes."""
        for root in self._workspace.roots:
            view = await self._view(root)
            talks = [talk for talk in view.own.values() if talk.anchors and talk.status in SETTLED]
            dismissed = (await self._dismissals.read(root)).ledger if talks else Ledger()
            for talk in talks:
                if dismissed.get(talk.id) is None and self.store.get(talk.id) is None:
                    await self._recall(root, talk)

    async def _recall(self, root: str, talk: Talk) -> None:
        uri = self.documents.uri(root, talk.about.path)
        text = None if uri is None else await self.documents.text(uri)
        place = None if text is None else Ledger([talk.about]).place_of(talk.about, text)
        if uri is None or text is None or place is None or self.store.get(talk.id) is not None:
            return
        uri, span, text = self.documents.shown(uri, text.trimmed(place.first, place.last), text)
        finding = talk.about.finding(uri, span)
        finding = replace(finding, status=talk.status, thread=talk.thread)
        kept = self.store.add(finding, root=root, version=self._workspace.version(uri), text=text)
        held, lost = await self._grounded(root, talk)
        self.watch.hold(kept.id, held)
        if held.lost is not None and self.watch.show(kept.id, lost) is not kept:
            self._tell({uri})

    async def _grounded(self, root: str | None, talk: Talk) -> tuple[Held, Text | None]:
        """A talk with its ground as it is now, and the text of the document whose lines are gone, if any are."""
        held = Held.of(root, talk, [self._uri_of(root, one.path) for one in talk.anchors])
        lost: Text | None = None
        for ground in held.grounds:
            text = await self.documents.text(ground.uri)
            ground.look(text)
            lost = text if held.lost is ground else lost
        return held, lost

    def _uri_of(self, root: str | None, path: str) -> str:
        """The document with a path: an open one, else a file."""
        for uri, _ in self._workspace.buffers:
            if self._workspace.root_of(uri) == root and self._workspace.display_path(uri) == path:
                return uri
        return self.documents.uri(root, path) or path

    async def recalled(
        self, request: ReviewRequest, work: Callable[[ReviewRequest], AsyncGenerator[Event, None]]
    ) -> AsyncGenerator[Event, None]:
        """The events of some work on a request; findings that were talked about come with that and its status."""
        await self.watch.look()
        views = {request.root: await self._view(request.root)}
        settled = [one for one in views[request.root].own.values() if one.status_when_found in SETTLED]
        room = min(request.room + len(settled), max(request.room, _MOST_ROOM))
        hidden: set[str] = set()
        met: set[str] = set()
        told = self._settled(views[request.root], request)
        try:
            async with aclosing(work(replace(request, room=room, settled=told))) as events:
                async for event in events:
                    if isinstance(event, Found):
                        event = await self._met(event, request.root, views)  # noqa: PLW2901
                        met.add(event.finding.id)
                        if event.finding.status in SETTLED:
                            hidden.add(event.finding.id)
                    elif isinstance(event, Closed) and hidden:
                        found = counted(len(hidden), "finding")
                        yield Skipped(f"Settled with you before, and not asked again: {found}.")
                    yield event
        finally:
            self._tidy(views, met)

    def _tidy(self, views: Iterable[str | None], met: set[str]) -> None:
        """A review ended that met these findings: what nobody needs of the talks of these roots is forgotten."""
        opened = {finding.id for finding in self.store if finding.status in SHOWN} | self.busy
        days, at = self._settings().session.keep_days, datetime.now(UTC)
        for root in views:
            work = partial(Book.tidy, met=met, opened=opened, keep_days=days, at=at)
            self._background.write(self._shelf.change(root, work))

    def _settled(self, view: View, request: ReviewRequest) -> tuple[Talk, ...]:
        """The newest answers of the user's about the target that still settle what was asked."""
        path = None
        if request.uri is not None and request.scope is not Scope.WORKSPACE:
            path = self.documents.home(request.uri, request.root)[1]
        talks = [
            talk
            for talk in view.own.values()
            if talk.status_when_found in SETTLED
            and (path is None or talk.about.path == path)
            and ((held := self.watch.held(talk.id)) is None or held.lost is None)
        ]
        return tuple(sorted(talks, key=lambda talk: talk.at, reverse=True)[:_MOST_TOLD])

    async def _met(self, found: Found, root: str | None, views: dict[str | None, View]) -> Found:
        """A finding of a review with what was talked about it."""
        root, path = self.documents.home(found.finding.uri, root)
        if root not in views:
            views[root] = await self._view(root)
        view = views[root]
        if not view.own and not view.foreign:
            return found
        finding = self.documents.as_now(found)
        about, text = self.documents.in_file(finding, await self.documents.text(finding.uri))
        met = view.covering(about, path, text)
        if met is None:
            return found
        talk, is_own = met
        if not is_own:
            known = self.store.get(found.finding.id)
            thread = as_others(talk.thread) if known is None or not known.thread else known.thread
            return replace(found, finding=replace(found.finding, thread=thread))
        held = self.watch.held(talk.id)
        lost: Text | None = None
        if held is None:
            held, lost = await self._grounded(root, replace(talk, status=talk.status_when_found))
            self.watch.hold(talk.id, held)
        else:
            held.talk = replace(held.talk, status=held.talk.status_when_found)
        finding = replace(found.finding, id=talk.id, status=held.talk.status, thread=held.thread)
        return replace(found, finding=self.watch.shown(held, finding, lost))

    # The books

    async def close(self) -> None:
        """End what nobody waits for."""
        await self._background.close()

    async def _view(self, root: str | None) -> View:
        return await self._shelf.use(root, lambda book: book.view(lambda path: self.documents.is_there(root, path)))

    def _tell(self, uris_of: Iterable[str]) -> None:
        if self.changed is not None and uris_of:
            self.changed(uris_of)
