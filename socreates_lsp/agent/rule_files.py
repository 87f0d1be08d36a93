"""The files in which a project states its conventions: where they lie, and for which files they are meant.

Paths are relative to the root with forward slashes, names as they stand on disk. Touches the disk: not for the event
loop. What the files say is material like any other file; of the front matter only patterns and a description are read,
to tell for what a file is meant.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.tools.paths import below

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NAMES = ("agents.md", "claude.md", ".cursorrules", "contributing.md")
_GITHUB = ("copilot-instructions.md", "contributing.md")
_SUFFIXES = (".mdc", ".instructions.md")
_MOST_ENTRIES = 20_000
"""Entries of one folder that are looked at."""
_MOST_FOLDERS = 64
"""Folders around the files of a task that are looked into."""
_MOST_FILES = 40
_DEEPEST = 3
"""Folders below ``.cursor/rules`` and ``.github/instructions``."""


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A file that states conventions; ``base`` is the folder that its patterns are relative to, empty for the root."""

    path: str
    base: str


def is_rule_file(path: str) -> bool:
    """Whether a file states conventions, by its name."""
    folded = path.casefold()
    return folded.rpartition("/")[2] in {*_NAMES, *_GITHUB} or folded.endswith(_SUFFIXES)


def rule_files(root: str, targets: Iterable[str]) -> list[RuleFile]:
    """The files that may state conventions for some files: those in the nearest folders first, the root's last.

    Args:
        root: absolute.
        targets: relative paths; none means the root itself.
    """
    found: list[RuleFile] = []
    for folder in _folders(targets):
        found += _of_folder(root, folder)
        if len(found) >= _MOST_FILES:
            break
    return found[:_MOST_FILES]


def _folders(targets: Iterable[str]) -> list[str]:
    """The folders of the targets and all around them, those that are near to one of them first, deep before flat."""
    distance: dict[str, int] = {}
    for target in targets:
        parts = target.split("/")[:-1]
        for length in range(len(parts) + 1):
            folder = "/".join(parts[:length])
            distance[folder] = min(distance.get(folder, len(parts) - length), len(parts) - length)
    near = sorted(distance, key=lambda folder: (distance[folder], -folder.count("/") - bool(folder), folder))
    nearest = near[: _MOST_FOLDERS - 1]
    return nearest if "" in nearest else [*nearest, ""]


def _of_folder(root: str, folder: str) -> Iterator[RuleFile]:
    names = _entries(root, folder)
    order = sorted(names, key=lambda name: (_rank(name), name))
    last = [name for name in order if name.casefold() == _NAMES[-1]]
    for name in order:
        if name.casefold() in _NAMES[:-1]:
            yield RuleFile(_below(folder, name), folder)
    for name in (name for name in order if name.casefold() == ".cursor"):
        yield from (RuleFile(path, folder) for path in _all(root, _below(folder, name), "rules", _SUFFIXES[0]))
    for name in (name for name in order if name.casefold() == ".github"):
        github = _below(folder, name)
        own = sorted(_entries(root, github), key=lambda one: (one.casefold() == _NAMES[-1], one))
        yield from (RuleFile(_below(github, one), folder) for one in own if one.casefold() in _GITHUB)
        yield from (RuleFile(path, folder) for path in _all(root, github, "instructions", _SUFFIXES[1]))
    yield from (RuleFile(_below(folder, name), folder) for name in last)


def _rank(name: str) -> int:
    folded = name.casefold()
    return _NAMES.index(folded) if folded in _NAMES else len(_NAMES)


def _all(root: str, folder: str, name: str, suffix: str) -> list[str]:
    """The files of a kind in a folder of this name, and in those below it."""
    found: list[str] = []
    level = [_below(folder, one) for one in _entries(root, folder) if one.casefold() == name]
    for _ in range(_DEEPEST):
        inside = [_below(one, entry) for one in level[:_MOST_FOLDERS] for entry in _entries(root, one)]
        found += [path for path in inside if path.casefold().endswith(suffix)]
        level = [path for path in inside if "." not in path.rpartition("/")[2]]
    return sorted(found)[:_MOST_FILES]


def _entries(root: str, folder: str) -> list[str]:
    """The names in a folder, as they are on disk; none of what cannot be listed, or lies outside of the root."""
    path = os.path.realpath(Path(root, folder))
    if below(path, os.path.realpath(root)) is None:
        return []
    try:
        with os.scandir(path) as entries:
            return sorted(entry.name for entry in islice(entries, _MOST_ENTRIES))
    except (OSError, ValueError):
        return []


def _below(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
