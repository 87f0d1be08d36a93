"""Which facts a task is told, within its room: those that have words and paths in common with it, and newer
ones. Pure.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.memory.fact import SUMMARIES
from socreates_lsp.memory.likeness import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from socreates_lsp.memory.fact import Fact

_PATH, _NAME, _FOLDER = 6.0, 3.0, 1.0
"""What it counts that a fact names a path of the task, a file of that name, or its folder."""

_NEWEST = 1.0
"""What it counts to be the newest fact; the oldest has nothing of it. About as much as one common word."""

_MOST_SUMMARIES = 2
"""Summaries of sessions that are told, the newest."""


@dataclass(frozen=True, slots=True)
class About:
    """What a task is about: its words, and the paths in it (relative to the root)."""

    words: str
    paths: tuple[str, ...] = ()


def most_relevant(facts: Sequence[Fact], about: About, room: int, length: Callable[[Fact], int]) -> list[Fact]:
    """The facts to tell, the most relevant first, as many as fit; ``length``: the characters that one takes."""
    summaries = sorted((one for one in facts if one.category == SUMMARIES), key=lambda one: one.at, reverse=True)
    rest = [one for one in facts if one.category != SUMMARIES]
    ranked = [*_ranked(rest, about), *summaries[:_MOST_SUMMARIES]]
    kept: list[Fact] = []
    for one in ranked:
        size = length(one)
        if size <= room:
            kept.append(one)
            room -= size
    return kept


def _ranked(facts: Iterable[Fact], about: About) -> list[Fact]:
    facts = sorted(facts, key=lambda one: (one.at, one.id))
    wanted = words_of(" ".join([about.words, *about.paths]))
    words = {one.id: words_of(f"{one.text} {one.source}") for one in facts}
    often = Counter(word for found in words.values() for word in found)
    score = {
        one.id: sum(2.0 / often[word] + min(len(word), 8) / 8 for word in words[one.id] & wanted)
        + max((_shared_path(one, path) for path in about.paths), default=0.0)
        + _NEWEST * number / max(len(facts), 1)
        for number, one in enumerate(facts)
    }
    return sorted(facts, key=lambda one: (-score[one.id], one.at, one.id))


def _shared_path(one: Fact, path: str) -> float:
    """What a fact has to do with a path."""
    told = f"{one.text} {one.source}"
    folder, _, name = path.rpartition("/")
    if path and path in told:
        return _PATH
    if name and name in told:
        return _NAME
    return _FOLDER if folder and f"{folder}/" in told else 0.0
