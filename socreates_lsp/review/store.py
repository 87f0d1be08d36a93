"""The one store of findings: what stands, in which state, born in which version of its document. Pure.

Whoever shows findings asks ``anchored``, which places every finding by its quotation in the text of that moment.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.review.anchor import anchored
from socreates_lsp.review.finding import Finding, Source, Status, normalised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.workspace.text import Range, Text

SHOWN = frozenset({Status.OPEN, Status.STALE})
"""The states in which the editor shows a finding as a diagnostic."""


@dataclass(frozen=True, slots=True)
class Target:
    """The part of the workspace that a review covers.

    ``uris`` None means every document under ``root``; ``range`` narrows a single document to its lines.
    """

    root: str | None
    uris: frozenset[str] | None = None
    range: Range | None = None

    def covers(self, finding: Finding, root: str | None) -> bool:
        """Whether a finding, which belongs to ``root``, lies inside."""
        if self.uris is None:
            return root == self.root
        return finding.uri in self.uris and (self.range is None or self.range.overlaps_lines(finding.range))


@dataclass(frozen=True, slots=True)
class _Entry:
    finding: Finding
    root: str | None
    version: int | None


class FindingStore:
    """All findings of a session by id, in the order in which they came."""

    def __init__(self) -> None:
        """Start with none."""
        self._entries: dict[str, _Entry] = {}

    def add(self, finding: Finding, *, root: str | None, version: int | None, text: Text | None) -> Finding:
        """Take a finding of a review and return it as it is kept.

        A question found again takes the existing id, even where it moved; a second question with the same key
        joins the first one's ``why``. ``text`` is the text of this moment, ``version`` the buffer version that
        the finding was born in (None for a closed document).
        """
        if text is not None:
            finding = anchored(finding, text)
        known = self._known(finding, text)
        if known is not None:
            finding = _renewed(known, finding)
        self._entries[finding.id] = _Entry(finding, root, version)
        return finding

    def _known(self, finding: Finding, text: Text | None) -> Finding | None:
        entry = self._entries.get(finding.id)
        if entry is not None:
            return entry.finding
        for other in self._entries.values():
            old = other.finding
            if old.uri == finding.uri and old.category is finding.category and _same_quote(old, finding):
                placed = old if text is None else anchored(old, text)
                if placed.range == finding.range and placed.status is not Status.STALE:
                    return old
        return None

    def withdraw(self, finding_id: str) -> Finding | None:
        """Take a finding back; None if there is no such."""
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
        for finding_id, entry in self._entries.items():
            if entry.finding.uri == uri:
                finding = anchored(entry.finding, text)
                if finding is not entry.finding:
                    self._entries[finding_id] = replace(entry, finding=finding, version=version)
        return self.of(uri)

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
        return iter([entry.finding for entry in self._entries.values()])


def _same_quote(one: Finding, other: Finding) -> bool:
    return normalised(one.quote) == normalised(other.quote)


def _renewed(known: Finding, again: Finding) -> Finding:
    """The same question once more, or a second one on the same lines: one finding, under the id it has."""
    status = Status.OPEN if known.status in SHOWN | {Status.WITHDRAWN, Status.RESOLVED} else known.status
    if known.message == again.message or (known.rule is not None and known.rule == again.rule):
        return replace(again, id=known.id, status=status, thread=known.thread)
    extra = f"{again.message} {again.why}".strip()
    why = known.why if extra in known.why else f"{known.why} {extra}".strip()
    return replace(known, range=again.range, why=why, status=status)
