"""What a mechanism finds: a place in the new text, and the words that its question needs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.examiner.hit import Place

_PLACEHOLDER = re.compile(r"\{([A-Z][A-Z0-9_]*)\}")
_LONGEST = 60
"""Characters of a word that a question shows; the rest is an ellipsis."""


MOST_RELATED = 5
"""How many other places a question names."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Lines ``first`` to ``last`` (from 0, both ends included) of a file as it is now. ``parts`` fill the question."""

    path: str
    first: int
    last: int
    parts: Mapping[str, str] = field(default_factory=dict[str, str])
    related: tuple[Place, ...] = ()

    def phrase(self, template: str) -> str:
        """Fill the ``{NAME}`` placeholders of a question. Raises KeyError for one that nothing fills."""
        return " ".join(_PLACEHOLDER.sub(lambda found: _short(self.parts[found[1]]), template).split())


def _short(words: str) -> str:
    flat = " ".join(words.split()).replace("`", "")
    return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1].rstrip() + "…"
