"""TOML, and where in its text a key or a string stands. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.survey.facts import Place
from socreates_lsp.survey.where import BrokenError, Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEADER = re.compile(r"\s*\[{1,2}\s*((?:\"[^\"]*\"|'[^']*'|[\w.\s-])+?)\s*\]{1,2}\s*(?:#.*)?$")
_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)")
_LINE_OF_ERROR = re.compile(r"at line (\d+)")

Table = dict[str, Any]


class Toml:
    """One file. Raises BrokenError where it is none."""

    def __init__(self, lines: Lines) -> None:
        """Read it all."""
        import tomllib

        self.lines = lines
        try:
            self.data: Table = tomllib.loads(re.sub(r"\r\n?", "\n", lines.content))
        except (ValueError, RecursionError, OverflowError) as error:
            found = _LINE_OF_ERROR.search(str(error))
            raise BrokenError("it is no TOML", int(found[1]) if found else None) from None
        self._tables = self._headers()

    def table(self, *names: str) -> Table:
        """The table of this name; an empty one where there is none, or something else."""
        here: Any = self.data
        for name in names:
            here = cast("Table", here).get(name) if isinstance(here, dict) else None
        return cast("Table", here) if isinstance(here, dict) else {}

    def texts(self, value: Any) -> list[str]:
        """The texts in an array; none for any other value."""
        return [one for one in cast("list[Any]", value) if isinstance(one, str)] if isinstance(value, list) else []

    def key(self, table: Sequence[str], key: str) -> Place:
        """Where a key of a table stands: on its own line, in a dotted key, or as the name of a table below."""
        name = re.escape(key)
        own = re.compile(rf"(?:^|[.{{,\s])[\"']?{name}[\"']?\s*[.=]")
        return (
            self.lines.find(own, self._lines_of(tuple(table)), key)
            or self._header_of((*table, key), key)
            or self.lines.find(own, self.lines.all, key)
            or Place(self.lines.path)
        )

    def text(self, table: Sequence[str], text: str) -> Place:
        """Where a text stands that a table has as a value, or in an array."""
        quoted = re.compile(rf"[\"']{re.escape(text)}[\"']")
        found = self.lines.find(quoted, self._lines_of(tuple(table)), text)
        return found or self.lines.find(quoted, self.lines.all, text) or Place(self.lines.path)

    def header(self, *table: str) -> Place:
        """Where a table begins."""
        return self._header_of(table, table[-1]) or Place(self.lines.path)

    def _header_of(self, table: Sequence[str], quote: str) -> Place | None:
        line = next((line for line, name in self._tables if name == tuple(table)), None)
        return None if line is None else self.lines.place(line, quote)

    def _headers(self) -> list[tuple[int, tuple[str, ...]]]:
        found: list[tuple[int, tuple[str, ...]]] = []
        for number, line in enumerate(self.lines.lines, start=1):
            if line.lstrip().startswith("[") and (match := _HEADER.match(line[:300])):
                found.append((number, tuple(a or b or c for a, b, c in _PART.findall(match[1]))))
        return found

    def _lines_of(self, table: tuple[str, ...]) -> list[int]:
        """The lines of a table and of those around it that may hold it as a dotted key, the nearest first."""
        ends = [line for line, _ in self._tables[1:]] + [len(self.lines.lines) + 1]
        regions = [(name, range(start, end)) for (start, name), end in zip(self._tables, ends, strict=False)]
        first = self._tables[0][0] if self._tables else len(self.lines.lines) + 1
        regions.insert(0, ((), range(1, first)))
        around = sorted(
            (region for region in regions if table[: len(region[0])] == region[0]), key=lambda one: -len(one[0])
        )
        return [line for _, span in around for line in span]
