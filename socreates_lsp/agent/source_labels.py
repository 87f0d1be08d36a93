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
    r"(?<!\[)[\[［【][ \t]{0,2}(?:(memory|inference)(?:[ \t]{0,2}\\?[:：][^\[\]］】\r\n]{0,300}?)?"
    r"|(repo|docs|web)[ \t]{0,2}\\?[:：][ \t]{0,2}([^\[\]］】\r\n]{1,300}?))[ \t]{0,2}[\]］】]",
    re.IGNORECASE,
)
_BEFORE_LABEL = re.compile(rf"[ \t]{{0,2}}{_LABEL.pattern}", re.IGNORECASE)
_NUMBERS = r"(?:lines?[ \t]|L)?(?P<first>\d{1,7})(?:[ \t]?[-\u2013][ \t]?L?(?P<last>\d{1,7}))?"
_LINES = re.compile(rf"(?P<path>.+?):[ \t]?{_NUMBERS}")
_ALONE = re.compile(_NUMBERS)
_AROUND = " \t`*"


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

    ``reference`` is what it names: ``path``, ``path:line`` or ``path:line-line`` (from 1), ``file#chunk``, an address;
    empty for ``[memory]`` and ``[inference]``. Of a ``repo`` label ``path`` has forward slashes, and ``line`` to
    ``last`` are its lines, from 0, both included; None where it names none.
    """

    span: tuple[int, int]
    origin: Origin
    reference: str = ""
    path: str = ""
    line: int | None = None
    last: int | None = None


def labels(text: str) -> list[Label]:
    """Every label of a text, in its order; one that names several places is several with the same span."""
    return [label for found in _LABEL.finditer(text) for label in _labels(found)]


def checked(text: str, known: Callable[[Label], bool]) -> str:
    """The text with ``(unverified)`` behind each label that is not known; one that is marked stays as it is."""
    pieces: list[str] = []
    end = 0
    for found in _LABEL.finditer(text):
        marked = text.startswith(UNVERIFIED, found.end() + 1)
        if not marked and not all(map(known, _labels(found))):
            pieces += [text[end : found.end()], f" {UNVERIFIED}"]
            end = found.end()
    return "".join([*pieces, text[end:]])


def without_labels(text: str) -> str:
    """The text without its labels, which say where a claim is from and are no places of questions."""
    return _BEFORE_LABEL.sub("", text)


def _labels(found: re.Match[str]) -> list[Label]:
    origin = Origin((found[1] or found[2]).lower())
    reference = (found[3] or "").strip(_AROUND)
    if origin is not Origin.REPO:
        return [Label(found.span(), origin, reference)]
    read: list[Label] = []
    for part in re.split(r"[,;]", reference):
        if written := part.strip(_AROUND):
            read.append(_place(found.span(), written, read[-1].path if read else ""))
    return read or [Label(found.span(), origin, reference)]


def _place(span: tuple[int, int], written: str, before: str) -> Label:
    """One place of a ``repo`` label; ``before`` is the path that was named last, for lines that stand alone."""
    alone = _ALONE.fullmatch(written)
    lines = alone or _LINES.fullmatch(written)
    if lines is None or (alone and not before):
        return Label(span, Origin.REPO, written, _path(written))
    path = before if alone else _path(lines["path"])
    first, last = sorted((int(lines["first"]), int(lines["last"] or lines["first"])))
    reference = f"{path}:{first}-{last}" if last > first else f"{path}:{first}"
    return Label(span, Origin.REPO, reference, path, first - 1, last - 1)  # line 0 is none, and was never read


def _path(written: str) -> str:
    return written.strip(_AROUND).replace("\\", "/").removeprefix("./")
