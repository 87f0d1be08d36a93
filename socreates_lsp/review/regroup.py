"""Findings that go from one document to another with their lines: cells of a notebook, and the notebook. Pure.

An editor splits, merges, moves and deletes cells, and says so in pieces. What is asked about a cell follows its
quotation: out of a cell whose lines are gone, into one that just came or grew, and into the notebook's file as the
notebook is closed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.review.anchor import place_on, places_of
from socreates_lsp.review.finding import Status
from socreates_lsp.review.path import moved
from socreates_lsp.review.standing import Birth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from socreates_lsp.review.entry import Entry
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.workspace.text import Range, Text


def homeless(store: FindingStore, uris: Iterable[str]) -> list[Entry]:
    """The findings of some documents whose lines are gone from there, in their order."""
    entries = [entry for uri in uris for entry in store.entries(uri)]
    return [one for one in entries if not one.stands and (one.is_resolved or one.finding.status is Status.STALE)]


def resettle(
    store: FindingStore, entries: Iterable[Entry], arrivals: Mapping[str, tuple[Text | None, Text]], root: str | None
) -> set[str]:
    """Let findings stand in documents that came or grew: by document the text before, if any, and now.

    Returns the documents that are to be shown anew.
    """
    changed: set[str] = set()
    for entry in entries:
        for uri, (before, text) in arrivals.items():
            place = _new_place(store, entry, uri, before, text)
            if place is not None:
                finding = replace(entry.finding, uri=uri, range=place)
                store.keep(replace(entry, finding=finding, root=root, birth=None, look=None, stretch=None), text)
                changed |= {entry.finding.uri, uri}
                break
    return changed


def _new_place(store: FindingStore, entry: Entry, uri: str, before: Text | None, text: Text) -> Range | None:
    """The nearest place that a quotation has in a text since now, and no finding of its kind stands on."""
    quote = entry.finding.quote
    places = places_of(quote, text)
    if len(places) <= (0 if before is None else len(places_of(quote, before))):
        return None
    taken = {one.finding.range for one in store.entries(uri) if one.stands and one.key[1:] == entry.key[1:]}
    spans = [text.trimmed(one.first, one.last) for one in sorted(places, key=lambda one: not one.whole)]
    near = entry.finding.range.start.line
    free = [span for span in spans if span not in taken]
    return min(free, key=lambda span: abs(span.start.line - near), default=None)


def gather(store: FindingStore, starts: Iterable[tuple[str, int]], whole: Text, to: str, root: str | None) -> set[str]:
    """Take the findings of documents to another one, of which their text is a part from these lines on.

    Returns the documents that are to be shown anew.
    """
    changed: set[str] = set()
    for uri, line in starts:
        for entry in store.entries(uri):
            span = moved(entry.finding.range, line)
            stands = entry.stands and place_on(entry.finding.quote, whole, span.start.line) is not None
            birth = Birth.of(entry.finding.quote, span, whole, stands=stands)
            finding = replace(entry.finding, uri=to, range=span)
            store.keep(replace(entry, finding=finding, root=root, birth=birth, look=None, stretch=None))
            changed |= {uri, to}
    return changed


def scatter(
    store: FindingStore,
    uri: str,
    whole: Text,
    cell_at: Callable[[int], tuple[str, int] | None],
    text_of: Callable[[str], Text | None],
    root: str | None,
) -> set[str]:
    """The way back: the findings of a document go to those of which its text is made. Returns what to show anew."""
    changed: set[str] = set()
    store.lose_track(uri)
    store.anchored(uri, whole)
    for entry in store.entries(uri):
        part = cell_at(entry.finding.range.start.line)
        text = None if part is None else text_of(part[0])
        if part is None or text is None:
            continue
        finding = replace(entry.finding, uri=part[0], range=moved(entry.finding.range, -part[1]))
        birth = None if entry.stands else entry.birth
        store.keep(
            replace(entry, finding=finding, root=root, birth=birth, look=None, stretch=None),
            text if entry.stands else None,
        )
        changed |= {uri, part[0]}
    return changed
