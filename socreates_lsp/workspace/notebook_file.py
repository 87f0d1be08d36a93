"""A notebook that lies on disk (nbformat 4, JSON): the code of its cells, each line where it stands in the file. Pure.

What is not a line of code is a blank line, so that a line has the same number in the code as in the file, and an editor
that shows the file shows a finding where the code stands in it. This works for files as Jupyter and VS Code write them,
one line of code on one line of JSON, of a notebook in Python; any other is read as the JSON that it is.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIX = ".ipynb"

_LANGUAGES = frozenset({"", "python", "ipython", "python3"})
_SOURCE = re.compile(r'\s*"source":\s*\[\s*')
_STRING = re.compile(r'\s*("(?:[^"\\]|\\.)*"),?\s*')


def code_in_place(content: str) -> str | None:
    """The code of a notebook with as many lines as the file has; None where it cannot be told line by line."""
    try:
        notebook: object = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(notebook, dict):
        return None
    fields = cast("dict[str, Any]", notebook)
    cells = fields.get("cells")
    if not isinstance(cells, list) or _language(fields) not in _LANGUAGES:
        return None
    lines = content.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    code = [""] * len(lines)
    at = 0
    for is_code, source in map(_source, cast("list[object]", cells)):
        if source is None:
            return None
        if not source:
            continue
        start = next(
            (n for n in range(at, len(lines)) if _SOURCE.fullmatch(lines[n]) and _holds(lines, n, source)), None
        )
        if start is None:
            return None
        at = start + 1 + len(source)
        if is_code:
            code[start + 1 : at] = [line.rstrip("\r\n") for line in source]
    return "\n".join(code)


def _language(fields: dict[str, Any]) -> str:
    """The language of a notebook in lower case; empty if it says none."""
    for part, name in (("language_info", "name"), ("kernelspec", "language")):
        metadata = fields.get("metadata")
        of = cast("dict[str, Any]", metadata).get(part) if isinstance(metadata, dict) else None
        value = cast("dict[str, Any]", of).get(name) if isinstance(of, dict) else None
        if isinstance(value, str):
            return value.lower()
    return ""


def _source(cell: object) -> tuple[bool, list[str] | None]:
    """Whether a cell is code, and its lines; None where they are no list of single lines."""
    fields = cast("dict[str, Any]", cell) if isinstance(cell, dict) else {}
    source = fields.get("source", [])
    if source == "":
        return False, []
    if not isinstance(source, list) or not all(map(_is_line, cast("list[object]", source))):
        return False, None
    return fields.get("cell_type") == "code", cast("list[str]", source)


def _is_line(value: object) -> bool:
    return isinstance(value, str) and not re.search(r"[\r\n]", value.removesuffix("\n").removesuffix("\r"))


def _holds(lines: list[str], start: int, source: list[str]) -> bool:
    """Whether the lines behind this one are these strings, one each."""
    behind = lines[start + 1 : start + 1 + len(source)]
    return list(_strings(behind)) == source


def _strings(lines: list[str]) -> Iterator[str | None]:
    for line in lines:
        match = _STRING.fullmatch(line)
        yield None if match is None else json.loads(match[1])
