"""The one store of findings: what stands, in which state, born in which version of its document. Pure.

Whoever shows findings asks ``anchored``, which places every finding by its quotation in the text of that moment.
"""

from __future__ import annotations

import weakref
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from socreates_lsp.review.anchor import carried_related
from socreates_lsp.review.drift import Moved, stands_in
from socreates_lsp.review.entry import SHOWN, Entries, Entry, Look, together
from socreates_lsp.review.finding import Category, Finding, Reply, Source, Status, finding_id
from socreates_lsp.review.path import Path
from socreates_lsp.review.renewing import renewed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from socreates_lsp.review.target import Target
    from socreates_lsp.workspace.text import Shift, Text


class FindingStore:
    """All findings of a session by id, in the order in which they came."""

    def __init__(self) -> None:
        """Start with none."""
        self._entries = Entries()
        self._looks: dict[str, Look] = {}

    def _look(self, uri: str, text: Text) -> Look:
        """The look at this text of a document."""
        look = self._looks.get(uri)
        if look is None or look.text() is not text:
            look = self._looks[uri] = Look(text)
        return look

    def add(
        self,
        finding: Finding,
        *,
        root: str | None,
        version: int | None,
        text: Text | None,
        shifts: Sequence[Shift] | None = None,
        found: Collection[str] | None = None,
    ) -> Finding:
        """Take a finding of a review and return it as it is kept.

        A question found again takes the existing id, even where it moved. A second question with the same key joins
        the first one's ``why``, if its id is among those ``found`` by the same review (None: not known, it joins);
        else it takes the place of the first one, unless that has a thread. ``text`` is the text of this moment,
        ``version`` the buffer version that the finding was born in (None for a closed document), ``shifts`` are the
        edits since then (None: not known).
        """
        entry = Entry(finding, root, version)
        if text is not None:
            entry = self._born(entry, text, shifts)
        known = self._known(entry, text)
        if known is not None:
            joins = found is None or known.id in found
            entry = replace(entry, finding=renewed(known, entry.finding, joins=joins))
        elif finding.id in self._entries:
            entry = replace(entry, finding=replace(entry.finding, id=self._free_id(finding, root)))
        self._entries[entry.finding.id] = entry
        return entry.finding

    def _born(self, entry: Entry, text: Text, shifts: Sequence[Shift] | None) -> Entry:
        """A finding of a review in the text of this moment, carried through all edits since its birth."""
        look = self._look(entry.finding.uri, text)
        if not shifts:
            return entry.alone(look, text, entry.version if shifts is not None else None)
        path = Path.of(entry.finding.range, shifts)
        related = carried_related(entry.finding, entry.finding.uri, shifts)
        finding = replace(entry.finding, related=related)
        [place] = stands_in(finding.quote, [Moved(path, None, stood=True)], text, ())
        return replace(entry, finding=finding).along(path, place, look, text, entry.version)

    def _known(self, new: Entry, text: Text | None) -> Finding | None:
        """The finding that a new one is: what stands at its place, else what has its id and stands nowhere."""
        alike = self._entries.alike(new)
        if text is not None and alike:
            alike = together(alike, self._look(new.finding.uri, text), text, None)
        for key, entry in alike.items():
            if new.stands and entry.stands and entry.finding.range == new.finding.range:
                return self._entries[key].finding
        entry = self._entries.get(new.finding.id)
        if entry is None or entry.root != new.root:
            return None
        if entry.finding.uri != new.finding.uri:
            # A cell of a notebook that has the number now which another one had.
            return None if entry.stands else entry.finding
        here = alike.get(new.finding.id)
        return None if text is not None and here is not None and here.stands else entry.finding

    def _free_id(self, finding: Finding, root: str | None) -> str:
        """An id for a finding whose own has been taken: by a twin that was born when it was the first one, or by
        the file of the same name in another root."""
        tries = (finding_id(f"{root}\0{finding.id}", finding.category, finding.quote, number) for number in count())
        return next(free for free in tries if free not in self._entries)

    def withdraw(self, finding_id: str, reason: Reply | None = None) -> Finding | None:
        """Take a finding back, with the reason in its thread; None if there is no such."""
        entry = self._entries.get(finding_id)
        if entry is None:
            return None
        thread = entry.finding.thread if reason is None else (*entry.finding.thread, reason)
        self._entries[finding_id] = replace(entry, finding=replace(entry.finding, thread=thread))
        return self.set_status(finding_id, Status.WITHDRAWN)

    def set_status(self, finding_id: str, status: Status) -> Finding | None:
        """Give a finding another status (stale for open, if its lines are not there); None if there is no such."""
        entry = self._entries.get(finding_id)
        if entry is None:
            return None
        if status is Status.OPEN and not entry.stands:
            status = Status.STALE
        finding = replace(entry.finding, status=status)
        self._entries[finding_id] = replace(entry, finding=finding, gone=False)
        return finding

    def amend(self, finding: Finding) -> Finding:
        """Keep a finding as it is given, but for its place, which is looked for anew where it is shown next."""
        entry = self._entries[finding.id]
        status = Status.STALE if finding.status is Status.OPEN and not entry.stands else finding.status
        finding = replace(finding, range=entry.finding.range, status=status)
        self._entries.put(finding.id, replace(entry, finding=finding, look=None))
        return finding

    def replace_unfound(self, target: Target, source: Source, found: frozenset[str]) -> list[Finding]:
        """End a review that ended well: open findings of the same source inside the target that were not found
        again leave, unless they have a thread. Returns those that left.
        """
        gone = [
            entry.finding
            for entry in self._entries.values()
            if entry.finding.id not in found
            and entry.finding.source is source
            and entry.finding.status in SHOWN
            and not entry.finding.thread
            and target.covers(entry.finding, entry.root)
        ]
        for finding in gone:
            del self._entries[finding.id]
        return gone

    def clear(self, uri: str | None = None) -> list[Finding]:
        """Drop the shown findings without a thread, of one document or of all. Returns those that left."""
        gone = [
            finding
            for finding in self
            if finding.status in SHOWN and not finding.thread and (uri is None or finding.uri == uri)
        ]
        for finding in gone:
            del self._entries[finding.id]
        return gone

    def remove_root(self, root: str) -> list[Finding]:
        """Drop every finding of a root that left the workspace."""
        gone = [entry.finding for entry in self._entries.values() if entry.root == root]
        for finding in gone:
            del self._entries[finding.id]
        return gone

    def anchored(self, uri: str, text: Text, version: int | None = None) -> list[Finding]:
        """The findings of a document where they stand in this text; what moved is kept so."""
        groups: dict[tuple[str, Category, str, str], dict[str, Entry]] = {}
        for entry in self._entries.values():
            if entry.finding.uri == uri and not entry.seen_in(text):
                groups.setdefault(entry.key, self._entries.alike(entry))
        look = self._look(uri, text)
        for group in groups.values():
            for key, entry in together(group, look, text, version).items():
                if entry is not group[key]:
                    self._entries.put(key, entry)
        return self.of(uri)

    def carry(
        self, uri: str, shifts: Sequence[Shift], before: Text, after: Text, version: int | None = None
    ) -> set[str]:
        """Let findings, and places related to them, go along with edits that were made to a document.

        Returns the documents in which something that is shown was moved or changed.
        """
        changed: set[str] = set()
        self.anchored(uri, before, version)
        look = self._look(uri, before)
        touched: dict[tuple[str, Category, str, str], dict[str, Path]] = {}
        for key, entry in self._entries.items():
            finding = entry.finding
            if entry.relates_to(uri):
                entry = entry.with_near(entry.near.edited(uri, shifts, before, after))  # noqa: PLW2901
                if entry.finding.related != finding.related and finding.status in SHOWN:
                    changed.add(finding.uri)
                self._entries.put(key, replace(entry, version=version or entry.version))
                finding = entry.finding
            if finding.uri == uri:
                path = Path.of(entry.followed, shifts)
                if path.touched or entry.may_come_home(path, after):
                    touched.setdefault(entry.key, {})[key] = path
                elif path.span != entry.followed:
                    self._entries.put(key, entry.carried(path, version))
                    changed.update({uri} if finding.status in SHOWN else ())
        look.text = weakref.ref(after)
        for paths in touched.values():
            was = {self._entries[key].finding.status for key in paths}
            self._touch(paths, look, after, version)
            if (was | {self._entries[key].finding.status for key in paths}) & SHOWN:
                changed.add(uri)
        return changed

    def _touch(self, paths: Mapping[str, Path], look: Look, text: Text, version: int | None) -> None:
        """Place findings with one key whose lines were edited."""
        entries = {key: self._entries[key] for key in paths}
        first = next(iter(entries.values()))
        rest = [entry for key, entry in self._entries.alike(first).items() if key not in paths and entry.stands]
        moved = [Moved(paths[key], entry.birth, entry.stands) for key, entry in entries.items()]
        places = stands_in(first.finding.quote, moved, text, [entry.finding.range for entry in rest])
        for (key, entry), place in zip(entries.items(), places, strict=True):
            self._entries.put(key, entry.along(paths[key], place, look, text, version))

    def look_near(self, uri: str, text: Text | None) -> set[str]:
        """A document holds this text by whatever way (None: it is gone): see to the places in it that are related to
        findings. Returns the documents in which something that is shown was changed."""
        changed: set[str] = set()
        for key, entry in self._entries.items():
            if entry.relates_to(uri):
                new = entry.with_near(entry.near.looked(uri, text))
                self._entries.put(key, new)
                if new.finding.related != entry.finding.related and entry.finding.status in SHOWN:
                    changed.add(entry.finding.uri)
        return changed

    def relating(self, uri: str) -> set[str]:
        """The documents whose findings have places in this one."""
        return {entry.finding.uri for entry in self._entries.values() if entry.relates_to(uri)}

    def near(self, uri: str) -> set[str]:
        """The documents with places that are related to findings of this one, lost or not."""
        return {one.uri for entry in self.entries(uri) for one, _ in entry.near.places}

    def lose_track(self, uri: str) -> None:
        """A document has another text than edits made of it: its findings are to be searched for."""
        self._looks.pop(uri, None)
        for key, entry in self._entries.items():
            if entry.finding.uri == uri and entry.look is not None:
                self._entries.put(key, replace(entry, look=None))

    def unplaced(self, uri: str) -> list[Finding]:
        """The findings of a document that has no text any more: what was open is stale."""
        for key, entry in self._entries.items():
            if entry.finding.uri == uri and (entry.stands or entry.finding.status is Status.OPEN):
                status = Status.STALE if entry.finding.status is Status.OPEN else entry.finding.status
                finding = replace(entry.finding, status=status)
                self._entries[key] = replace(entry, finding=finding, stands=False, look=None)
        return self.of(uri)

    def vanish(self, uri: str) -> None:
        """The file of a document was deleted: what was shown is resolved, until the file comes back."""
        for key, entry in self._entries.items():
            if entry.finding.uri == uri and entry.finding.status in SHOWN:
                finding = replace(entry.finding, status=Status.RESOLVED)
                self._entries.put(key, replace(entry, finding=finding, stands=False, gone=True, look=None))

    def move(self, uri: str, to: str, root: str | None) -> bool:
        """A document has another URI, which belongs to ``root``: its findings, and places in it, go along.

        False if there are none.
        """
        moved = False
        for key, entry in tuple(self._entries.items()):
            finding = entry.finding
            if entry.relates_to(uri):
                related = tuple(replace(one, uri=to) if one.uri == uri else one for one in finding.related)
                lost = tuple((at, replace(one, uri=to) if one.uri == uri else one) for at, one in entry.lost)
                finding = replace(finding, related=related)
                entry = replace(entry, finding=finding, lost=lost)  # noqa: PLW2901
                self._entries.put(key, entry)
            if finding.uri == uri:
                self._entries[key] = replace(entry, finding=replace(finding, uri=to), root=root, look=None)
                moved = True
        return moved

    def drop(self, uri: str) -> list[Finding]:
        """Drop every finding of a document that is gone for good. Returns those that left."""
        gone = self.of(uri)
        for finding in gone:
            del self._entries[finding.id]
        return gone

    def forget(self, finding_id: str) -> None:
        """Drop a finding, if there is such."""
        if finding_id in self._entries:
            del self._entries[finding_id]

    def entries(self, uri: str) -> list[Entry]:
        """The findings of a document with what is known of their places."""
        return [entry for entry in self._entries.values() if entry.finding.uri == uri]

    def keep(self, entry: Entry, text: Text | None = None) -> None:
        """Keep a finding as it is given; at its range in this text of its document, if one is given."""
        if text is not None:
            entry = entry.at(entry.finding.range, self._look(entry.finding.uri, text), text, None)
        self._entries[entry.finding.id] = entry

    def of(self, uri: str) -> list[Finding]:
        """The findings of a document as they were placed last."""
        return [finding for finding in self if finding.uri == uri]

    def get(self, finding_id: str) -> Finding | None:
        """One finding."""
        entry = self._entries.get(finding_id)
        return None if entry is None else entry.finding

    def born_in(self, finding_id: str) -> int | None:
        """The buffer version that a finding was last placed in."""
        entry = self._entries.get(finding_id)
        return None if entry is None else entry.version

    def uris(self) -> set[str]:
        """The documents that have findings."""
        return {finding.uri for finding in self}

    def __iter__(self) -> Iterator[Finding]:
        """All findings."""
        return iter([entry.finding for entry in tuple(self._entries.values())])
