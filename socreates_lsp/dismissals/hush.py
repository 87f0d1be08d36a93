"""A review on its way to the reader, without what was dismissed: counted, kept as dismissed, room left for others."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.review.counting import counted, tally_of
from socreates_lsp.review.finding import Status
from socreates_lsp.review.ledger import digest_of
from socreates_lsp.review.reviewer import Closed, Found, Reading, Scope, Skipped, Withdrawn
from socreates_lsp.review.store import SHOWN

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from socreates_lsp.dismissals.book import View
    from socreates_lsp.dismissals.service import Dismissals
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.ledger import Dismissal
    from socreates_lsp.review.reviewer import Event, ReviewRequest
    from socreates_lsp.workspace.text import Text

MOST_TOLD = 12
"""Dismissals that a model is told of: the newest ones that concern the target."""

_MOST_ROOM = 200
"""Findings beyond the cap that a reviewer may send, as they may turn out to be dismissed."""

_TALLY = re.compile(r"^(?:No questions|[\d,]+ (?:question|warning)s?(?: and [\d,]+ warnings?)?): ", re.MULTILINE)
"""The words with which reviewers begin the sentence on what they asked and read."""


class Hush:
    """What one review needs to know of the ledger, and what it has seen of it."""

    def __init__(self, service: Dismissals, request: ReviewRequest, view: View) -> None:
        """``view`` is of the root of the request. See ``Dismissals.hush``."""
        self._service = service
        self._views: dict[str | None, View] = {request.root: view}
        self._given = request
        self._shown: dict[str, Finding] = {}
        self._hidden: set[str] = set()
        self._foreign: dict[str, str | None] = {}
        self._files: dict[str | None, dict[str, str]] = {}
        self._texts: dict[str, Text | None] = {}
        self._capped: set[str] = set()
        self._has_read = False
        self._strays = service.strays()
        self._locating = asyncio.ensure_future(service.locate(request.root, view))

    async def located(self, seconds: float) -> None:
        """Wait so long for the search for files that moved."""
        await asyncio.wait((self._locating,), timeout=seconds)

    @property
    def request(self) -> ReviewRequest:
        """The request for the reviewer: room for what will be hidden, and what was dismissed, to be told to a model."""
        entries = [entry for entry in self._views[self._given.root].ledger if self._concerns(entry)]
        newest = sorted(entries, key=lambda entry: entry.at, reverse=True)[:MOST_TOLD]
        return replace(self._given, dismissed=tuple(newest), room=min(len(entries), _MOST_ROOM))

    def _concerns(self, entry: Dismissal) -> bool:
        if self._given.uri is None or self._given.scope is Scope.WORKSPACE:
            return True
        return entry.path == self._service.documents.home(self._given.uri, self._given.root)[1]

    async def events(self, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
        """The events of a reviewer: what was dismissed has that status, and the last one tells the rest."""
        try:
            async for event in events:
                match event:
                    case Found():
                        heard = await self._heard(event)
                        if heard is not None:
                            yield heard
                    case Withdrawn(finding_id, _):
                        self._shown.pop(finding_id, None)
                        if finding_id not in self._hidden:
                            yield event
                    case Closed():
                        for sentence in self._sentences():
                            yield Skipped(sentence)
                        yield self._closing(event)
                    case _:
                        self._has_read = self._has_read or isinstance(event, Reading)
                        yield event
        finally:
            self._locating.cancel()
            await events.aclose()
            for root, view in self._views.items():
                foreign = root in self._foreign.values()
                self._service.seen(root, view, self._files.get(root, {}), foreign=foreign)

    async def _heard(self, found: Found) -> Found | None:
        """The finding as the reader is to see it; None beyond the cap."""
        documents = self._service.documents
        root, path = documents.home(found.finding.uri, self._given.root)
        view = await self._view(root)
        finding = documents.as_now(found)
        if len(view) or self._strays.are_possible:
            text = await self._text(found)
            about, text = documents.in_file(finding, text)
            if text is not None:
                await self._follow(root, view, path, text)
            entry = view.ledger.covering(about, path, text)
            if entry is not None:
                self._hidden.add(finding.id)
                self._service.hold(root, entry.id)
                return replace(found, finding=replace(found.finding, id=entry.id, status=Status.DISMISSED))
            if view.foreign.covering(about, path, text) is not None:
                self._foreign[finding.id] = root
        if self._service.is_dismissed(finding) or finding.status not in SHOWN:
            self._hidden.add(finding.id)
            return found
        most = self._given.max_findings
        if most and finding.id not in self._shown and len(self._shown) >= most:
            self._capped.add(finding.id)
            return None
        self._shown.setdefault(finding.id, finding)
        return found

    async def _view(self, root: str | None) -> View:
        """What a root keeps, with its files where they are by now."""
        if root not in self._views:
            self._views[root] = await self._service.view(root)
        elif not self._locating.done():
            await self._locating
        return self._views[root]

    async def _text(self, found: Found) -> Text | None:
        """What the document of a finding holds now; one that is not open is read once."""
        uri = found.finding.uri
        if found.version is not None:
            return await self._service.documents.text(uri)
        if uri not in self._texts:
            self._texts[uri] = await self._service.documents.text(uri)
        return self._texts[uri]

    async def _follow(self, root: str | None, view: View, path: str, text: Text) -> None:
        """Give a file, once a review, the entries of those that are gone and held the very same text, here or in
        another root."""
        files = self._files.setdefault(root, {})
        if path not in files:
            files[path] = digest_of(text)
            view.follow(path, files[path])
            for entry in await self._strays.take(root, path, files[path]):
                view.ledger.put(entry)

    def _sentences(self) -> list[str]:
        """What the reader has to know of the ledger. Nothing where nothing was read, and something went wrong."""
        if not self._has_read:
            return []
        sentences = list(dict.fromkeys(warning for view in self._views.values() for warning in view.warnings))
        foreign = sum(len(view.foreign) for view in self._views.values())
        if foreign:
            would = f" Here they would hide {counted(len(self._foreign), 'finding')}." if self._foreign else ""
            sentences.append(
                "Dismissals in .socreates/dismissed.json that were not made on this machine, and hide nothing until "
                f"you accept them: {foreign:,}.{would}"
            )
        return sentences

    def _closing(self, closed: Closed) -> Closed:
        if not self._hidden and not self._capped:
            return closed
        tally = f"{tally_of(tuple(self._shown.values())) or 'No questions'}: "
        summary = _TALLY.sub(lambda _: tally, closed.summary, count=1)
        return replace(closed, summary=summary, capped=closed.capped + len(self._capped))
