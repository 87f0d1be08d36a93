"""Where files went that are no longer where they were, by git: renames that were committed and those that were not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace.git import Tree, changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_MOST_PATHS = 50
"""Files that are looked for at once; each may cost a walk through the history."""

_MOST_STEPS = 20
"""Renames, one after the other, that are followed."""


class Moves:
    """Follows renames below one root. What the history says of a path is remembered for as long as HEAD stays."""

    def __init__(self, root: Path) -> None:
        """Nothing is read yet."""
        self._root = root
        self._head = ""
        self._known: dict[str, str | None] = {}

    def of(self, paths: Iterable[str]) -> dict[str, str]:
        """The new paths of files that are gone, by their old ones; without those that nobody knows of.

        All paths are relative to the root with forward slashes. Runs git, and raises nothing: without git or a
        repository nothing is known.
        """
        wanted = sorted(set(paths))[:_MOST_PATHS]
        if not wanted:
            return {}
        try:
            tree = Tree(self._root)
            head = tree.revision(None)
            if head != self._head:
                self._head, self._known = head, {}
            committed = {path: self._followed(tree, path) for path in wanted}
            missing = [path for path in committed.values() if not os.path.lexists(self._root / path)]
            uncommitted: Mapping[str, str] = _uncommitted(self._root) if missing else {}
        except TargetError:
            return {}
        found = {old: uncommitted.get(new, new) for old, new in committed.items()}
        return {old: new for old, new in found.items() if new != old and os.path.lexists(self._root / new)}

    def _followed(self, tree: Tree, path: str) -> str:
        """The path that a file has in HEAD by all renames since."""
        for _ in range(_MOST_STEPS):
            if path not in self._known:
                self._known[path] = _renamed_to(tree, path)
            new = self._known[path]
            if new is None:
                break
            path = new
        return path


def _uncommitted(root: Path) -> Mapping[str, str]:
    return {change.old_path: change.path for change in changes(root) if change.old_path is not None}


def _renamed_to(tree: Tree, path: str) -> str | None:
    """The new name that the last commit which took a file away gave to it; None if it is there, or is just gone."""
    whole = tree.prefix + path
    code, listed, _ = tree.git.attempt("ls-tree", "--full-tree", "-z", "HEAD", "--", whole)
    if code != 0 or listed:
        return None
    code, commit, _ = tree.git.attempt(
        "log", "-1", "--format=%H", "--no-renames", "--diff-filter=D", "HEAD", "--", whole
    )
    if code != 0 or not commit.strip():
        return None
    code, named, _ = tree.git.attempt(
        "diff-tree", "-r", "-M", "--root", "--no-commit-id", "--no-ext-diff", "--no-textconv", "--no-relative",
        "--name-status", "-z", "--diff-filter=R", commit.decode().strip(),
    )  # fmt: skip
    if code != 0:
        return None
    fields = iter(named.split(b"\0"))
    for letter in fields:
        if not letter.startswith(b"R"):
            continue
        old, new = os.fsdecode(next(fields, b"")), os.fsdecode(next(fields, b""))
        if old == whole and new.startswith(tree.prefix):
            return new.removeprefix(tree.prefix)
    return None
