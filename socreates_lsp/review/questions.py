"""The standing questions of a project as a reader sees them: one line of words, and the category they sound like. Pure.

They may come from a file of a repository that nobody has looked at, so they pass the voice like any other text that is
not ours: no markup, nothing that a client would fetch, a bounded length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.finding import Category
from socreates_lsp.review.voice import voiced

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

MOST = 50
"""Standing questions that are put; ``left_out`` tells of further ones."""

LONGEST = 300
"""Characters of a question on its line; the rest of a longer one stands in the why."""

_LONGEST_GLOB = 80
_CATEGORIES = (
    (Category.SECURITY, r"secur\w+|tenants?|permissions?|authori[sz]\w+|authenticat\w+|secrets?|passwords?|injection"),
    (Category.CONCURRENCY, r"threads?|thread.?safe\w*|races?|locks?|deadlocks?|concurren\w+|atomic\w*|idempotent"),
    (Category.TESTING, r"tests?|tested|untested|coverage"),
    (Category.ERROR_HANDLING, r"errors?|exceptions?|fails?|failures?|failing|retr(?:y|ies|ied)"),
    (Category.RESOURCES, r"leaks?|closed|released|freed|clean(?:ed)? up|time.?outs?"),
    (Category.PERFORMANCE, r"performance|slow|fast|latency|quadratic|cached?"),
    (Category.NAMING, r"names?|named|naming"),
    (Category.DOCUMENTATION, r"claims?|cit(?:es?|ed|ations?)|pages?|paragraphs?|sentences?|readers?|documented"),
    (Category.DOCUMENTATION, r"documentation|docs?|docstrings?|changelog|spell\w+|jargon"),
)
_SOUNDS_LIKE = tuple((category, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for category, words in _CATEGORIES)


@dataclass(frozen=True, slots=True)
class ProjectQuestion:
    """A question as it is put. ``number`` counts from 1; ``glob`` is the pattern as it was written.

    ``words`` are at most ``LONGEST`` characters on one line, ``whole`` is all of it where that is more.
    """

    number: int
    words: str
    whole: str
    glob: str
    category: Category

    @property
    def why(self) -> str:
        """What a reader is told besides the question."""
        pattern = " ".join(self.glob.replace("`", "'").split())
        shown = pattern if len(pattern) <= _LONGEST_GLOB else f"{pattern[:_LONGEST_GLOB]}…"
        origin = voiced(f"A standing question of this project, for `{shown}`.", _anything).text
        return f"{self.whole}\n\n{origin}" if self.whole != self.words else origin


def standing_questions(given: Iterable[tuple[str, str]]) -> tuple[ProjectQuestion, ...]:
    """The questions that are put, in their order and each once; those of which no words are left are not.

    Args:
        given: questions with their path patterns, as the settings have them.
    """
    found: dict[tuple[str, str], ProjectQuestion] = {}
    for number, (question, glob) in enumerate(list(given)[:MOST], start=1):
        said = voiced(" ".join(question.split()), _anything)
        whole = " ".join(said.text.split())
        if not said.is_empty:
            words = _shortened(whole)
            found.setdefault((whole, glob), ProjectQuestion(number, words, whole, glob, _category(whole)))
    return tuple(found.values())


def left_out(given: Collection[object]) -> str | None:
    """A sentence on the questions that are not put as there are too many; None if all are.

    Args:
        given: as for ``standing_questions``.
    """
    more = len(given) - MOST
    return f"Only the first {MOST} standing questions are put: {more:,} more are left out." if more > 0 else None


def path_of(name: str) -> str:
    """The path that a pattern is held against: for a cell of a notebook, that of the notebook.

    Args:
        name: what people call the document, as ``Workspace.display_path`` has it.
    """
    return name.partition("#cell ")[0]


def _anything(_: str) -> bool:
    """The words are of the project, not of a model: a piece in backticks stays."""
    return True


def _shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    cut = text[: LONGEST - 1]
    short = cut[: cut.rfind(" ")] if " " in cut[LONGEST // 2 :] else cut
    return (short + "`" if short.count("`") % 2 else short) + "…"


def _category(text: str) -> Category:
    """The category that a question sounds like; ``design`` where nothing tells."""
    return next((category for category, sounds in _SOUNDS_LIKE if sounds.search(text)), Category.DESIGN)
