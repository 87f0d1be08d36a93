"""A place where a rule fires, with the parts that its question names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_PLACEHOLDER = re.compile(r"\{([A-Z][A-Z0-9_]*)\}")
_LONGEST = 60
"""Characters of a captured part that a question shows; the rest is an ellipsis."""


@dataclass(frozen=True, slots=True)
class Match:
    """``node`` is the place; ``parts`` are named nodes or words beside the meta-variables of a pattern.

    ``related`` are other places of the same fault, each with a few words on it.
    """

    node: SgNode
    parts: dict[str, SgNode | str] = field(default_factory=dict[str, "SgNode | str"])
    related: tuple[tuple[SgNode, str], ...] = ()

    def get(self, name: str) -> SgNode | None:
        """The node of a captured part; ``MATCH`` is the place itself."""
        if name == "MATCH":
            return self.node
        part = self.parts.get(name)
        return self.node.get_match(name) if part is None else part if not isinstance(part, str) else None

    def words(self, name: str) -> str | None:
        """The text of a captured part, on one line and not too long."""
        part = self.parts.get(name)
        if not isinstance(part, str):
            node = self.get(name)
            if node is None:
                return None
            part = node.text()
        flat = " ".join(part.split())
        return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1].rstrip() + "…"

    def phrase(self, template: str, extra: dict[str, str]) -> str:
        """Fill a question's ``{NAME}`` placeholders. Raises KeyError for one that nothing fills."""

        def word(found: re.Match[str]) -> str:
            name = found[1]
            words = extra[name] if name in extra else self.words(name)
            if words is None:
                raise KeyError(name)
            return words

        return " ".join(_PLACEHOLDER.sub(word, template).split())
