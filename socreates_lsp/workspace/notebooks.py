"""The open notebooks: which cells they hold, in which order. The text of a cell is a buffer like any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Whole:
    """A notebook as one text, its cells one after the other; ``starts`` are the lines (from 0) where each begins.

    This is what ids and the ledger go by: they know a notebook and its lines, and no numbers of cells.
    """

    text: Text
    starts: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, cells: Iterable[str], text: Callable[[str], Text | None]) -> Whole:
        """The whole of some cells (canonical URIs); one without a text is empty."""
        parts: list[str] = []
        starts: list[tuple[str, int]] = []
        line = 0
        for cell in cells:
            starts.append((cell, line))
            found = text(cell)
            if found is not None and found.content:
                content = found.content
                parts.append(content if not found.lines[-1] else content + "\n")
                line += len(found) - (not found.lines[-1])
        return cls(Text("".join(parts)), tuple(starts))

    def first_line(self, cell: str) -> int:
        """Where a cell begins; 0 for one that is not there."""
        return next((line for one, line in self.starts if one == cell), 0)

    def cell_at(self, line: int) -> tuple[str, int] | None:
        """The cell on a line, and where it begins; None where there are no cells."""
        return next((start for start in reversed(self.starts) if start[1] <= line), None)


class Notebooks:
    """The cells of every open notebook, in order, as canonical URIs by the canonical URI of the notebook."""

    def __init__(self) -> None:
        """Start with none."""
        self._cells: dict[str, list[str]] = {}
        self._former: dict[str, dict[str, None]] = {}

    def open(self, uri: str, cells: Iterable[str]) -> None:
        """Open a notebook with these cells."""
        self._cells[uris.canonical(uri)] = [uris.canonical(cell) for cell in cells]
        self._former.pop(uris.canonical(uri), None)

    def splice(self, uri: str, start: int, deleted: int, cells: Iterable[str]) -> None:
        """Put cells in the place of ``deleted`` others from ``start`` (from 0) on; nothing if it is not open."""
        held = self._cells.get(uris.canonical(uri))
        if held is not None:
            self._former.setdefault(uris.canonical(uri), {}).update(dict.fromkeys(held[start : start + deleted]))
            held[start : start + deleted] = [uris.canonical(cell) for cell in cells]

    def close(self, uri: str) -> tuple[str, ...]:
        """Close a notebook. Returns its cells."""
        self._former.pop(uris.canonical(uri), None)
        return tuple(self._cells.pop(uris.canonical(uri), ()))

    def is_open(self, uri: str) -> bool:
        """Whether a notebook is open."""
        return uris.canonical(uri) in self._cells

    def rename(self, old: str, new: str) -> None:
        """An open notebook has another name (canonical URIs)."""
        if old in self._cells:
            self._cells[new] = self._cells.pop(old)
            self._former[new] = self._former.pop(old, {})

    def __iter__(self) -> Iterator[str]:
        """The open notebooks (canonical URIs)."""
        return iter(tuple(self._cells))

    def former(self, uri: str) -> tuple[str, ...]:
        """The cells that were deleted from an open notebook."""
        key = uris.canonical(uri)
        held = self._cells.get(key, [])
        return tuple(cell for cell in self._former.get(key, ()) if cell not in held)

    def cells(self, uri: str) -> tuple[str, ...]:
        """The cells of a notebook; none if it is not open."""
        return tuple(self._cells.get(uris.canonical(uri), ()))

    def place(self, uri: str) -> tuple[str, int] | None:
        """The notebook that holds a cell (canonical URI), and the cell's number from 1; None for what is no cell."""
        for notebook, cells in self._cells.items():
            if uri in cells:
                return notebook, cells.index(uri) + 1
        return None
