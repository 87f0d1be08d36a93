"""How much two sentences have in common, word by word. Pure."""

from __future__ import annotations


def alike(one: str, other: str) -> float:
    """The share of words that two sentences have in common, between 0 and 1."""
    mine, theirs = _words(one), _words(other)
    return len(mine & theirs) / max(len(mine | theirs), 1)


def _words(text: str) -> set[str]:
    return {word.strip(".,:;?!`'\"()[]") for word in text.lower().split()}
