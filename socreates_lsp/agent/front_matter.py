"""The front matter of rule files: for which files one is meant. Pure, and forgiving: much of it is no good YAML.

``globs`` and ``alwaysApply`` are Cursor's (``.cursor/rules/*.mdc``), ``applyTo`` is Copilot's
(``.github/instructions/*.instructions.md``). Patterns come as a list, or in one string with commas.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.workspace.globs import Globs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from socreates_lsp.workspace.text import Text

_MOST_LINES = 100
"""Lines that front matter may have."""
_MOST_GLOBS = 50
_LONGEST = 1000
_KEY = re.compile(r"([A-Za-z_-]+)[ \t]*:[ \t]*(.*)")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)")
_COMMA = re.compile(r",(?![^{]*\})")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands above the text; ``first`` is the line (from 0) where that begins. ``globs`` None: none are named."""

    first: int = 0
    globs: tuple[str, ...] | None = None
    always: bool | None = None
    description: str = ""

    def meant_for(self, paths: Iterable[str]) -> bool:
        """Whether the text holds for any of these paths, relative to the folder of the patterns; a text that says
        nothing of it holds for all."""
        if self.always or (self.globs is None and self.always is None and not self.description):
            return True
        return self.globs is not None and any(map(Globs(self.globs).match, paths))


def front_matter(text: Text) -> FrontMatter:
    """Read the front matter of a file; one that has none holds for everything. Never raises."""
    if text.line(0).rstrip() != "---":
        return FrontMatter()
    end = next((line for line in range(1, min(len(text), _MOST_LINES)) if text.line(line).rstrip() == "---"), None)
    if end is None:
        return FrontMatter()
    values: dict[str, list[str]] = {}
    key = ""
    for line in range(1, end):
        written = text.line(line)[:_LONGEST]
        found = _KEY.match(written)
        item = _ITEM.match(written) if found is None else None
        if found is not None:
            key = found[1].casefold()
            values[key] = [found[2]] if found[2].strip() else []
        elif item is not None and key:
            values.setdefault(key, []).append(item[1])
    named = values.get("globs", values.get("applyto"))
    return FrontMatter(
        first=end + 1,
        globs=None if named is None else tuple(one for value in named for one in _patterns(value))[:_MOST_GLOBS],
        always=_switch(values.get("alwaysapply")),
        description=" ".join(map(_bare, values.get("description", [])))[:_LONGEST],
    )


def _patterns(value: str) -> list[str]:
    bare = _bare(value)
    inside = bare[1:-1] if bare.startswith("[") and bare.endswith("]") else bare
    return [pattern for one in _COMMA.split(inside) if (pattern := _bare(one))]


def _switch(values: list[str] | None) -> bool | None:
    return None if not values else _bare(values[0]).casefold() in {"true", "yes", "on"}


def _bare(value: str) -> str:
    """A value without quotation marks and blanks around it."""
    value = value.strip()
    return value[1:-1].strip() if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
