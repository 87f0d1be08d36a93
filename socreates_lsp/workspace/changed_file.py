"""A file that differs from a revision, and which of them are one file that was renamed. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from socreates_lsp.workspace.difference import Hunk, hunks_between, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.workspace.text import Text

_ALIKE = 0.5
"""The share of common lines from which a deleted and a new file are one file that was renamed (as git does)."""

_MOST_PAIRS = 4000
"""Pairs of a deleted and a new file that are compared line by line."""


class Status(StrEnum):
    """What happened to a file."""

    ADDED = "added"
    MODIFIED = "modified"
    RENAMED = "renamed"
    DELETED = "deleted"
    UNTRACKED = "untracked"


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that differs from the base.

    ``path`` is relative to the root with forward slashes (for a deleted file, where it was); ``old_path`` is set
    for a renamed one. ``old`` and ``new`` are the two texts, None where there is none. ``reason`` is a sentence
    on why a text was not read; there are no hunks then.
    """

    path: str
    old_path: str | None
    status: Status
    binary: bool = False
    hunks: tuple[Hunk, ...] = ()
    reason: str | None = None
    old: Text | None = field(default=None, repr=False, compare=False)
    new: Text | None = field(default=None, repr=False, compare=False)


def with_text(change: ChangedFile, new: Text) -> ChangedFile:
    """The change as it is with another new text, such as that of an open buffer."""
    return replace(change, new=new, hunks=hunks_between(change.old, new), binary=False, reason=None)


def renamed(changed: Sequence[ChangedFile]) -> Iterator[ChangedFile]:
    """Join a deleted and a new file with mostly the same lines into one that was renamed."""
    gone = [change for change in changed if change.status is Status.DELETED and change.old is not None]
    born = [
        change for change in changed if change.status in {Status.ADDED, Status.UNTRACKED} and change.new is not None
    ]
    pairs = _pairs(gone, born)
    sources = set(pairs.values())
    for change in changed:
        old_path = pairs.get(change.path)
        if old_path is not None:
            old = next(one.old for one in gone if one.path == old_path)
            yield replace(
                change, status=Status.RENAMED, old_path=old_path, old=old, hunks=hunks_between(old, change.new)
            )
        elif change.path not in sources:
            yield change


def _pairs(gone: list[ChangedFile], born: list[ChangedFile]) -> dict[str, str]:
    """New paths with the old paths they had, the most alike first."""
    if not gone or not born or len(gone) * len(born) > _MOST_PAIRS:
        gone_by_text = {change.old.content: change for change in gone if change.old is not None}
        same = ((new, gone_by_text.get(new.new.content)) for new in born if new.new is not None)
        return {new.path: old.path for new, old in same if old is not None}
    old_lines = {old.path: _counted(old.old) for old in gone}
    new_lines = {new.path: _counted(new.new) for new in born}
    scored = sorted(
        ((_likeness(before, after), new, old) for old, before in old_lines.items() for new, after in new_lines.items()),
        key=lambda entry: (-entry[0], entry[1], entry[2]),
    )
    pairs: dict[str, str] = {}
    for score, new, old in scored:
        if score >= _ALIKE and new not in pairs and old not in pairs.values():
            pairs[new] = old
    return pairs


def _counted(text: Text | None) -> dict[str, int]:
    counted: dict[str, int] = {}
    for line in text_lines(text):
        key = line.strip()
        if key:
            counted[key] = counted.get(key, 0) + 1
    return counted


def _likeness(before: dict[str, int], after: dict[str, int]) -> float:
    """The share of lines that two texts have in common, between 0 and 1."""
    longest = max(sum(before.values()), sum(after.values()))
    common = sum(min(count, after.get(line, 0)) for line, count in before.items())
    return common / longest if longest else 0.0
