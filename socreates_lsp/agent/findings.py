"""From an answer to findings: each item is grounded in the texts as they are now, or counted as ungrounded."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from socreates_lsp.agent.answered import Answered
from socreates_lsp.agent.rule_files import is_rule_file
from socreates_lsp.review.alike import says_again
from socreates_lsp.review.finding import (
    Category,
    Finding,
    Ordinals,
    Related,
    Source,
    finding_id,
    kind_of,
    normalised,
)
from socreates_lsp.review.grounding import CONFIDENCE, Grounded, Ungrounded, ground, quotation_within, range_of
from socreates_lsp.review.items import complete_items, items_of, remainder
from socreates_lsp.review.nearby import nearby
from socreates_lsp.review.question_labels import Labels
from socreates_lsp.review.questions import path_of
from socreates_lsp.review.reviewer import Found
from socreates_lsp.review.short_message import one_line, shortened
from socreates_lsp.review.silence import says_nothing
from socreates_lsp.review.substance import names_nothing, names_one_of
from socreates_lsp.review.suppression import Suppressions
from socreates_lsp.review.voice import voiced

if TYPE_CHECKING:
    from collections.abc import Iterable

    from socreates_lsp.agent.citable import Citable
    from socreates_lsp.review.citations import Citation
    from socreates_lsp.review.items import Item
    from socreates_lsp.review.voice import Voiced
    from socreates_lsp.workspace.text import Text

_SAME_WORDS = 0.6
_RELATED = "Also part of this question."
_CONVENTION = "What this project's conventions say."
_GENERIC = 0.3
"""What is left of the confidence of a point that names nothing of its lines and would fit any file."""


class Grounder:
    """Knows the files of one root, and those that the model has read. Reads the disk: not for the event loop.

    Points come by the tool ``raise_question`` and in the text of the answer; both end up in ``answered``, each once.
    """

    def __init__(self, documents: Citable, current: str | None, *, suppress: bool) -> None:
        """``current`` is the URI of the document under review. ``suppress`` False ignores comments in the code."""
        self.answered = Answered()
        self.labels = Labels()
        """Those of the standing questions; none at first."""
        self.documents = documents
        """What can be cited."""
        self._suppress = suppress
        self._read: dict[str, None] = {}
        self._taken: set[tuple[int, str]] = set()
        self._lost: list[str] = []
        self._current = None if current is None else documents.path(current)
        self._lock = Lock()

    def afresh(self) -> Grounder:
        """Another one for the same files, which has read the same and taken nothing yet."""
        current = None if self._current is None else self.documents.uri(self._current)
        other = Grounder(self.documents.afresh(), current, suppress=self._suppress)
        other.labels = self.labels
        other.has_read(self.documents.uri(path) for path in self._read)
        return other

    def say(self, text: str) -> str:
        """What of a text reaches the reader, beside all points."""
        with self._lock:
            said = self._say(text)
        return "" if said.is_empty else said.text

    def has_read(self, uris_read: Iterable[str]) -> None:
        """These documents were given to the model."""
        with self._lock:
            for uri in uris_read:
                self._read[self.documents.path(uri)] = None

    def raised(self, item: Item) -> Grounded | Ungrounded | None:
        """Take a point that came by the tool, and say where it stands; None if it holds nothing but code.

        One that stands nowhere is told to the model, which may send it again; else it counts as ungrounded.
        """
        with self._lock:
            self.documents.look_again()
            place = self._place(item)
            item = self._unlabelled(item, place)
            if (said := self._say(item.message)).is_empty:
                self.answered.withheld += said.withheld
                return None
            self._lost = [lost for lost in self._lost if not says_again(lost, item.message, _SAME_WORDS)]
            if isinstance(place, Grounded):
                self._keep(item, place)
            else:
                self._lost.append(item.message)
            return place

    def heard(self, prefix: str) -> None:
        """Take the points of an answer that is still being written, as far as they are complete."""
        with self._lock:
            self.documents.look_again()
            for item in complete_items(prefix, self.documents.files, self._current):
                if not _is_silence(item):
                    self._take(item, prefix[item.begin : item.finish])

    def finished(self, text: str) -> None:
        """Take the whole answer: what was not taken yet, and the prose around the points."""
        with self._lock:
            self.documents.look_again()
            items = [item for item in items_of(text, self.documents.files, self._current) if not _is_silence(item)]
            for item in items:
                self._take(item, text[item.begin : item.finish])
            self._give_up_lost()
            self.answered.prose = self._said(self.labels.spoken(remainder(text, items))).strip()

    def _give_up_lost(self) -> None:
        """What was raised on a line that is not there, and neither sent again nor written, has no line."""
        said = [found.finding.message for found in self.answered.found] + self.answered.ungrounded
        for message in self._lost:
            if not any(says_again(message, other, _SAME_WORDS) for other in said):
                self.answered.grounding["ungrounded"] += 1
                self.answered.ungrounded.append(one_line(self._said(message)))
        self._lost.clear()

    def _take(self, item: Item, written: str) -> None:
        """Take a point of the text, which was written so, unless it was taken already."""
        if (item.begin, item.message) in self._taken:
            return
        self._taken.add((item.begin, item.message))
        place = self._place(item)
        item = self._unlabelled(item, place, written)
        if isinstance(place, Grounded):
            if not self._is_recap(item, place):
                self._keep(item, place)
        elif message := one_line(self._said(item.message)):
            self.answered.grounding["ungrounded"] += 1
            self.answered.ungrounded.append(message)

    def _is_recap(self, item: Item, place: Grounded) -> bool:
        """Whether a point without tag and quotation only names a line again that was asked about before."""
        if item.kind is not None or item.quote is not None:
            return False
        uri = self.documents.uri(place.path)
        asked = (found.finding for found in self.answered.found if found.finding.uri == uri)
        return any(place.start <= one.range.end.line and one.range.start.line <= place.end for one in asked)

    def _unlabelled(self, item: Item, place: Grounded | Ungrounded, written: str = "") -> Item:
        """The point with the words of standing questions for their labels, as far as they are put to its file."""
        return self.labels.read(item, path_of(place.path) if isinstance(place, Grounded) else "", written)

    def _place(self, item: Item) -> Grounded | Ungrounded:
        cited = item.citations[0] if item.citations else None
        texts = {path: text for path in self._read if (text := self.documents.text(path)) is not None}
        quote, text = item.quote, self.documents.text(cited.path) if cited is not None else None
        if quote is None and cited is not None and text is not None:
            quote = quotation_within(item.message, cited, text)
        return ground(quote, cited, texts, self.documents.text)

    def _keep(self, item: Item, place: Grounded) -> None:
        """Make a finding of a point; one that says again what is there already joins it."""
        seen = self.documents.seen(place.path)
        assert seen is not None, "what is grounded was read"
        text, version = seen
        finding = self._finding(item, place, text)
        if not finding.message:
            return
        if self._suppress and self._hidden(finding, text):
            self.answered.suppressed.add(finding.id)
            return
        if any(_same(finding, other.finding) for other in self.answered.found):
            return
        self.answered.grounding[place.how.value] += 1
        self.answered.found.append(Found(finding, version))

    def quotes(self, snippet: str) -> bool:
        """Whether a piece of code stands in what the model has read; white space is forgiven."""
        if self.labels.quotes(snippet):
            return True
        wanted = normalised(snippet)
        documents = [*self._read, *([self._current] if self._current else [])]
        return bool(wanted) and any(wanted in self.documents.normal(path) for path in documents)

    def _say(self, text: str) -> Voiced:
        return voiced(text, self.quotes)

    def _said(self, text: str) -> str:
        """What of a text reaches the reader; what does not is counted."""
        said = self._say(text)
        self.answered.withheld += said.withheld
        return "" if said.is_empty else said.text

    def _finding(self, item: Item, place: Grounded, text: Text) -> Finding:
        category = item.category or Category.CORRECTNESS
        message, why = shortened(self._said(item.message), self._said(item.why) if item.why else "")
        lines = text.content[text.offset_of(place.start) : text.offset_of(place.end + 1)]
        uri = self.documents.uri(place.path)
        generic = names_nothing(message, why, f"{place.quote}\n{lines}") and not names_one_of(
            message, why, nearby(text, self.documents.language(uri, text), place.start, place.end)
        )
        return Finding(
            id=finding_id(place.path, category, place.quote, Ordinals(text).of(place.quote, place.start)),
            kind=item.kind or kind_of(message),
            category=category,
            uri=uri,
            range=range_of(text, place.start, place.end),
            message=message,
            why=why,
            quote=place.quote,
            confidence=CONFIDENCE[place.how] * (_GENERIC if generic else 1),
            source=Source.MODEL,
            related=tuple(self._related(item.citations[1:], place)),
        )

    def _related(self, citations: Iterable[Citation], place: Grounded) -> Iterable[Related]:
        for citation in citations:
            text = self.documents.text(citation.path)
            same = (citation.path, citation.start) == (place.path, place.start)
            if text is not None and not same:
                yield Related(
                    self.documents.uri(citation.path),
                    range_of(text, citation.start, citation.end),
                    _CONVENTION if is_rule_file(citation.path) else _RELATED,
                )

    def _hidden(self, finding: Finding, text: Text) -> bool:
        lines = finding.range.start.line, finding.range.end.line
        suppressions = Suppressions.of(text, self.documents.language(finding.uri, text))
        return suppressions.hides(*lines, finding.category, finding.rule)


def _is_silence(item: Item) -> bool:
    return item.kind is None and item.quote is None and says_nothing(item.message)


def _same(one: Finding, other: Finding) -> bool:
    """Whether two points are one: lines of the same file in common, in nearly the same words."""
    here = one.uri == other.uri and one.range.overlaps_lines(other.range)
    return here and says_again(one.message, other.message, _SAME_WORDS)
