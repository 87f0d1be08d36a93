"""What a hover tells of a finding: all at once, or rung by rung for people who want to think first. Pure.

The rungs of the ladder are the question, a narrower one, where else to look, and why it was asked. No model is asked:
each is made of what is known, which is the finding itself and the lines around it. A narrower question says nothing
about the code that the finding does not say; it is that of the finding's category, put to a name in its quotation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from socreates_lsp.review.finding import Category, Related

if TYPE_CHECKING:
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.workspace.text import Text

_AROUND = 2000
"""Lines before and after a finding in which its name is looked for."""

_MOST_PLACES = 3
_LONGEST_NAME = 60

_MARKED = re.compile(r"`([^`\n]+)`")
_CALLED = re.compile(r"([A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*)\s*\(")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*")
_KEYWORDS = (
    "and as assert async await break case catch class const continue def default defer del do elif else enum except "
    "export extends false final finally fn for foreach from func function go if impl implements import in instanceof "
    "interface is lambda let loop match mod mut namespace new nil none not null or package pass private protected pub "
    "public raise return select self sizeof static struct super switch this throw throws trait true try type typeof "
    "unless unsafe use using var void where while with yield"
)
_NO_NAMES = frozenset(_KEYWORDS.split())

_NARROWER = {
    Category.CORRECTNESS: "For which input would {it} not do what is meant?",
    Category.ERROR_HANDLING: "If {it} fails, which line runs next, and what does it find?",
    Category.CONCURRENCY: "If two got to {it} at the same moment, what would each of them see?",
    Category.SECURITY: "Who decides what {it} gets, and what is the worst that they could choose?",
    Category.RESOURCES: "What does {it} take, and where is that given back, on every way out?",
    Category.PERFORMANCE: "How often is {it} reached if there is a thousand times as much to do?",
    Category.DESIGN: "What else would have to change if {it} did?",
    Category.TESTING: "Which test would fail if {it} were wrong?",
    Category.NAMING: "What would somebody who sees nothing but {it} expect of it?",
    Category.DOCUMENTATION: "What has to be known of {it} that cannot be seen here?",
}


class Rung(IntEnum):
    """How far the ladder of a finding is open."""

    QUESTION = 0
    NARROWER = 1
    ELSEWHERE = 2
    WHY = 3


@dataclass(frozen=True, slots=True)
class Opened:
    """What there is to tell below the question: paragraphs, places, paragraphs. ``named``: the rule as well."""

    before: tuple[str, ...] = ()
    places: tuple[Related, ...] = ()
    after: tuple[str, ...] = ()
    named: bool = False


def whole(finding: Finding) -> Opened:
    """Everything at once."""
    return Opened((finding.why,), finding.related, named=True)


def climbed(finding: Finding, rung: Rung, text: Text | None) -> Opened:
    """What is told on a rung, with what the rungs before told. ``text`` is that of the document, None if it is gone."""
    places, note = elsewhere(finding, text) if rung >= Rung.ELSEWHERE else ((), "")
    return Opened(
        before=(narrower(finding),) if rung >= Rung.NARROWER else (),
        places=places,
        after=(note, finding.why if rung >= Rung.WHY else ""),
        named=rung >= Rung.WHY,
    )


def next_rung(finding: Finding, rung: Rung) -> Rung | None:
    """The rung behind one; those with nothing on them are passed over. None at the end."""
    for later in Rung:
        if later > rung and not _is_bare(finding, later):
            return later
    return None


def _is_bare(finding: Finding, rung: Rung) -> bool:
    if rung is Rung.ELSEWHERE:
        return not finding.related and name_in(finding) is None
    return rung is Rung.WHY and not finding.why.strip() and finding.rule is None


def narrower(finding: Finding) -> str:
    """The question of the category, put to a name in the quotation."""
    name = name_in(finding)
    lines = "this line" if finding.range.start.line == finding.range.end.line else "these lines"
    return _NARROWER[finding.category].format(it=f"`{name}`" if name else lines)


def name_in(finding: Finding) -> str | None:
    """The name that a finding is most likely about; it stands in the quotation.

    What the question marks as code comes first, then what is called, then any name; None without one.
    """
    quote = finding.quote
    marked = (piece.strip() for piece in _MARKED.findall(finding.message))
    for piece in marked:
        if piece in quote and _is_name(piece):
            return piece
    for pattern in (_CALLED, _NAME):
        for match in pattern.finditer(quote):
            name = match.group(1) if pattern is _CALLED else match.group()
            if _is_name(name):
                return name
    return None


def _is_name(piece: str) -> bool:
    return len(piece) <= _LONGEST_NAME and bool(_NAME.fullmatch(piece)) and piece.lower() not in _NO_NAMES


def elsewhere(finding: Finding, text: Text | None) -> tuple[tuple[Related, ...], str]:
    """The places that a finding names; without any, the nearest lines with its name. A sentence if there are none."""
    if finding.related:
        return finding.related, ""
    name = name_in(finding)
    if name is None:
        return (), ""
    if text is None:
        return (), f"Where does `{name}` come from, and who relies on it?"
    lines = _lines_with(name, finding, text)
    if not lines:
        return (), f"`{name}` stands on no other line here: where does it come from, and who relies on it?"
    note = f"`{name}` stands here too."
    return tuple(Related(finding.uri, text.trimmed(line, line), note) for line in lines), ""


def _lines_with(name: str, finding: Finding, text: Text) -> list[int]:
    """The nearest other lines that hold a name, in their order."""
    whole_name = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    own = finding.range.lines
    around = range(max(own.start - _AROUND, 0), min(own.stop + _AROUND, len(text)))
    found = [n for n in around if n not in own and name in text.lines[n] and whole_name.search(text.lines[n])]
    return sorted(sorted(found, key=lambda line: abs(line - own.start))[:_MOST_PLACES])
