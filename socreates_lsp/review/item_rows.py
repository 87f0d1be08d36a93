"""A row of a table as an item: which cell is what. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.review.item_blocks import LABEL, SEPARATOR_ROW, Block, Line
from socreates_lsp.review.item_reading import WHOLE_CODE, Reading
from socreates_lsp.review.labels import category_called, kind_called

if TYPE_CHECKING:
    import re

    from socreates_lsp.review.citations import Citation

_MARKUP = "*_`[(<\"'“«（ \t"


def read_row(block: Block, places: tuple[Citation, ...], reading: Reading) -> None:
    """A row: cells with a known name or meaning are parts, what is left is the message."""
    line = block.lines[0]
    names = [] if SEPARATOR_ROW.fullmatch(block.header) else _cells(block.header)
    for at, (cell, begin) in enumerate(_cells_at(line)):
        name = names[at] if at < len(names) and block.header != line.text else ""
        _read_cell(cell, LABEL.match(f"{name}:"), _is_place(cell, begin, places), reading)
    for more in block.lines[1:]:
        reading.say(more.text.strip())


def _read_cell(cell: str, label: re.Match[str] | None, is_place: bool, reading: Reading) -> None:  # noqa: FBT001
    code = WHOLE_CODE.fullmatch(cell)
    if is_place or not cell or cell.isdecimal() or (label and label["place"]):
        return
    if label and label["why"]:
        reading.why.append(cell)
    elif label and label["quote"]:
        reading.copy(cell)
    elif label and label["category"] and category_called(cell):
        reading.category = reading.category or category_called(cell)
    elif kind_called(cell) or category_called(cell):
        reading.call(cell)
    elif code and " " in code["code"].strip():
        reading.copy(cell)
    elif not (label and (label["kind"] or label["category"])):
        reading.message.append(cell)


def _is_place(cell: str, begin: int, places: tuple[Citation, ...]) -> bool:
    """Whether a cell holds a citation and little else."""
    return any(
        begin <= place.begin < begin + len(cell)
        and not cell[: place.begin - begin].strip(_MARKUP)
        and not cell[max(place.finish - begin, 0) :].strip(" *_`)]>\"'")
        for place in places
    )


def _cells(row: str) -> list[str]:
    return [cell.strip(" \t*_`") for cell in row.strip().strip("|").split("|")]


def _cells_at(line: Line) -> list[tuple[str, int]]:
    cells: list[tuple[str, int]] = []
    at = line.begin
    for cell in line.text.split("|"):
        stripped = cell.strip()
        cells.append((stripped, at + (cell.index(stripped) if stripped else 0)))
        at += len(cell) + 1
    return cells[1:]
