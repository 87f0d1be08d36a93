"""Whether two facts say the same in nearly the same words. Pure, and careful: what may differ is not merged.

They do if the words of the one are among those of the other, in their order, and are most of them, articles and
endings aside, and they have the same figures and the same denials: a port that changed, a ``not``, or two names that
changed places make another fact.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+")
_GLUE = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been by can do does for from has have if in into is it its of on or our so that the "
        "their them then there these they this to use used uses using via was we were when where which will with you",
    )
)
_DENIALS = frozenset(
    re.findall(
        r"\w+",
        "not no never none nothing nobody without neither nor cannot except unless avoid stop only instead dont doesnt "
        "isnt arent wont cant mustnt shouldnt",
    )
)
_ENDINGS = ("ing", "ies", "ied", "es", "ed", "s")
_LEAST_SHARE = 0.8
_LONGEST_WEIGHT = 8


class Reading(NamedTuple):
    """What of a text counts: its words in their order, and ``fixed``, the figures and denials that may not differ."""

    words: tuple[str, ...]
    fixed: tuple[str, ...]


def says_the_same(one: str, other: str) -> bool:
    """See the module."""
    first, second = read(one), read(other)
    if not first.words or not second.words or first.fixed != second.fixed:
        return False
    small, large = sorted((first.words, second.words), key=len)
    if _weight(small) < _LEAST_SHARE * _weight(large):
        return False
    rest = iter(large)
    return all(word in rest for word in small)


@lru_cache(maxsize=2048)
def read(text: str) -> Reading:
    """Read a text for comparing it."""
    found = _WORD.findall(text.casefold().replace("'", "").replace("’", ""))
    fixed = tuple(word for word in found if word in _DENIALS or any(map(str.isdigit, word)))
    return Reading(tuple(_stem(word) for word in found if word not in _GLUE), fixed)


def words_of(text: str) -> frozenset[str]:
    """The words of a text that carry it, without regard to case and ending."""
    return frozenset(read(text).words)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and word.isascii():
            return word[: -len(ending)]
    return word


def _weight(words: tuple[str, ...]) -> int:
    return sum(min(len(word), _LONGEST_WEIGHT) for word in words)
