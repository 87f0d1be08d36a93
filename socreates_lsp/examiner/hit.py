"""What the examiner found in one file, before it becomes a finding. Plain values: they cross process borders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.review.finding import Category, Kind


@dataclass(frozen=True, slots=True)
class Place:
    """Other lines that a question is about (from 0, both ends included). ``path`` as in ``Hit``."""

    path: str
    first: int
    last: int
    note: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule fired on the lines ``first`` to ``last`` (from 0, both ends included).

    ``path`` is relative to the root with forward slashes. ``function`` names the stretch of lines of the
    function around it (None outside of all), so that one question is asked once in each.
    """

    rule: str
    category: Category
    kind: Kind
    confidence: float
    message: str
    why: str
    path: str
    first: int
    last: int
    function: tuple[int, int] | None = None
    related: tuple[Place, ...] = ()
