"""Leads: what tools that know rules asked about the target, for the model to confirm or to drop. Pure.

A lead that the model asks about in its own words is one finding, under the lead's id and rule. One that it drops is
withdrawn with its reason. One of which it says nothing stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from socreates_lsp.agent.verdicts import read
from socreates_lsp.review.alike import alike
from socreates_lsp.review.finding import normalised

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.review.finding import Finding

MOST = 20
"""Leads that a model is given."""

_SAME_WORDS = 0.3
"""The share of words that a point on the lines of a lead has in common with it, where their categories differ."""

_NEAR = 20
"""Lines by which a point may be away from the lead that its header names."""

_LABEL = re.compile(r"\blead[- ]?#?(\d{1,3})\b", re.IGNORECASE)
_BRACKETED = re.compile(r"\s*[(\[]\s*(?:lead[- ]?#?\d{1,3}[,\s]*)+[)\]]", re.IGNORECASE)
_HEADER = re.compile(r"[\s*_>#-]*\[\w+\]")
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
        self._left: set[int] = set()
        """The numbers (from 1) of those that were dropped."""
        self._asked: set[int] = set()
        """The numbers of those that the header of a point names."""

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._leads)

    def add(self, more: Iterable[Lead]) -> None:
        """Take leads that came later."""
        self._leads += [*more][: MOST - len(self._leads)]

    @property
    def standing(self) -> int:
        """How many findings the reader sees of them."""
        return len(self._shown())

    def _shown(self) -> list[Finding]:
        """The findings that the reader sees of them."""
        return [lead.finding for _, lead in self._held() if lead.finding is not None]

    def _held(self) -> list[tuple[int, Lead]]:
        """Those that are not dropped, with their numbers."""
        return [(number, lead) for number, lead in enumerate(self._leads, 1) if number not in self._left]

    def besides(self, others: Iterable[Finding]) -> list[Finding]:
        """The findings that the reader sees of them, beside these others."""
        known = {finding.id for finding in others}
        return [finding for finding in self._shown() if finding.id not in known]

    def is_shown(self, finding_id: str) -> bool:
        """Whether the reader sees a lead under this id."""
        return any(finding.id == finding_id for finding in self._shown())

    def described(self, room: int) -> list[str]:
        """A line for the model about each that is not dropped, in at most ``room`` characters."""
        lines = [f"lead-{number} {lead.place} {lead.rule}: {lead.message}" for number, lead in self._held()]
        return fitting(lines, room)

    def confirmed(self, finding: Finding) -> Finding:
        """A point of the model's, under the id and the rule of the lead that it confirms, if it does."""
        for number, lead in enumerate(self._leads, 1):
            named = number in self._asked and finding.uri == lead.uri and _is_near(finding, lead)
            if named or _confirms(finding, lead):
                known = lead.finding
                if known is None:
                    return replace(finding, rule=lead.rule)
                sure = max(finding.confidence, known.confidence)
                return replace(finding, id=known.id, rule=known.rule, confidence=sure)
        return finding

    def dropped(self, answer: str) -> list[tuple[Finding, str]]:
        """The findings that an answer drops, each once, with the reason as the model wrote it."""
        result: list[tuple[Finding, str]] = []
        for _, verdict in read(answer):
            if verdict is None or not verdict.drops:
                continue
            for number in self._called(verdict.about):
                lead = self._leads[number - 1]
                if lead.finding is not None and number not in self._left:
                    result.append((lead.finding, verdict.reason))
                self._left.add(number)
        return result

    def without_marks(self, answer: str) -> str:
        """An answer without its verdicts, and with no label that only the model knows.

        What is complete of a line stays as it is in every longer answer; a line that goes leaves an empty one.
        """
        return "\n".join("" if verdict is not None else self._named(line) for line, verdict in read(answer))

    def _named(self, line: str) -> str:
        """The line with places for labels; a quotation keeps its words. The header of a point names its lead."""
        if not self._leads or line.lstrip().startswith(">") or _LABEL.search(line) is None:
            return line
        if _HEADER.match(line):
            self._asked.update(int(number) for number in _LABEL.findall(line))
            line = _BRACKETED.sub("", line)
        return _LABEL.sub(self._place_of, line)

    def _place_of(self, found: re.Match[str]) -> str:
        number = int(found[1])
        return self._leads[number - 1].place if 0 < number <= len(self._leads) else found[0]

    def _called(self, names: str) -> list[int]:
        """The numbers of the leads that are called so: by labels, by a rule that only one has, or by place."""
        all_of_them = list(enumerate(self._leads, 1))
        numbers = {int(number) for number in _LABEL.findall(names)}
        if numbers:
            return [number for number, _ in all_of_them if number in numbers]
        words = set(names.split())
        by_place = [number for number, lead in all_of_them if lead.place in words]
        by_rule = [number for number, lead in all_of_them if lead.rule and lead.rule in words]
        return by_place if len(by_place) == 1 else by_rule if len(by_rule) == 1 else []


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


def _is_near(point: Finding, lead: Lead) -> bool:
    return abs(point.range.start.line - lead.line) <= _NEAR


def _shares(lead: Lead, point: Finding) -> bool:
    """Whether a point names what a lead without category names, or its rule."""
    said = f"{point.message} {point.why}"
    names = [name for pair in _NAME.findall(lead.message) for name in pair if name]
    return lead.rule in said or any(name in said for name in names) or alike(lead.message, said) >= _SAME_WORDS
