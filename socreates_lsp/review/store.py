"""The one store of findings: what stands, in which state, born in which version of its document. Pure.

Whoever shows findings asks ``anchored``, which places every finding by its quotation in the text of that moment.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from socreates_lsp.review.anchor import carried, is_cut, place_of, placed, places_of, twins_of
from socreates_lsp.review.finding import Category, Finding, Reply, Source, Status, finding_id, normalised
from socreates_lsp.review.standing import Birth, Claim, settled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from socreates_lsp.workspace.text import Range, Shift, Text

SHOWN = frozenset({Status.OPEN, Status.STALE})
"""The states in which the editor shows a finding as a diagnostic."""


@dataclass(frozen=True, slots=True)
class Target:
    """The part of the workspace that a review covers.

    ``uris`` None means every document under ``root``; ``ranges`` narrows single documents to these lines.
    """

    root: str | None
    uris: frozenset[str] | None = None
    ranges: Mapping[str, Sequence[Range]] | None = None

    def covers(self, finding: Finding, root: str | None) -> bool:
        """Whether a finding, which belongs to ``root``, lies inside."""
        if self.uris is None:
            return root == self.root
        if finding.uri not in self.uris:
            return False
        spans = None if self.ranges is None else self.ranges.get(finding.uri)
        return spans is None or any(span.overlaps_lines(finding.range) for span in spans)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A finding as it is kept. ``birth`` is None until a text was seen, ``text`` is what it was last placed in.

    ``stands``: it had a place there. ``cut``: an edit has replaced that place since.
    """

    finding: Finding
    root: str | None
    version: int | None
    birth: Birth | None = None
    stands: bool = True
    cut: bool = False
    text: weakref.ref[Text] | None = None

    @property
    def key(self) -> tuple[str, Category, str, str]:
        """What findings have in common that could be taken for each other."""
        finding = self.finding
        return (finding.uri, finding.category, normalised(finding.quote), finding.subject)

    @property
    def claim(self) -> Claim:
        """What it has to say for itself where findings are placed."""
        return Claim(self.finding.range.start.line, self.stands, self.cut, self.birth)

    def seen_in(self, text: Text) -> bool:
        """Whether it was placed in this very text."""
        return self.text is not None and self.text() is text

    def at(self, place: Range | None, text: Text, version: int | None) -> _Entry:
        """The entry at its place in a text; it has none if None."""
        finding = placed(self.finding, place, text)
        stands = place is not None
        birth = self.birth or Birth.of(finding.quote, finding.range, text, stands=stands)
        version = self.version if finding is self.finding else version
        return _Entry(finding, self.root, version, birth, stands, self.cut and not stands, weakref.ref(text))

    def alone(self, text: Text, version: int | None) -> _Entry:
        """The entry placed in a text where it comes from a review, with no look at others."""
        twins = len(places_of(self.finding.quote, text)) - 1 if version is None else twins_of(self.finding, text)
        return self.at(place_of(self.finding.quote, text, self.finding.range.start.line, max(twins, 0)), text, version)


def _together(entries: Mapping[str, _Entry], text: Text, version: int | None) -> dict[str, _Entry]:
    """Entries with one key, each at its place in a text."""
    if all(entry.seen_in(text) for entry in entries.values()):
        return dict(entries)
    quote = next(iter(entries.values())).finding.quote
    places = settled(quote, [entry.claim for entry in entries.values()], text)
    return {key: entry.at(place, text, version) for (key, entry), place in zip(entries.items(), places, strict=True)}


class _Entries(dict[str, _Entry]):
    """Entries by id, in the order in which they came; those that could be taken for each other are at hand."""

    def __init__(self) -> None:
        super().__init__()
        self._ids: dict[tuple[str, Category, str, str], dict[str, None]] = {}

    def __setitem__(self, finding_id: str, entry: _Entry) -> None:
        self._forget(finding_id)
        super().__setitem__(finding_id, entry)
        self._ids.setdefault(entry.key, {})[finding_id] = None

    def __delitem__(self, finding_id: str) -> None:
        self._forget(finding_id)
        super().__delitem__(finding_id)

    def alike(self, entry: _Entry) -> dict[str, _Entry]:
        """The entries that have the key of this one."""
        return {finding_id: self[finding_id] for finding_id in self._ids.get(entry.key, ())}

    def _forget(self, finding_id: str) -> None:
        old = self.get(finding_id)
        if old is not None:
            del self._ids[old.key][finding_id]


class FindingStore:
    """All findings of a session by id, in the order in which they came."""

    def __init__(self) -> None:
        """Start with none."""
        self._entries = _Entries()

    def add(self, finding: Finding, *, root: str | None, version: int | None, text: Text | None) -> Finding:
        """Take a finding of a review and return it as it is kept.

        A question found again takes the existing id, even where it moved; a second question with the same key
        joins the first one's ``why``. ``text`` is the text of this moment, ``version`` the buffer version that
        the finding was born in (None for a closed document); its range has gone along with the edits since then,
        so that other places of its quotation are other lines.
        """
        entry = _Entry(finding, root, version)
        if text is not None:
            entry = entry.alone(text, version)
        known = self._known(entry, text)
        if known is not None:
            entry = replace(entry, finding=_renewed(known, entry.finding))
        elif finding.id in self._entries:
            entry = replace(entry, finding=replace(entry.finding, id=self._free_id(finding, root)))
        self._entries[entry.finding.id] = entry
        return entry.finding

    def _known(self, new: _Entry, text: Text | None) -> Finding | None:
        """The finding that a new one is: what stands at its place, else what has its id and stands nowhere."""
        alike = self._entries.alike(new)
        if text is not None and alike:
            alike = _together(alike, text, None)
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
        """Give a finding another status; None if there is no such."""
        entry = self._entries.get(finding_id)
        if entry is None:
            return None
        finding = replace(entry.finding, status=status)
        self._entries[finding_id] = replace(entry, finding=finding)
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
        groups: dict[tuple[str, Category, str, str], dict[str, _Entry]] = {}
        for key, entry in self._entries.items():
            if entry.finding.uri == uri:
                groups.setdefault(entry.key, {})[key] = entry
        for group in groups.values():
            for key, entry in _together(group, text, version).items():
                self._entries[key] = entry
        return self.of(uri)

    def carry(self, uri: str, shifts: Sequence[Shift]) -> None:
        """Let findings, and places related to them, go along with the edits that were made to a document."""
        for key, entry in self._entries.items():
            finding = carried(entry.finding, uri, shifts)
            cut = entry.cut or is_cut(entry.finding, uri, shifts)
            if finding is not entry.finding or cut is not entry.cut:
                self._entries[key] = replace(entry, finding=finding, cut=cut)

    def unplaced(self, uri: str) -> list[Finding]:
        """The findings of a document that has no text any more: what was open is stale."""
        for key, entry in self._entries.items():
            if entry.finding.uri == uri and (entry.stands or entry.finding.status is Status.OPEN):
                status = Status.STALE if entry.finding.status is Status.OPEN else entry.finding.status
                finding = replace(entry.finding, status=status)
                self._entries[key] = replace(entry, finding=finding, stands=False, text=None)
        return self.of(uri)

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


def _renewed(known: Finding, again: Finding) -> Finding:
    """The same question once more, or a second one on the same lines: one finding, under the id it has."""
    status = again.status if known.status in SHOWN | {Status.WITHDRAWN, Status.RESOLVED} else known.status
    if known.message == again.message or (known.rule is not None and known.rule == again.rule):
        return replace(again, id=known.id, status=status, thread=known.thread)
    extra = f"{again.message} {again.why}".strip()
    why = known.why if extra in known.why else f"{known.why} {extra}".strip()
    return replace(known, range=again.range, why=why, status=status)
