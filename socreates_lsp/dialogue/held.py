"""One talk of this session, with the ground of its answers as it stands at this moment; what follows for its finding.

Pure: texts are given.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from socreates_lsp.memory.encoding import now
from socreates_lsp.review.answers import asked_again
from socreates_lsp.review.finding import Finding, Related, Reply, Status
from socreates_lsp.review.store import SHOWN
from socreates_lsp.review.talks import OURSELVES, SETTLED, Talk
from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.review.answers import Anchor
    from socreates_lsp.workspace.text import Shift, Text

NAMED = "What you named stood here; it has changed."


@dataclass(slots=True)
class Ground:
    """Lines that an answer cites: their document, and where they stand (from 0; where they stood, if they do not)."""

    uri: str
    anchor: Anchor
    line: int
    stands: bool = True

    def look(self, text: Text | None) -> bool:
        """See whether the lines stand in this text of the document (None: it is gone); True if that is new."""
        place = None if text is None else self.anchor.place_in(text)
        return self._found(None if place is None else place.first)

    def edited(self, text: Text, shifts: Iterable[Shift]) -> bool:
        """The same after edits that led to this text, which take the lines along: they are looked for elsewhere only
        if they are not where that leads."""
        place = Position(self.line, 0)
        for shift in shifts:
            # A line that is replaced from its start is where it was.
            place = place if shift.span.start == place < shift.span.end else shift.carry(place)
        self.line = place.line
        return self._found(self.line) if self.anchor.stands_on(self.line, text) else self.look(text)

    def _found(self, line: int | None) -> bool:
        changed = self.stands is not (line is not None)
        self.line, self.stands = self.line if line is None else line, line is not None
        return changed

    def related(self, text: Text | None) -> Related:
        """Where the lines stood, as a place related to the finding."""
        if text is None:
            return Related(self.uri, Range(Position(self.line, 0), Position(self.line, 0)), NAMED)
        line = min(self.line, text.last_line)
        return Related(self.uri, text.trimmed(line, line), NAMED)


@dataclass(slots=True)
class Held:
    """A talk about a finding of the store. ``root`` keeps it."""

    root: str | None
    talk: Talk
    grounds: list[Ground] = field(default_factory=list[Ground])
    asked: tuple[int, Reply] | None = None
    """Our question whether it is still so, and behind how many entries of the thread."""

    @classmethod
    def of(cls, root: str | None, talk: Talk, uris: Sequence[str]) -> Held:
        """``uris`` are the documents of the talk's anchors."""
        pairs = zip(uris, talk.anchors, strict=True)
        return cls(root, talk, [Ground(uri, anchor, anchor.line) for uri, anchor in pairs])

    def moved(self, uri: str, to: str, path: str) -> None:
        """A document that the talk cites has another URI, and another path in its root."""
        for ground in self.grounds:
            if ground.uri == uri:
                ground.uri, ground.anchor = to, replace(ground.anchor, path=path)
        self.talk = replace(self.talk, anchors=tuple(ground.anchor for ground in self.grounds))

    @property
    def lost(self) -> Ground | None:
        """The first ground that is gone."""
        return next((one for one in self.grounds if not one.stands), None)

    def shown(self, finding: Finding, text: Text | None) -> Finding:
        """The finding as it is with its talk; ``text`` is that of the document whose ground is lost, if any is.

        Only what the talk settled is opened, and only what was opened so is settled again.
        """
        lost = self.lost
        plain = tuple(one for one in finding.related if one.message != NAMED)
        if lost is None or self.talk.status not in SETTLED:
            self.asked = None
            reopened = bool(finding.asked_again) and finding.status in SHOWN
            status = self.talk.status if reopened else finding.status
            return replace(finding, status=status, thread=self.thread, related=plain, asked_again="")
        if finding.asked_again:
            return replace(finding, thread=self.thread)
        if finding.status is not self.talk.status:
            return replace(finding, thread=self.thread, related=plain)
        question = asked_again(lost.anchor.said)
        self.asked = (len(self.talk.thread), Reply(OURSELVES, question, now()))
        related = (*plain, lost.related(text))
        return replace(finding, status=Status.OPEN, asked_again=question, related=related, thread=self.thread)

    @property
    def thread(self) -> tuple[Reply, ...]:
        """What was said, with our own question where it was asked."""
        said = self.talk.thread
        if self.asked is None:
            return said
        at, question = self.asked
        return (*said[:at], question, *said[at:])
