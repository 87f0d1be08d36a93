"""What the reviews of a target have shown to a model so far, and what they left out. Pure. Lines from 0.

Lines count as read as long as they stand as they stood: an edit of others leaves them read, one of their own does not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from socreates_lsp.agent.candidates import Candidates
from socreates_lsp.review.reviewer import Scope
from socreates_lsp.workspace.difference import Hunk, hunks_between

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from socreates_lsp.review.reviewer import ReviewRequest
    from socreates_lsp.workspace.text import Range, Text

_NEAR = 2
"""Lines that were read between two stretches that were not, up to which the two are one."""

_MOST_DOCUMENTS = 500
"""Documents of one target that are remembered."""

Key = tuple[str, ...]


def key_of(request: ReviewRequest) -> Key:
    """What two reviews have in common whose target is the same; a selection is a part of its document."""
    if request.scope in {Scope.FILE, Scope.SELECTION} and request.uri is not None:
        return ("document", request.uri)
    return (request.scope.value, request.base or "", *request.paths)


@dataclass(slots=True)
class _Seen:
    """The text of a document as it was when it was read last, and the lines of it that were."""

    text: Text
    lines: set[int] = field(default_factory=set[int])


@dataclass(slots=True)
class Looked:
    """What was read of each document, by URI, and the points that were left out."""

    left: Candidates = field(default_factory=lambda: Candidates(()))
    _seen: dict[str, _Seen] = field(default_factory=dict[str, _Seen])

    def take(self, uri: str, text: Text, read: Iterable[Range]) -> None:
        """These lines of a document, which holds this text, were read."""
        if uri not in self._seen and len(self._seen) >= _MOST_DOCUMENTS:
            return
        lines = self._now(uri, text)
        for span in read:
            lines.update(span.lines)
        self._seen[uri] = _Seen(text, lines)

    def unread(self, uri: str, text: Text, within: Range | None = None) -> list[tuple[int, int]]:
        """The stretches (first and last line) of a document that were not read and are not blank."""
        lines = self._now(uri, text)
        numbers = range(len(text)) if within is None else within.lines
        missing = [number for number in numbers if number not in lines and text.line(number).strip()]
        return list(_stretches(missing))

    def unread_parts(self, uri: str, text: Text, hunks: Iterable[Hunk]) -> Iterator[Hunk]:
        """What of the hunks that lead to a text was not read; of one that only takes lines away, the line that stands
        there tells."""
        lines = self._now(uri, text)
        for hunk in hunks:
            if not hunk.added:
                yield from [hunk] if min(hunk.new_start, text.last_line) not in lines else []
                continue
            missing = [n for n in range(hunk.new_start, hunk.new_start + len(hunk.added)) if n not in lines]
            for first, last in _stretches(missing):
                added = hunk.added[first - hunk.new_start : last - hunk.new_start + 1]
                yield Hunk(hunk.old_start, hunk.removed if first == hunk.new_start else (), first, added)

    def documents(self) -> frozenset[str]:
        """The documents of which something was read."""
        return frozenset(self._seen)

    def _now(self, uri: str, text: Text) -> set[int]:
        """The lines of a text that were read and stand as they stood."""
        seen = self._seen.get(uri)
        if seen is None:
            return set()
        if seen.text is text or seen.text.content == text.content:
            return set(seen.lines)
        return {new for old, new in _kept(seen.text, text) if old in seen.lines}


def _kept(old: Text, new: Text) -> Iterator[tuple[int, int]]:
    """The lines that two texts have in common, with their numbers in both."""
    at_old = at_new = 0
    for hunk in hunks_between(old, new):
        yield from zip(range(at_old, hunk.old_start), range(at_new, hunk.new_start), strict=True)
        at_old, at_new = hunk.old_start + len(hunk.removed), hunk.new_start + len(hunk.added)
    yield from zip(range(at_old, len(old)), range(at_new, len(new)), strict=False)


def _stretches(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Rising numbers as stretches."""
    first = last = -1
    for number in numbers:
        if first >= 0 and number - last > _NEAR + 1:
            yield first, last
            first = -1
        first = number if first < 0 else first
        last = number
    if first >= 0:
        yield first, last
