"""Whether two messages about the same lines ask the same thing in other words. Pure, and of no language.

Long words tell more than short ones, which in most languages are the glue of a sentence, so that a word weighs the
square of its length. Two forms of a word count as one. A script without spaces is read in pairs of characters.
"""

from __future__ import annotations

import re
from itertools import pairwise

_WORD = re.compile(r"\w+")
_LONGEST = 8
"""Characters from which on a word weighs no more."""

_STEM = 4
"""Characters that two forms of one word have in common at their beginning, at least."""

_MOST_WORDS = 200
_ALIKE = 0.5
"""The share of the weight that the common words have of all words of both."""


def same_question(one: str, other: str, code: str) -> bool:
    """Whether they ask the same thing about some code: about the same names in it, and mostly in the same words.

    The names do not count among the words: two questions about one line will have them in common.
    """
    names = words_of(code)
    first, second = words_of(one), words_of(other)
    if not same_names(one, other, code) or not first or not second:
        return False
    return _share(first - names, second - names) >= _ALIKE


def same_names(one: str, other: str, code: str) -> bool:
    """Whether two messages are about the same names of some code.

    A name of it that only the one has, where the other has one of its own, makes them two questions: ``What if a is
    empty?``, ``What if b is empty?``.
    """
    names = words_of(code)
    first, second = words_of(one) & names, words_of(other) & names
    return first <= second or second <= first


def words_of(text: str) -> frozenset[str]:
    """The words of a text without regard to case, the first few hundred."""
    found: list[str] = []
    for match in _WORD.finditer(text):
        word = match[0].casefold()
        # Letters that know no case: most scripts without spaces, where a run of letters is a clause.
        if len(word) > 2 and word.upper() == word and not word[0].isdigit() and not word.isascii():
            found += map("".join, pairwise(word))
        else:
            found.append(word)
        if len(found) >= _MOST_WORDS:
            break
    return frozenset(found[:_MOST_WORDS])


def _share(first: frozenset[str], second: frozenset[str]) -> float:
    common = first & second
    left, right = sorted(first - common), set(second - common)
    shared = sum(map(_weight, common))
    rest = 0
    for word in left:
        form = next((one for one in sorted(right) if _are_forms(word, one)), None)
        if form is None:
            rest += _weight(word)
        else:
            right.remove(form)
            shared += min(_weight(word), _weight(form))
    total = shared + rest + sum(map(_weight, right))
    return shared / total if total else 1.0


def _are_forms(one: str, other: str) -> bool:
    """``closes`` and ``closed``, ``caller`` and ``callers``: a common beginning that is most of both."""
    common = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        common += 1
    return common >= _STEM and common * 3 >= max(len(one), len(other)) * 2


def _weight(word: str) -> int:
    return min(len(word), _LONGEST) ** 2
