"""Leads: what tools that know rules asked about the target, for the model to confirm or to drop. Pure.

A lead that the model asks about in its own words is one finding, under the lead's id and rule. One that it drops is
withdrawn with its reason. One of which it says nothing stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from socreates_lsp.review.alike import alike
from socreates_lsp.review.finding import normalised

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.review.finding import Finding

MOST = 20
"""Leads that a model is given."""

_SAME_WORDS = 0.3
"""The share of words that a point on the lines of a lead has in common with it, where their categories differ."""

_LABEL = re.compile(r"\blead[- ]?(\d{1,3})\b", re.IGNORECASE)
_DROPS = r"(?:drop(?:ped)?|withdraw(?:n)?|withdrew|refuted?|rejected)"
_DROPPED = re.compile(
    rf"[\s>*_\[\-•\d.)]*{_DROPS}[\]*_:\s]*(?P<leads>[^\s:][^:\n]*?(?::\d+)?)[*_`]*\s*(?::|—|–|\s-\s|,?\s*because\b)"
    r"[*_]*\s*(?P<reason>\S.*)",
    re.IGNORECASE,
)
_IS_DROPPED = re.compile(
    rf"[\s>*_\[\-•\d.)]*(?P<leads>[^\s:][^:\n]*?(?::\d+)?)[*_`\]]*\s*[:—–-]*\s*(?:is\s+)?{_DROPS}[*_\]]*\s*"
    r"(?::|—|–|\s-\s|\.|,?\s*because\b)[*_]*\s*(?P<reason>\S.*)",
    re.IGNORECASE,
)
_NAME = re.compile(r"`([^`\n]+)`|'([^'\n]+)'")


@dataclass(frozen=True, slots=True)
class Lead:
    """One question of a tool, on the line ``line`` (from 0) of the document ``uri``, which is called ``path``.

    ``finding`` is what the reader sees of it already; None for one that only the model is told of.
    """

    path: str
    uri: str
    line: int
    rule: str
    message: str
    finding: Finding | None = None

    @classmethod
    def of(cls, finding: Finding, path: str) -> Lead:
        """The lead that a finding of the examiner is."""
        return cls(path, finding.uri, finding.range.start.line, finding.rule or "", finding.message, finding)

    @property
    def place(self) -> str:
        """Where it stands, for people."""
        return f"{self.path}:{self.line + 1}"


class Leads:
    """The leads of one review, and what the model has made of each."""

    def __init__(self, leads: Iterable[Lead] = ()) -> None:
        """At most ``MOST`` of them."""
        self._leads = list(leads)[:MOST]
        self._left: dict[str, None] = {}
        self._clean: dict[str, str] = {}

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._leads)

    def add(self, more: Iterable[Lead]) -> None:
        """Take leads that came later."""
        self._leads += [*more][: MOST - len(self._leads)]
        self._clean.clear()

    @property
    def standing(self) -> int:
        """How many findings the reader sees of them."""
        return sum(lead.finding is not None and lead.finding.id not in self._left for lead in self._leads)

    def besides(self, others: Iterable[Finding]) -> list[Finding]:
        """The findings that the reader sees of them, beside these others."""
        known = {finding.id for finding in others} | set(self._left)
        return [lead.finding for lead in self._leads if lead.finding is not None and lead.finding.id not in known]

    def is_shown(self, finding_id: str) -> bool:
        """Whether the reader sees a lead under this id."""
        return finding_id not in self._left and any(
            lead.finding is not None and lead.finding.id == finding_id for lead in self._leads
        )

    def described(self, room: int) -> list[str]:
        """A line for the model about each that is not dropped, in at most ``room`` characters."""
        lines = [
            f"lead-{number} {lead.place} {lead.rule}: {lead.message}"
            for number, lead in enumerate(self._leads, 1)
            if lead.finding is None or lead.finding.id not in self._left
        ]
        return fitting(lines, room)

    def confirmed(self, finding: Finding) -> Finding:
        """A point of the model's, under the id and the rule of the lead that it confirms, if it does."""
        for lead in self._leads:
            if _confirms(finding, lead):
                known = lead.finding
                if known is None:
                    return replace(finding, rule=lead.rule)
                sure = max(finding.confidence, known.confidence)
                return replace(finding, id=known.id, rule=known.rule, confidence=sure)
        return finding

    def dropped(self, answer: str) -> list[tuple[Finding, str]]:
        """The findings that an answer drops, each once, with the reason as the model wrote it."""
        result: list[tuple[Finding, str]] = []
        for line in answer.split("\n"):
            for lead, reason in self._drops(line):
                finding = lead.finding
                if finding is not None and finding.id not in self._left:
                    self._left[finding.id] = None
                    result.append((finding, reason))
        return result

    def without_marks(self, answer: str) -> str:
        """An answer without the lines that drop leads, and with no label that only the model knows.

        What is complete of a line stays as it is in every longer answer; a line that goes leaves an empty one.
        """
        if not self._leads:
            return answer
        return "\n".join(map(self._without_marks, answer.split("\n")))

    def _without_marks(self, line: str) -> str:
        """One line; it is looked at once, as an answer that is being written comes again and again."""
        clean = self._clean.get(line)
        if clean is None:
            clean = self._clean[line] = "" if self._drops(line) else self._named(line)
        return clean

    def _named(self, line: str) -> str:
        """The line with places for labels; a quotation keeps its words."""
        return line if line.lstrip().startswith(">") else _LABEL.sub(self._place_of, line)

    def _place_of(self, found: re.Match[str]) -> str:
        number = int(found[1])
        return self._leads[number - 1].place if 0 < number <= len(self._leads) else found[0]

    def _drops(self, line: str) -> list[tuple[Lead, str]]:
        """The leads that a line drops, with the reason."""
        for pattern in (_DROPPED, _IS_DROPPED):
            found = pattern.match(line[:2000])
            if found is not None and (leads := self._called(found["leads"])):
                return [(lead, found["reason"].strip()) for lead in leads]
        return []

    def _called(self, names: str) -> Sequence[Lead]:
        """The leads that are called so: by labels, by a rule that only one has, or by place."""
        numbers = {int(number) for number in _LABEL.findall(names)}
        if numbers:
            return [lead for number, lead in enumerate(self._leads, 1) if number in numbers]
        name = names.strip(" \t`*_[]()\"'")
        by_place = [lead for lead in self._leads if name in {lead.place, f"{lead.place} {lead.rule}", f"L{lead.line}"}]
        by_rule = [lead for lead in self._leads if lead.rule and name == lead.rule]
        return by_place if len(by_place) == 1 else by_rule if len(by_rule) == 1 else ()


def fitting(texts: Sequence[str], room: int) -> list[str]:
    """The first of some texts, as many as fit into ``room`` characters with a line break behind each."""
    ends = accumulate(len(text) + 1 for text in texts)
    return [text for text, end in zip(texts, ends, strict=True) if end <= room]


def _confirms(point: Finding, lead: Lead) -> bool:
    """Whether a point asks what a lead asks: on its lines, and of its category, in its words, or about its names."""
    known = lead.finding
    if point.uri != lead.uri:
        return False
    if known is None:
        return lead.line in point.range.lines and _shares(lead, point)
    here = known.range.overlaps_lines(point.range) or normalised(known.quote) == normalised(point.quote)
    return here and (known.category is point.category or alike(known.message, point.message) >= _SAME_WORDS)


def _shares(lead: Lead, point: Finding) -> bool:
    """Whether a point names what a lead without category names, or its rule."""
    said = f"{point.message} {point.why}"
    names = [name for pair in _NAME.findall(lead.message) for name in pair if name]
    return lead.rule in said or any(name in said for name in names) or alike(lead.message, said) >= _SAME_WORDS
