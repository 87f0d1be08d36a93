"""One file through all rules: hits, joined to one question per rule and function, as findings. Runs in the worker."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.examiner.hit import Hit, Place
from socreates_lsp.examiner.standing import standing_findings
from socreates_lsp.examiner.syntax import SYNTAX
from socreates_lsp.review.finding import STANDING_QUESTION, Finding, Ordinals, Related, Source, finding_id
from socreates_lsp.review.suppression import Suppressions
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.decoding import NotTextError
from socreates_lsp.workspace.files import read_text
from socreates_lsp.workspace.languages import language_of
from socreates_lsp.workspace.text import Range, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile
    from socreates_lsp.examiner.rule import Rule
    from socreates_lsp.review.questions import ProjectQuestion

_TALLEST = 6
"""A place of more lines than this is shown by its first line alone."""


@dataclass(frozen=True, slots=True)
class Document:
    """What to examine. ``path`` is for people and ids; ``content`` None means: read the file of the URI.

    ``language_id`` is what the client says of an open buffer.
    """

    uri: str
    path: str
    content: str | None = None
    language_id: str | None = None

    def text(self) -> Text:
        """The text. Raises TargetError."""
        if self.content is not None:
            return Text(self.content)
        path = uris.to_path(self.uri)
        if path is None:
            raise TargetError(f"{self.path} is no file.")
        return read_text(Path(path))


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed file (``path`` relative to the root) and the lines that were added to it."""

    path: str
    added: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What came of one document. ``language`` is set where there are no rules for it; ``lines`` counts all lines,
    ``last_column`` is the length of the last of them."""

    findings: tuple[Finding, ...] = ()
    suppressed: int = 0
    lines: int = 0
    last_column: int = 0
    rules: int = 0
    no_rules_for: str | None = None
    broken: int | None = None
    """The first line (from 0) where the parser lost its way."""
    refused: str | None = None
    """Why the document was not read: a sentence."""
    binary: bool = False
    """Whether it was not read because it holds no text."""
    unknown: tuple[tuple[int, str], ...] = ()
    """Names in comments that suppress, which are neither a category nor a rule; each with its line (from 0)."""
    changed: tuple[Changed, ...] = ()
    """For a ChangesJob: what else there is to examine."""
    unread: tuple[str, ...] = ()
    """For a ChangesJob: a sentence on each changed file that could not be read."""
    without_lines: Mapping[str, int] = field(default_factory=dict[str, int])
    """For a ChangesJob: how many changed files have no added lines to examine, by what became of them."""
    submodules: tuple[str, ...] = ()
    """For a ChangesJob: the submodules that changed."""


@dataclass(frozen=True, slots=True)
class FileJob:
    """Examine one document; ``ranges`` keeps only what touches their lines.

    ``questions`` are the standing ones that its path matches; each counts as a rule.
    """

    document: Document
    ranges: tuple[Range, ...] | None
    suppress: bool
    questions: tuple[ProjectQuestion, ...] = ()

    def __call__(self) -> Report:
        """Do it."""
        try:
            text = self.document.text()
        except TargetError as error:
            reason, whole = str(error), uris.to_path(self.document.uri)
            if whole is not None:
                reason = reason.replace(whole, self.document.path)
            return Report(refused=reason, binary=isinstance(error, NotTextError))
        path = self.document.path
        language = language_of(path, text.line(0), self.document.language_id)
        suppressions = suppressions_of(text, language) if self.suppress else Suppressions()
        asked, not_asked = self._standing(text, suppressions)
        if language not in SYNTAX:
            return Report(
                findings=tuple(asked),
                suppressed=not_asked,
                lines=_counted(text),
                last_column=len(text.line(text.last_line)),
                rules=len(self.questions),
                no_rules_for=None if self.questions else language or "unknown kinds of files",
            )
        from socreates_lsp.examiner.changes.rule import change_rules
        from socreates_lsp.examiner.parsed import ParsedFile
        from socreates_lsp.examiner.rule import all_rules, rules_for

        file = ParsedFile(path, language, text)
        kept, suppressed = visible(self._hits(file), suppressions)
        document = {path: (self.document.uri, text)}
        return Report(
            findings=(*asked, *to_findings(joined(kept), document.get)),
            suppressed=suppressed + not_asked,
            lines=_counted(text),
            last_column=len(text.line(text.last_line)),
            rules=len(rules_for(language)) + len(self.questions),
            broken=file.lost_at,
            unknown=suppressions.unknown((STANDING_QUESTION, *(rule.id for rule in (*all_rules(), *change_rules())))),
        )

    def _standing(self, text: Text, suppressions: Suppressions) -> tuple[list[Finding], int]:
        document = self.document
        return standing_findings(self.questions, document.uri, document.path, text, self.ranges, suppressions)

    def _hits(self, file: ParsedFile) -> list[Hit]:
        hits = hits_of(file)
        if self.ranges is None:
            return hits
        return [hit for hit in hits if any(_touches(hit, span) for span in self.ranges)]


def _touches(hit: Hit, span: Range) -> bool:
    return hit.first <= span.end.line and span.start.line <= hit.last


def _counted(text: Text) -> int:
    return text.last_line + 1 if text.content else 0


def hits_of(file: ParsedFile) -> list[Hit]:
    """Every hit of every rule, in the order of rules and lines."""
    from socreates_lsp.examiner.engine import examine

    return [_hit(file, rule, match, place) for rule, match, place in examine(file)]


def _hit(file: ParsedFile, rule: Rule, match: Match, place: SgNode) -> Hit:
    first, last = _lines(file, place)
    function = file.function_of(place)
    name = file.function_name(place)
    words = {"FUNCTION": name or "this file"}
    # Only a name stands in the marks of code.
    ask = rule.ask if name else rule.ask.replace("`{FUNCTION}`", "{FUNCTION}")
    related = [(*_lines(file, node), note) for node, note in match.related]
    return Hit(
        rule=rule.id,
        category=rule.category,
        kind=rule.kind,
        confidence=rule.confidence,
        message=match.phrase(ask, words),
        why=match.phrase(rule.why, words),
        path=file.path,
        first=first,
        last=last,
        function=None if function is None else _span(file, function),
        related=tuple(Place(file.path, *lines) for lines in related),
    )


def _span(file: ParsedFile, node: SgNode) -> tuple[int, int]:
    span = file.range_of(node)
    return span.start.line, span.end.line


def _lines(file: ParsedFile, node: SgNode) -> tuple[int, int]:
    """The lines of a node without blank ones at its end; the first alone if there are too many."""
    first, last = _span(file, node)
    while last > first and not file.text.line(last).strip():
        last -= 1
    return (first, last) if last - first < _TALLEST else (first, first)


def suppressions_of(text: Text, language: str | None) -> Suppressions:
    """What comments ask not to see; where code and text mix, the parser says what is a comment."""
    if language not in {"javascript", "tsx"}:
        return Suppressions.of(text, language)
    from socreates_lsp.examiner.parsed import comments_of

    return Suppressions.of(text, language, lambda text: comments_of(text, language))


def visible(hits: list[Hit], suppressions: Suppressions) -> tuple[list[Hit], int]:
    """The hits that no comment hides, and how many are hidden."""
    kept = [hit for hit in hits if not suppressions.hides(hit.first, hit.last, hit.category, hit.rule)]
    return kept, len(hits) - len(kept)


def joined(hits: Iterable[Hit]) -> list[Hit]:
    """One hit per rule and function: the first, with the other places as related ones.

    A place where it asks about something else, such as another name, has its own question for a note.
    """
    groups: dict[tuple[str, str, tuple[int, int] | None], list[Hit]] = {}
    for hit in hits:
        groups.setdefault((hit.rule, hit.path, hit.function), []).append(hit)
    return [_joined(group) for group in groups.values()]


def _joined(group: list[Hit]) -> Hit:
    first = group[0]
    others = {(hit.first, hit.last): hit for hit in group[1:] if (hit.first, hit.last) != (first.first, first.last)}
    same = f"The same {first.kind.value} here."
    places = [
        Place(hit.path, hit.first, hit.last, same if hit.message == first.message else hit.message)
        for hit in others.values()
    ]
    return replace(first, related=(*first.related, *places))


def to_findings(hits: Iterable[Hit], document: Callable[[str], tuple[str, Text] | None]) -> list[Finding]:
    """Ground every hit: its quotation is the text of its lines. ``document`` gives URI and text of a path."""
    findings: list[Finding] = []
    ordinals: dict[str, Ordinals] = {}
    for hit in hits:
        found = document(hit.path)
        if found is None:
            continue
        uri, text = found
        if uri not in ordinals:
            ordinals[uri] = Ordinals(text)
        span = text.trimmed(hit.first, hit.last)
        quote = text.slice(span)
        if not quote.strip():
            continue
        related = (_related(place, document) for place in hit.related)
        findings.append(
            Finding(
                id=finding_id(hit.path, hit.category, quote, ordinals[uri].of(quote, hit.first)),
                kind=hit.kind,
                category=hit.category,
                uri=uri,
                range=span,
                message=hit.message,
                why=hit.why,
                quote=quote,
                confidence=hit.confidence,
                source=Source.EXAMINER,
                rule=hit.rule,
                related=tuple(one for one in related if one is not None),
            )
        )
    return findings


def _related(place: Place, document: Callable[[str], tuple[str, Text] | None]) -> Related | None:
    found = document(place.path)
    return None if found is None else Related(found[0], found[1].trimmed(place.first, place.last), place.note)
