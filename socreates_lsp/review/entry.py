"""The findings that a store keeps, each with what is known of its place. Pure."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.review.anchor import place_of, placed, places_of, twins_of
from socreates_lsp.review.drift import is_gone
from socreates_lsp.review.finding import Category, Finding, Status, normalised
from socreates_lsp.review.near import Near
from socreates_lsp.review.path import moved
from socreates_lsp.review.standing import Birth, Claim, settled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.review.near import Lost
    from socreates_lsp.review.path import Path
    from socreates_lsp.workspace.text import Range, Text

SHOWN = frozenset({Status.OPEN, Status.STALE})
"""The states in which the editor shows a finding as a diagnostic."""


class Look:
    """The text in which findings of a document were placed last. Edits carry it on for all of them at once."""

    __slots__ = ("text",)

    def __init__(self, text: Text) -> None:
        self.text = weakref.ref(text)


@dataclass(frozen=True, slots=True)
class Entry:
    """A finding as it is kept. ``birth`` is None until a text was seen, ``look`` is the text it was last placed in.

    ``stands``: it had a place there. ``cut``: an edit took that place. ``gone``: its lines were deleted, which is why
    it is resolved, and what brings them back opens it again. ``stretch``: all that took the place of its lines, where
    that is more than what is shown; what brings them back may stand anywhere in it. ``lost``: see near.py.
    """

    finding: Finding
    root: str | None
    version: int | None
    birth: Birth | None = None
    stands: bool = True
    cut: bool = False
    gone: bool = False
    look: Look | None = None
    stretch: Range | None = None
    lost: tuple[Lost, ...] = ()

    @property
    def followed(self) -> Range:
        """The range that edits carry along."""
        return self.finding.range if self.stretch is None else self.stretch

    def carried(self, path: Path, version: int | None) -> Entry:
        """The entry after edits that touched none of its lines."""
        lines = path.span.start.line - self.followed.start.line
        stretch = None if self.stretch is None else path.span
        span = path.span if stretch is None else moved(self.finding.range, lines)
        finding = replace(self.finding, range=span)
        return replace(self, finding=finding, stretch=stretch, version=version or self.version)

    @property
    def key(self) -> tuple[str, Category, str, str]:
        """What findings have in common that could be taken for each other."""
        finding = self.finding
        return (finding.uri, finding.category, normalised(finding.quote), finding.subject)

    @property
    def claim(self) -> Claim:
        """What it has to say for itself where findings are placed."""
        return Claim(self.finding.range.start.line, self.stands, self.cut, self.birth)

    @property
    def near(self) -> Near:
        """The places related to it."""
        return Near.of(self.finding, self.lost)

    def with_near(self, near: Near) -> Entry:
        """It with its related places as they are by now."""
        return replace(self, finding=replace(self.finding, related=near.shown), lost=near.lost)

    def relates_to(self, uri: str) -> bool:
        """Whether a place related to it, lost or not, is in a document."""
        return any(one.uri == uri for one in self.finding.related) or any(one.uri == uri for _, one in self.lost)

    def seen_in(self, text: Text) -> bool:
        """Whether it was placed in this very text."""
        return self.look is not None and self.look.text() is text

    def at(self, place: Range | None, look: Look, text: Text, version: int | None) -> Entry:
        """The entry at its place in a text; it has none if None."""
        known = replace(self.finding, status=Status.OPEN) if place is not None and self.is_resolved else self.finding
        finding = placed(known, place, text)
        stands = place is not None
        birth = self.birth or Birth.of(finding.quote, finding.range, text, stands=stands)
        version = self.version if finding is self.finding else version
        gone = self.gone and not stands
        return Entry(finding, self.root, version, birth, stands, self.cut and not stands, gone, look, lost=self.lost)

    def along(self, path: Path, place: Range | None, look: Look, text: Text, version: int | None) -> Entry:
        """It after edits that took it this way: without a place it is stale, or resolved if its lines are gone."""
        if place is not None:
            return self.at(place, look, text, version)
        status = self.finding.status
        gone = self.gone or (status in SHOWN and is_gone(path, text))
        if status in SHOWN:
            status = Status.RESOLVED if gone else Status.STALE
        lines = 0 if self.stretch is None else path.span.start.line - self.stretch.start.line
        span = _shown(moved(self.finding.range, lines), path.span, text)
        finding = replace(self.finding, range=span, status=status)
        # A birth that was never seen stands nowhere: its home is not this text.
        birth = self.birth or Birth.of(finding.quote, finding.range, text, stands=False)
        stretch = None if span == path.span else path.span
        stale = Entry(finding, self.root, version, birth, stands=False, cut=True, gone=gone, look=look)
        return replace(stale, stretch=stretch, lost=self.lost)

    def may_come_home(self, path: Path, text: Text) -> bool:
        """Whether an undo may have brought the text in which it was born, and with it another place than the edits."""
        birth = self.birth
        return birth is not None and birth.home is not None and birth.lines == len(text) and birth.home != path.span

    @property
    def is_resolved(self) -> bool:
        """Whether it is resolved because its lines were deleted, and for no other reason."""
        return self.gone and self.finding.status is Status.RESOLVED

    def alone(self, look: Look, text: Text, version: int | None) -> Entry:
        """The entry placed in a text where it comes from a review, with no look at others."""
        twins = len(places_of(self.finding.quote, text)) - 1 if version is None else twins_of(self.finding, text)
        place = place_of(self.finding.quote, text, self.finding.range.start.line, max(twins, 0))
        return self.at(place, look, text, version)


def _shown(old: Range, stretch: Range, text: Text) -> Range:
    """Of what took the place of some lines, as many lines as they were, as near as can be to where they were."""
    height = len(old.lines)
    if len(stretch.lines) <= height:
        return stretch
    first = min(max(old.start.line, stretch.start.line), stretch.end.line - height + 1)
    return text.trimmed(first, first + height - 1)


def together(entries: Mapping[str, Entry], look: Look, text: Text, version: int | None) -> dict[str, Entry]:
    """Entries with one key, each at its place in a text."""
    if all(entry.seen_in(text) for entry in entries.values()):
        return dict(entries)
    quote = next(iter(entries.values())).finding.quote
    places = settled(quote, [entry.claim for entry in entries.values()], text)
    return {
        key: entry.at(place, look, text, version) for (key, entry), place in zip(entries.items(), places, strict=True)
    }


class Entries(dict[str, Entry]):
    """Entries by id, in the order in which they came; those that could be taken for each other are at hand."""

    def __init__(self) -> None:
        super().__init__()
        self._ids: dict[tuple[str, Category, str, str], dict[str, None]] = {}

    def __setitem__(self, finding_id: str, entry: Entry) -> None:
        self._forget(finding_id)
        super().__setitem__(finding_id, entry)
        self._ids.setdefault(entry.key, {})[finding_id] = None

    def put(self, finding_id: str, entry: Entry) -> None:
        """The same for an entry whose key is the one it had."""
        super().__setitem__(finding_id, entry)

    def __delitem__(self, finding_id: str) -> None:
        self._forget(finding_id)
        super().__delitem__(finding_id)

    def alike(self, entry: Entry) -> dict[str, Entry]:
        """The entries that have the key of this one."""
        return {finding_id: self[finding_id] for finding_id in self._ids.get(entry.key, ())}

    def _forget(self, finding_id: str) -> None:
        old = self.get(finding_id)
        if old is not None:
            del self._ids[old.key][finding_id]
