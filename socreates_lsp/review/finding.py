"""A finding: one question or warning about lines of a file. Values only."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.workspace.text import Range, Text

_SPACE = re.compile(r"\s+")

STANDING_QUESTION = "standing-question"
"""The rule of a finding that is a standing question of the project, put as it is."""


class Kind(StrEnum):
    """How sure the reviewer is: a warning says that it is wrong as written, a question asks."""

    QUESTION = "question"
    WARNING = "warning"


class Category(StrEnum):
    """The closed list of categories; ``CORRECTNESS`` when none is given."""

    CORRECTNESS = "correctness"
    ERROR_HANDLING = "error-handling"
    CONCURRENCY = "concurrency"
    SECURITY = "security"
    RESOURCES = "resources"
    PERFORMANCE = "performance"
    DESIGN = "design"
    TESTING = "testing"
    NAMING = "naming"
    DOCUMENTATION = "documentation"


class Source(StrEnum):
    """Who asked."""

    MODEL = "model"
    EXAMINER = "examiner"


class Status(StrEnum):
    """Where a finding stands in its life."""

    OPEN = "open"
    STALE = "stale"
    ANSWERED = "answered"
    DISMISSED = "dismissed"
    WITHDRAWN = "withdrawn"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that the question is about. ``uri`` as in ``Finding``; ``quote`` is what stood there when it was
    seen first, empty until then."""

    uri: str
    range: Range
    message: str
    quote: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """One entry of a finding's thread. ``at`` is an ISO 8601 time with offset."""

    author: str
    text: str
    at: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One question or warning.

    ``uri`` is the canonical URI of the document (workspace/uris.py), ``range`` is in code points with lines
    from 0, and ``quote`` is the text that stood in ``range`` when the finding was born. ``confidence`` is
    between 0 and 1. ``id`` comes from ``finding_id``.
    """

    id: str
    kind: Kind
    category: Category
    uri: str
    range: Range
    message: str
    why: str
    quote: str
    confidence: float
    source: Source
    rule: str | None = None
    related: tuple[Related, ...] = ()
    status: Status = Status.OPEN
    thread: tuple[Reply, ...] = field(default=())
    asked_again: str = ""
    """What is put to the user behind the message where an answer of his lost its ground."""

    @property
    def words(self) -> str:
        """The message as the reader sees it."""
        return f"{self.message}\n{self.asked_again}" if self.asked_again else self.message

    @property
    def subject(self) -> str:
        """What keeps findings on the same lines apart: the words of a standing question, each of which is a finding of
        its own; else nothing, as a second question joins the first."""
        return subject_of(self.rule, self.message)


def subject_of(rule: str | None, message: str) -> str:
    """See ``Finding.subject``."""
    return message if rule == STANDING_QUESTION else ""


@lru_cache(maxsize=4096)
def normalised(text: str) -> str:
    """The text with every run of white space as one space and none at the ends."""
    return _SPACE.sub(" ", text).strip()


def finding_id(path: str, category: Category, quote: str, ordinal: int) -> str:
    """The id of a finding: 16 hex digits of SHA-256.

    ``path`` is relative to the root with forward slashes, ``ordinal`` counts equal quotations from 0 at the
    time the finding was born (see ``Ordinals``).
    """
    import hashlib

    key = "\0".join((path, category.value, normalised(quote), str(ordinal)))
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Ordinals:
    """Tells equal quotations of one text apart by counting them. Blank lines and white space don't count."""

    def __init__(self, text: Text) -> None:
        """Index the text; linear in its length."""
        self._lines: list[str] = []
        self._places: dict[str, list[int]] = {}
        self._before: list[int] = []
        self._starts: dict[tuple[str, ...], list[int]] = {}
        for number in range(len(text)):
            self._before.append(len(self._lines))
            line = normalised(text.line(number))
            if line:
                self._places.setdefault(line, []).append(len(self._lines))
                self._lines.append(line)

    def of(self, quote: str, line: int) -> int:
        """How many places before ``line`` (from 0) hold the same quotation."""
        wanted = tuple(part for part in map(normalised, quote.splitlines()) if part)
        if not wanted or line >= len(self._before):
            return 0
        if wanted not in self._starts:
            self._starts[wanted] = self._starts_of(wanted)
        return bisect_left(self._starts[wanted], self._before[line])

    def _starts_of(self, wanted: tuple[str, ...]) -> list[int]:
        """Where a quotation stands, found by its rarest line: the time is that line's number of places."""
        offset, places = min(
            ((index, self._places.get(part, [])) for index, part in enumerate(wanted)), key=lambda one: len(one[1])
        )
        starts = (place - offset for place in places)
        return [start for start in starts if start >= 0 and tuple(self._lines[start : start + len(wanted)]) == wanted]


def kind_of(message: str) -> Kind:
    """The kind that a message shows by its last character, where nothing else says it."""
    return Kind.QUESTION if message.rstrip().endswith(("?", "？", "؟")) else Kind.WARNING
