"""The open notebooks: which cells they hold, in which order. The text of a cell is a buffer like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from collections.abc import Iterable


class Notebooks:
    """The cells of every open notebook, in order, as canonical URIs by the canonical URI of the notebook."""

    def __init__(self) -> None:
        """Start with none."""
        self._cells: dict[str, list[str]] = {}

    def open(self, uri: str, cells: Iterable[str]) -> None:
        """Open a notebook with these cells."""
        self._cells[uris.canonical(uri)] = [uris.canonical(cell) for cell in cells]

    def splice(self, uri: str, start: int, deleted: int, cells: Iterable[str]) -> None:
        """Put cells in the place of ``deleted`` others from ``start`` (from 0) on; nothing if it is not open."""
        held = self._cells.get(uris.canonical(uri))
        if held is not None:
            held[start : start + deleted] = [uris.canonical(cell) for cell in cells]

    def close(self, uri: str) -> tuple[str, ...]:
        """Close a notebook. Returns its cells."""
        return tuple(self._cells.pop(uris.canonical(uri), ()))

    def cells(self, uri: str) -> tuple[str, ...]:
        """The cells of a notebook; none if it is not open."""
        return tuple(self._cells.get(uris.canonical(uri), ()))

    def place(self, uri: str) -> tuple[str, int] | None:
        """The notebook that holds a cell (canonical URI), and the cell's number from 1; None for what is no cell."""
        for notebook, cells in self._cells.items():
            if uri in cells:
                return notebook, cells.index(uri) + 1
        return None
