"""The verdict at the end of a model's reply: ``Verdict: withdrawn`` on a line of its own, which no reader sees.

Models write it in bold, as a heading, in capitals, with a dot, behind the last sentence, or not at all. What is missing
or says something else means that the finding stands. Pure.
"""

from __future__ import annotations

import re
from enum import StrEnum


class Verdict(StrEnum):
    """What becomes of a finding after a reply."""

    STANDS = "stands"
    WITHDRAWN = "withdrawn"
    RESOLVED = "resolved"


_WORDS = tuple(verdict.value for verdict in Verdict)
_MARKS = r"*_`~\"'()\[\]#|"
_NAME = re.compile(r"(?<![a-z0-9])verdict(?![a-z0-9])", re.IGNORECASE | re.ASCII)
_MAY_BEGIN = re.compile(r"(?<![a-z0-9])v(?:e(?:r(?:d(?:i(?:c(?:t)?)?)?)?)?)?\Z", re.IGNORECASE | re.ASCII)
_BEFORE_WORD = rf"[\s{_MARKS}]*[:：=–—-]?[\s{_MARKS}]*"
_AFTER_NAME = re.compile(rf"{_BEFORE_WORD}(?P<word>[a-z]*)[\s{_MARKS}.!。]*\Z", re.IGNORECASE | re.ASCII)
_SAME_LINE = re.compile(rf"[ \t{_MARKS}]*[:：=–—-][^\r\n]*\Z", re.ASCII)
_EXACT = re.compile(rf"{_BEFORE_WORD}(?P<word>{'|'.join(_WORDS)})[\s{_MARKS}.!。]*\Z", re.IGNORECASE | re.ASCII)
_BEHIND_SENTENCE = re.compile(r"[.!?。！？؟][\"')*_]*\s+[*_]*\Z")
"""What stands before a verdict that follows the last sentence on its line; a quoted one is none."""

_OWN_LINE = re.compile(
    rf"^[ \t{_MARKS}-]*verdict[ \t{_MARKS}]*[:：=–—-][ \t{_MARKS}]*(?P<word>{'|'.join(_WORDS)})"
    rf"[ \t{_MARKS}.!。]*(?:\r\n|\r|\n)",
    re.IGNORECASE | re.MULTILINE | re.ASCII,
)
_LEAD = " \t\r\n*_`~\"'([#|-"
"""Characters that may stand before the name and belong to it."""

_KEPT = 8
"""Characters that were given and that tell what a verdict stands behind."""

_LONGEST = 400
"""Characters of a line that can still be a verdict."""


class VerdictStream:
    """Takes an answer piece by piece and gives what the reader may see of it; the verdict is known at the end."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self._pending = ""
        self._begins_line = True
        self._said = ""
        self.verdict = Verdict.STANDS

    def feed(self, piece: str) -> str:
        """The next piece; what of all that has come is surely no verdict and was not given yet."""
        self._pending = self._without_lines(self._pending + piece)
        return self._give(len(self._pending) - _held(self._pending))

    def end(self) -> str:
        """Nothing more comes: what is left of the answer."""
        self._pending = self._without_lines(self._pending)
        tail = self._pending.rstrip()
        name = _last_name(tail)
        if name is not None:
            begin = _lead_before(tail, name.start())
            exact = _EXACT.match(tail, name.end())
            is_own = self._is_own_line(begin, name.start())
            if exact is not None and (is_own or _BEHIND_SENTENCE.search(self._said + tail[: name.start()])):
                self.verdict = Verdict(exact["word"].lower())
            elif not is_own:
                begin = len(self._pending)
            self._pending = self._pending[:begin]
        return self._give(len(self._pending))

    def _is_own_line(self, begin: int, name: int) -> bool:
        """Whether only marks stand before the name on its line."""
        return (begin == 0 and self._begins_line) or any(end in self._pending[begin:name] for end in "\r\n")

    def _without_lines(self, text: str) -> str:
        """Take out verdicts that stand on a line of their own with more behind it; the last one counts."""
        if "\n" not in text and "\r" not in text:
            return text
        rest = text.rstrip()
        guard = "" if self._begins_line else "x"

        def taken(found: re.Match[str]) -> str:
            if found.end() - len(guard) > len(rest):
                return found[0]
            self.verdict = Verdict(found["word"].lower())
            return ""

        return _OWN_LINE.sub(taken, guard + text)[len(guard) :]

    def _give(self, count: int) -> str:
        given, self._pending = self._pending[:count], self._pending[count:]
        if given:
            self._begins_line = given[-1] in "\r\n"
            self._said = (self._said + given)[-_KEPT:]
        return given


def verdict_of(answer: str) -> tuple[str, Verdict]:
    """An answer without its verdict, and the verdict."""
    stream = VerdictStream()
    said = stream.feed(answer)
    said += stream.end()
    return said, stream.verdict


def _held(pending: str) -> int:
    """How many characters at the end may still become a verdict."""
    tail = pending.rstrip()
    space = len(pending) - len(tail)
    name = _last_name(tail)
    if name is not None:
        return space + len(tail) - _lead_before(tail, name.start())
    begun = _MAY_BEGIN.search(tail, max(len(tail) - 8, 0))
    if begun is not None and not space:
        return len(tail) - _lead_before(tail, begun.start())
    return space + len(tail) - _lead_before(tail, len(tail))


def _last_name(tail: str) -> re.Match[str] | None:
    """The name with which a verdict may begin that ends with the text."""
    names = list(_NAME.finditer(tail, max(len(tail) - _LONGEST, 0)))
    if not names:
        return None
    found = names[-1]
    after = _AFTER_NAME.match(tail, found.end())
    if after is not None and any(word.startswith(after["word"].lower()) for word in _WORDS):
        return found
    return found if _SAME_LINE.match(tail, found.end()) is not None else None


def _lead_before(text: str, at: int) -> int:
    """Where the marks and white space begin that stand before a place."""
    while at > 0 and text[at - 1] in _LEAD:
        at -= 1
    return at
