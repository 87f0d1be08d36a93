"""What an answer of a model came to: findings, and what stands on no line. Values only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.review.reviewer import Found


@dataclass(slots=True)
class Answered:
    """What an answer came to. ``ungrounded`` are messages that stand on no line, ``prose`` is what was no item.

    ``found`` are the findings in the order in which they came, each with the version of the buffer that it was
    grounded in; two with one id are two questions about one place.
    """

    found: list[Found] = field(default_factory=list["Found"])
    ungrounded: list[str] = field(default_factory=list[str])
    grounding: Counter[str] = field(default_factory=Counter[str])
    suppressed: set[str] = field(default_factory=set[str])
    withheld: int = 0
    """Pieces of code that the model wrote and the reader does not see."""
    prose: str = ""
