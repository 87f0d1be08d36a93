"""A fact of the project memory: what it is, and how it is written and read. Pure; what a file says is checked."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

CATEGORIES = ("architecture", "key_files", "dependencies", "commands", "conventions", "decisions", "bugs")
"""What facts are about."""

SUMMARIES = "session_summaries"
"""The category of what became of earlier sessions: several lines each, written by ourselves."""

LONGEST = 400
"""Characters of a fact."""

LONGEST_SOURCE = 200
SUMMARY_LINES, _LONGEST_LINE = 5, 300
"""Lines of a summary, and characters of each."""

_GLUE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
"""White space, and characters that nobody sees or that turn a line around."""


@dataclass(frozen=True, slots=True)
class Fact:
    """``at`` is the ISO time at which it was last written, ``source`` where it is from (a path, a place, or words),
    ``by`` who wrote it: ``model``, ``user`` or ``socreates``. ``mark``: of a summary the digest of its last turn."""

    id: str
    category: str
    text: str
    source: str
    at: str
    by: str
    mark: str = ""

    @property
    def date(self) -> str:
        """The day on which it was written."""
        return self.at[:10]

    @property
    def path(self) -> str:
        """The path that its source begins with; empty where the source is no place."""
        path = re.split(r":\d|\s", self.source, maxsplit=1)[0]
        return path if "/" in path or "." in path[1:-1] else ""


def fact(category: str, text: str, source: str, at: str, by: str, mark: str = "") -> Fact:
    """A new fact with its id, which the same words of the same category always have."""
    text = several_lines(text) if category == SUMMARIES else one_line(text)
    words = " ".join(re.findall(r"\w+", text.casefold()))
    digest = hashlib.sha256(f"{category}\0{words}\0{mark}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Fact(digest, category, text, one_line(source, LONGEST_SOURCE), at, by, mark)


def one_line(text: str, most: int = LONGEST) -> str:
    """A text on one line, of at most so many characters."""
    line = _GLUE.sub(" ", text).strip()
    return line if len(line) <= most else f"{line[: most - 1]}…"


def several_lines(text: str) -> str:
    """The first few lines of a text that are not blank, each of bounded length."""
    lines = (one_line(line, _LONGEST_LINE) for line in text.splitlines())
    return "\n".join([line for line in lines if line][:SUMMARY_LINES])


def fields_of(one: Fact) -> dict[str, Any]:
    """The fact as a JSON object."""
    fields = {
        "id": one.id,
        "category": one.category,
        "text": one.text,
        "source": one.source,
        "at": one.at,
        "by": one.by,
        "mark": one.mark,
    }
    return {name: value for name, value in fields.items() if value}


def fact_of(fields: Mapping[str, Any]) -> Fact | None:
    """The fact that an object says; None if it is none. What is too long is cut, as anybody may have written it."""
    texts = [fields.get(name, "") for name in ("id", "category", "text", "source", "at", "by", "mark")]
    if not all(isinstance(text, str) for text in texts):
        return None
    identity, category, text, source, at, by, mark = texts
    if category not in {*CATEGORIES, SUMMARIES}:
        return None
    text = several_lines(text) if category == SUMMARIES else one_line(text)
    if not text or not identity:
        return None
    source = one_line(source, LONGEST_SOURCE)
    return Fact(identity[:64], category, text, source, one_line(at, 40), one_line(by, 20), mark[:64])
