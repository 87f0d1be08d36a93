"""The labels by which a model says which standing question a point answers; a reader sees its words instead. Pure.

A model is given ``[SQ2] Does every handler check the tenant?`` and marks its point with ``[SQ2]``. Labels count the
questions of the settings, not those of one task, so that one in an old turn means the same.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.review.finding import normalised
from socreates_lsp.workspace.globs import Globs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.review.items import Item
    from socreates_lsp.review.questions import ProjectQuestion

_LABEL = re.compile(r"[*`]{0,3}(?<!\w)SQ[ -]?(\d{1,3})(?!\w)[*`]{0,3}")
_PLAIN = _LABEL.pattern.replace("(\\d", "(?:\\d")
_LABELS = rf"{_PLAIN}(?:(?:[ \t,;/&]|and){{1,6}}{_PLAIN}){{0,9}}"
_LEAD = (
    r"(?i:(?:this|it|also|answer|answers|answering|see|re|regarding|for|to|label|mark|the|standing|questions?)\b"
    r"[ \t]{0,2}:?[ \t]{0,2}){0,4}"
)
_BRACKETED = re.compile(rf"[ \t]{{0,2}}[*_]{{0,2}}[\[(]{_LEAD}{_LABELS}[\])][*_]{{0,2}}:?")
_AT_START = re.compile(
    rf"\A\s{{0,4}}{_LEAD}{_LABELS}[ \t]{{0,2}}(?:[:.–—-]\s{{0,4}}|[,;&]{{0,9}}[ \t]{{0,2}}(?:\n\s{{0,4}}|\Z))"
)
_AT_END = re.compile(
    rf"(?:(?<=[.?!…:;)])|(?<=[.?!…:;)][*_\"'”])|\n)\s{{0,4}}{_LEAD}{_LABELS}[ \t,;&]{{0,9}}\.?\s{{0,4}}\Z"
)
_STRAY = re.compile(r"(?:[ \t]{0,4}[,;&]){1,9}(?=[ \t]{0,2}[.?!]?\s{0,4}\Z)")
"""What stood between labels at the end of a text."""
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_DOUBLE_STOP = re.compile(r"(?<=[.?!…])\.(?=\s|\Z)")
_MOST = 3
"""Questions that one point names."""
_SHORT = 120
"""Characters of a question in the middle of a text."""


class Labels:
    """The labels of the questions that hold, and how they are read."""

    def __init__(self, questions: Iterable[ProjectQuestion] = ()) -> None:
        """Take all standing questions, whether a task puts them or not."""
        questions = tuple(questions)
        self._words = {one.number: one.words for one in questions}
        self._globs: dict[str, list[str]] = {}
        for one in questions:
            self._globs.setdefault(one.words, []).append(one.glob)
        self._normal = [normalised(words) for words in self._words.values()]

    def read(self, item: Item, path: str, written: str = "") -> Item:
        """A point without its labels; the questions that they mean stand at the end of its why.

        A question that is not put to the file of the point is not named.

        Args:
            item: a point.
            path: the file that it is about, as ``path_of`` has it; empty if it stands in none.
            written: the point as it was written, of which a tag may have been taken away.
        """
        if not self._words:
            return item
        said = f"{item.message}\n{item.why}\n{_QUOTED_LINE.sub('', written)}"
        numbers = dict.fromkeys(int(found[1]) for found in _LABEL.finditer(said))
        if not numbers:
            return item
        meant = dict.fromkeys(self._words[number] for number in numbers if number in self._words)
        asked = [words for words in meant if path and Globs(self._globs[words]).match(path)][:_MOST]
        why = "\n\n".join(filter(None, (_without(item.why), *(f"Standing question: {words}" for words in asked))))
        return replace(item, message=_without(item.message), why=why)

    def spoken(self, text: str) -> str:
        """Prose with the words of a question in the place of its label."""
        if not self._words or "SQ" not in text:
            return text
        return _LABEL.sub(lambda found: self._named(int(found[1])), _BRACKETED.sub(_unbracketed, text))

    def _named(self, number: int) -> str:
        words = self._words.get(number)
        if words is None:
            return "a standing question"
        return f"“{words if len(words) <= _SHORT else words[: _SHORT - 1] + '…'}”"

    def quotes(self, snippet: str) -> bool:
        """Whether a piece of code stands in a standing question, so that no model wrote it."""
        wanted = normalised(snippet)
        return bool(wanted) and any(wanted in words for words in self._normal)


def labelled(questions: Sequence[ProjectQuestion], *, with_globs: bool = False) -> list[str]:
    """The questions for a model, each once and behind its label; ``with_globs`` tells for which files it is."""
    globs: dict[str, list[str]] = {}
    first: dict[str, ProjectQuestion] = {}
    for one in questions:
        globs.setdefault(one.whole, []).append(one.glob)
        first.setdefault(one.whole, one)
    files = {whole: f" (for {', '.join(globs[whole])})" if with_globs else "" for whole in first}
    return [f"[SQ{one.number}] {whole}{files[whole]}" for whole, one in first.items()]


def _unbracketed(found: re.Match[str]) -> str:
    space = found[0][: len(found[0]) - len(found[0].lstrip())]
    return f"{space}{found[0].strip(' *_[]():')}{':' * found[0].endswith(':')}"


def _without(text: str) -> str:
    if not _LABEL.search(text):
        return text.strip()
    text = _DOUBLE_STOP.sub("", _BRACKETED.sub("", text)) if _BRACKETED.search(text) else text
    text = _STRAY.sub("", _AT_END.sub("", _AT_START.sub("", text)))
    return _LABEL.sub("the standing question", text).strip()
