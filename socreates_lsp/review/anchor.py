"""Where a finding stands in the text that the editor shows now: its quotation decides, its line helps. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from socreates_lsp.review.finding import Finding, Status, normalised

if TYPE_CHECKING:
    from socreates_lsp.workspace.text import Range, Text

_BLANK = r"[^\S\r\n]*"


def place_of(quote: str, text: Text, near: int) -> Range | None:
    """The range of the lines where the quotation stands, the one nearest to the line ``near``; None if nowhere.

    White space is forgiven. A quotation that fills its lines is preferred to one inside longer lines.
    """
    words = quote.split()
    if not words:
        return None
    height = len([part for part in quote.splitlines() if part.strip()])
    if normalised("".join(text.lines[near : near + height])) == " ".join(words):
        return text.trimmed(near, near + height - 1)
    body = r"\s+".join(map(re.escape, words))
    whole = rf"(?<![^\r\n]){_BLANK}({body}){_BLANK}(?![^\r\n])"
    part = rf"(?<!\w)({body})(?!\w)" if words[0][:1].isalnum() and words[-1][-1:].isalnum() else f"({body})"
    return _nearest(whole, text, near) or _nearest(part, text, near)


def _nearest(pattern: str, text: Text, near: int) -> Range | None:
    starts = list(accumulate(map(len, text.lines), initial=0))
    places = [
        (bisect_right(starts, match.start(1)) - 1, bisect_right(starts, match.end(1) - 1) - 1)
        for match in re.finditer(pattern, text.content)
    ]
    if not places:
        return None
    first, last = min(places, key=lambda place: abs(place[0] - near))
    return text.trimmed(first, last)


def anchored(finding: Finding, text: Text) -> Finding:
    """The finding where its quotation stands in this text, open; or stale, where it stood last.

    Only open and stale findings move; what is answered or dismissed keeps its status.
    """
    place = place_of(finding.quote, text, finding.range.start.line)
    if place is None:
        status = Status.STALE if finding.status is Status.OPEN else finding.status
        return replace(finding, range=_clamped(finding.range, text), status=status)
    status = Status.OPEN if finding.status is Status.STALE else finding.status
    if place == finding.range and status is finding.status:
        return finding
    return replace(finding, range=place, status=status)


def _clamped(span: Range, text: Text) -> Range:
    first = min(span.start.line, text.last_line)
    return text.trimmed(first, min(max(span.end.line, first), text.last_line))
