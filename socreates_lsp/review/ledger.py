"""The ledger: what the user dismissed, and whether a finding is one of these again. Pure.

A dismissal holds for the same quotation in the same file and category, wherever in the file it stands by now, and for
the same question in other words on the lines where its quotation stands. Where a quotation stands several times it
holds for one place only, told by its number and by what stands around it; where that is not clear, for none: better a
question twice than a silence that nobody asked for.

A standing question of the project is about the whole file: dismissed, it is so on whatever line it is put.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from socreates_lsp.review.anchor import Place, places_of
from socreates_lsp.review.finding import Category, Finding, Kind, Source, Status, normalised, subject_of
from socreates_lsp.review.neighbours import Surroundings
from socreates_lsp.review.rewording import same_names, same_question

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from socreates_lsp.workspace.text import Range, Text

_CLEAR = 0.5
"""How much of what stood around a place has to stand around another one for the two to be the same."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Which of the equal quotations of a file it was (``ordinal``, from 0, of ``places``), and what stood around it.

    ``likeness``: how much of that also stood around the twin that was most like it, from 0 to 1.
    """

    ordinal: int = 0
    places: int = 1
    likeness: float = 0.0
    around: Surroundings = field(default=Surroundings())

    @classmethod
    def of(cls, quote: str, line: int, text: Text) -> Spot:
        """The spot of a quotation that stands on this line (from 0); as good as none if it does not."""
        places = spots_of(quote, text)
        around = [Surroundings.of(text, place.first, place.last) for place in places]
        ordinal = next((number for number, place in enumerate(places) if place.first == line), None)
        if ordinal is None:
            return cls(places=max(len(places), 1), likeness=1.0 if places else 0.0)
        own = around.pop(ordinal)
        return cls(ordinal, len(places), max(map(own.likeness, around), default=0.0), own)


class Spotted(Protocol):
    """What was quoted, and where it stood."""

    @property
    def quote(self) -> str:
        """The lines."""
        ...

    @property
    def spot(self) -> Spot:
        """Which of the equal ones."""
        ...


@dataclass(frozen=True, slots=True)
class Dismissal:
    """One entry: a finding as it was when the user dismissed it.

    ``path`` is relative to the root with forward slashes, ``line`` counts from 0, ``at`` is an ISO time, and
    ``file`` a digest of the text that the file had (see ``digest_of``).
    """

    id: str
    path: str
    category: Category
    quote: str
    message: str
    reason: str = ""
    at: str = ""
    rule: str | None = None
    kind: Kind = Kind.QUESTION
    source: Source = Source.MODEL
    why: str = ""
    confidence: float = 0.5
    line: int = 0
    file: str = ""
    spot: Spot = field(default=Spot())

    @classmethod
    def of(cls, finding: Finding, path: str, text: Text | None, reason: str, at: str) -> Dismissal:
        """The entry for a finding; ``text`` is what its file holds now, None if that is not known."""
        line = finding.range.start.line
        return cls(
            id=finding.id,
            path=path,
            category=finding.category,
            quote=finding.quote,
            message=finding.message,
            reason=reason,
            at=at,
            rule=finding.rule,
            kind=finding.kind,
            source=finding.source,
            why=finding.why,
            confidence=round(finding.confidence, 3),
            line=line,
            file="" if text is None else digest_of(text),
            spot=Spot() if text is None else Spot.of(finding.quote, line, text),
        )

    @property
    def subject(self) -> str:
        """See ``Finding.subject``."""
        return subject_of(self.rule, self.message)

    @property
    def key(self) -> tuple[str, Category, str, str]:
        """What a finding has in common with it that has its quotation, and asks the same of its lines."""
        return (self.path, self.category, normalised(self.quote), self.subject)

    def finding(self, uri: str, span: Range) -> Finding:
        """The finding that was dismissed, where it stands now."""
        return Finding(
            id=self.id,
            kind=self.kind,
            category=self.category,
            uri=uri,
            range=span,
            message=self.message,
            why=self.why,
            quote=self.quote,
            confidence=self.confidence,
            source=self.source,
            rule=self.rule,
            status=Status.DISMISSED,
        )


class Ledger:
    """The entries that hold, by the path where each file is now."""

    def __init__(self, entries: Iterable[Dismissal] = ()) -> None:
        """Take the entries; of two with one id the later one holds."""
        self._entries = {entry.id: entry for entry in entries}

    def __iter__(self) -> Iterator[Dismissal]:
        """All entries."""
        return iter(tuple(self._entries.values()))

    def __len__(self) -> int:
        """How many there are."""
        return len(self._entries)

    def get(self, finding_id: str) -> Dismissal | None:
        """The entry with this id."""
        return self._entries.get(finding_id)

    def put(self, entry: Dismissal) -> None:
        """One more entry."""
        self._entries[entry.id] = entry

    def move(self, finding_id: str, path: str) -> None:
        """The file of an entry has another path by now."""
        self._entries[finding_id] = replace(self._entries[finding_id], path=path)

    def of(self, path: str) -> list[Dismissal]:
        """The entries of a file."""
        return [entry for entry in self if entry.path == path]

    def covering(self, finding: Finding, path: str, text: Text | None) -> Dismissal | None:
        """The dismissal that holds for a finding, which stands in the text of its file; None if there is none.

        ``text`` None: it is not known, and the id alone decides.
        """
        here = self.of(path)
        if not here:
            return None
        if finding.subject:
            return next((entry for entry in here if entry.subject == finding.subject), None)
        if text is None:
            return next((entry for entry in here if entry.id == finding.id), None)
        key = (path, finding.category, normalised(finding.quote), "")
        same = [entry for entry in here if entry.key == key]
        for entry, place in zip(same, allotted(same, text), strict=True):
            if place is not None and place.first == finding.range.start.line:
                return entry
        others = [entry for entry in here if entry.key != key and not entry.subject]
        return next((entry for entry in others if _is_reworded(entry, finding, others, text)), None)

    def place_of(self, entry: Dismissal, text: Text) -> Place | None:
        """The lines for which an entry holds in the text of its file; None if its quotation is gone."""
        same = [one for one in self.of(entry.path) if one.key == entry.key]
        return dict(zip((one.id for one in same), allotted(same, text), strict=True)).get(entry.id)


def allotted(entries: Sequence[Spotted], text: Text) -> list[Place | None]:
    """For which place of their quotation, which they have in common, each of some entries holds: no two for one.

    With as many places as there were, its number tells, unless another place is more like the old one than any
    twin ever was. With more or fewer, only what stands around it can tell.
    """
    if not entries:
        return []
    places = spots_of(entries[0].quote, text)
    around = [Surroundings.of(text, place.first, place.last) for place in places]
    wishes = sorted(
        (-score, abs(entry.spot.ordinal - index), number, index)
        for number, entry in enumerate(entries)
        for index, score in _wishes(entry.spot, around)
    )
    found: list[Place | None] = [None] * len(entries)
    taken: set[int] = set()
    for _, _, number, index in wishes:
        if found[number] is None and index not in taken:
            found[number] = places[index]
            taken.add(index)
    return found


def _wishes(spot: Spot, around: Sequence[Surroundings]) -> Iterator[tuple[int, float]]:
    """The places that a dismissal may hold for, with how much speaks for each."""
    counts = len(around) == spot.places and spot.ordinal < len(around)
    least = spot.likeness
    if counts:
        least = max(least, spot.around.likeness(around[spot.ordinal]))
        yield spot.ordinal, least
    for index, one in enumerate(around):
        score = spot.around.likeness(one)
        if score > least and score >= _CLEAR and not (counts and index == spot.ordinal):
            yield index, score


def spots_of(quote: str, text: Text) -> list[Place]:
    """The places of a quotation that hold nothing else, in order; any place where there is no such."""
    places = places_of(quote, text)
    return [place for place in places if place.whole] or places


def _is_reworded(entry: Dismissal, finding: Finding, others: Sequence[Dismissal], text: Text) -> bool:
    """Whether a finding asks the same on the same lines, in other words or of another quotation of them."""
    code = f"{entry.quote}\n{finding.quote}"
    same_rule = entry.rule is not None and entry.rule == finding.rule
    is_same = same_names if same_rule else same_question
    if not is_same(entry.message, finding.message, code):
        return False
    same = [one for one in others if one.key == entry.key]
    place = dict(zip((one.id for one in same), allotted(same, text), strict=True)).get(entry.id)
    lines = finding.range.lines
    return place is not None and place.first < lines.stop and lines.start <= place.last


def digest_of(text: Text) -> str:
    """A digest by which a file is known again that has another path: 32 hex digits of SHA-256 of its text."""
    import hashlib

    return hashlib.sha256(text.content.encode("utf-8", "surrogatepass")).hexdigest()[:32]
