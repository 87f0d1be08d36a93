"""The standing questions of the project about one document, as they are, each once. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.review.finding import STANDING_QUESTION, Finding, Kind, Ordinals, Source, finding_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.review.questions import ProjectQuestion
    from socreates_lsp.review.suppression import Suppressions
    from socreates_lsp.workspace.text import Range, Text

_LONGEST_QUOTE = 300
"""Characters of a line that are quoted; one that is longer was not written by a person."""


def standing_findings(
    questions: Iterable[ProjectQuestion],
    uri: str,
    path: str,
    text: Text,
    ranges: Sequence[Range] | None,
    suppressions: Suppressions,
) -> tuple[list[Finding], int]:
    """A finding for each question, and how many are hidden by comments.

    All stand on one line: the first one with something on it of the ``ranges``, or of the document where that is
    None. Each has an id of its own, so that one can be dismissed and the others stay.

    Args:
        questions: those whose pattern the document matches.
        uri: of the document, canonical.
        path: its name for people and for the ids.
        text: what it holds.
        ranges: the lines that are under review (from 0); None for all.
        suppressions: what the comments of the document hide.
    """
    line = _first_line(text, ranges)
    if line is None:
        return [], 0
    span = text.trimmed(line, line)
    quote = _quote(text.slice(span))
    ordinal = Ordinals(text).of(quote, line)
    found = [
        Finding(
            id=finding_id(path, one.category, f"{quote}\0{one.whole}", ordinal),
            kind=Kind.QUESTION,
            category=one.category,
            uri=uri,
            range=span,
            message=one.words,
            why=one.why,
            quote=quote,
            confidence=1.0,
            source=Source.EXAMINER,
            rule=STANDING_QUESTION,
        )
        for one in questions
    ]
    kept = [one for one in found if not suppressions.hides(line, line, one.category, one.rule)]
    return kept, len(found) - len(kept)


def _first_line(text: Text, ranges: Sequence[Range] | None) -> int | None:
    spans = [range(len(text))] if ranges is None else [span.lines for span in ranges]
    return next((line for span in spans for line in span if text.line(line).strip()), None)


def _quote(line: str) -> str:
    """What is quoted of a line: all of it, or of a long one its beginning, up to the end of a word."""
    if len(line) <= _LONGEST_QUOTE:
        return line
    end = _LONGEST_QUOTE
    while end and line[end - 1 : end + 1].replace("_", "x").isalnum():
        end -= 1
    return line[:end].rstrip() or line
