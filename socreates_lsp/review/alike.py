"""How much two sentences have in common, word by word. Pure."""

from __future__ import annotations

import re

_NAME = re.compile(r"`([^`]+)`")
_SAME_NAMES = 0.5


def alike(one: str, other: str) -> float:
    """The share of words that two sentences have in common, between 0 and 1."""
    mine, theirs = _words(one), _words(other)
    return len(mine & theirs) / max(len(mine | theirs), 1)


def says_again(one: str, other: str, least: float) -> bool:
    """Whether a sentence says another again: more than this share of words, and mostly about the same names."""
    mine, theirs = set(_NAME.findall(one)), set(_NAME.findall(other))
    about_same = not mine or not theirs or len(mine & theirs) / len(mine | theirs) >= _SAME_NAMES
    return about_same and alike(one, other) > least


def _words(text: str) -> set[str]:
    return {word.strip(".,:;?!`'\"()[]") for word in text.lower().split()}
