"""The labels by which an answer says where a claim is from: ``[repo: src/app.py:12-15]``, ``[memory]``. Pure.

A label is what a model wrote: it counts only where what it names was really read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

UNVERIFIED = "(unverified)"
"""What stands behind a label that names what was not read."""

_LABEL = re.compile(
    r"(?<!\[)\[[ \t]{0,2}(?:(memory|inference)|(repo|docs|web)[ \t]{0,2}:[ \t]{0,2}([^\[\]\r\n]{1,300}?))[ \t]{0,2}\](?!\()",
    re.IGNORECASE,
)
_LINES = re.compile(r"(.+?):[ \t]?(?:lines?[ \t]|L)?(\d{1,7})(?:[ \t]?[-–][ \t]?L?(\d{1,7}))?")


class Origin(StrEnum):
    """Where a claim may be from."""

    REPO = "repo"
    MEMORY = "memory"
    DOCS = "docs"
    WEB = "web"
    INFERENCE = "inference"


@dataclass(frozen=True, slots=True)
class Label:
    """One label of a text. ``span``: its first character, and the one behind it.

    ``reference`` is what stands behind the colon: a path with or without lines, ``file#chunk``, an address; empty for
    ``[memory]`` and ``[inference]``. Of a ``repo`` label ``path`` has forward slashes, and ``line`` to ``last`` are
    its lines, from 0, both included; None where it names none.
    """

    span: tuple[int, int]
    origin: Origin
    reference: str = ""
    path: str = ""
    line: int | None = None
    last: int | None = None


def labels(text: str) -> list[Label]:
    """Every label of a text, in its order. Never raises."""
    return [_label(found) for found in _LABEL.finditer(text)]


def checked(text: str, known: Callable[[Label], bool]) -> str:
    """The text with ``(unverified)`` behind each label that is not known; one that is marked stays as it is."""
    pieces: list[str] = []
    end = 0
    for label in labels(text):
        if not known(label) and not text.startswith(UNVERIFIED, label.span[1] + 1):
            pieces += [text[end : label.span[1]], f" {UNVERIFIED}"]
            end = label.span[1]
    return "".join([*pieces, text[end:]])


def _label(found: re.Match[str]) -> Label:
    origin = Origin((found[1] or found[2]).lower())
    reference = (found[3] or "").strip(" \t`*")
    if origin is not Origin.REPO:
        return Label(found.span(), origin, reference)
    lines = _LINES.fullmatch(reference)
    path = (reference if lines is None else lines[1]).strip(" \t`*").replace("\\", "/").removeprefix("./")
    if lines is None:
        return Label(found.span(), origin, reference, path)
    first, last = sorted((int(lines[2]), int(lines[3] or lines[2])))
    return Label(found.span(), origin, reference, path, max(first - 1, 0), max(last - 1, 0))
