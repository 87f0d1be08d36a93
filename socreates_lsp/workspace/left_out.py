"""What git calls changed although there is no text to read in it: it is told, so that silence can be trusted."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace.git import LINK, SUBMODULE, Entry, Tree, counts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What git calls changed and ``changes`` leaves out: paths relative to the root, sorted.

    ``respelled`` are the same line by line (other line ends, another encoding), ``links`` are symbolic links,
    ``submodules`` are at another commit or have changes of their own.
    """

    respelled: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    submodules: tuple[str, ...] = ()


def left_out(root: Path, base: str | None, within: Sequence[Path], known: Collection[str]) -> LeftOut:
    """What ``changes`` says nothing of; ``known`` are the paths that it told. Raises TargetError as it does."""
    tree = Tree(root)

    def named(paths: Iterable[str]) -> tuple[str, ...]:
        ours = (path for path in paths if counts(path, tree.prefix, root, within))
        return tuple(sorted({path.removeprefix(tree.prefix) for path in ours} - set(known)))

    modes = _modes(tree, base)
    respelled = _respelled(tree, [entry for entry in tree.entries(base) if named([entry.path])])
    links = (path for path, both in modes.items() if LINK in both)
    moved = {path for path, both in modes.items() if SUBMODULE in both}
    return LeftOut(named(respelled), named(links), named([*moved, *_dirty(tree, moved)]))


def _modes(tree: Tree, base: str | None) -> dict[str, frozenset[str]]:
    """The paths that differ, each with its old and new mode. Of a submodule only the commit it is at is looked at."""
    fields = iter(tree.raw(base, submodules="dirty").split(b"\0"))
    heads = ((head, next(fields)) for head in fields if head.startswith(b":"))
    return {os.fsdecode(path): frozenset(head[1:].decode().split(" ")[:2]) for head, path in heads}


def _respelled(tree: Tree, entries: list[Entry]) -> Iterator[str]:
    """Those of the paths whose bytes differ although no line does."""
    entries = [entry for entry in entries if entry.blob and not entry.deleted]
    blobs = tree.blobs({entry.blob for entry in entries})
    for entry in entries:
        file = tree.top / entry.path
        old = blobs.get(entry.blob)
        if not isinstance(old, bytes) or file.is_symlink() or not file.is_file():
            continue
        if tree.changed(entry, blobs) is None and file.read_bytes() != old:
            yield entry.path


def _dirty(tree: Tree, moved: set[str]) -> Iterator[str]:
    """The submodules with changes of their own. Git is run in each as in ours, which trusts no configuration."""
    for line in tree.git.output("ls-files", "--stage", "-z", *tree.where).split(b"\0"):
        head, _, name = line.partition(b"\t")
        path = os.fsdecode(name)
        if head.startswith(SUBMODULE.encode()) and path not in moved and os.path.lexists(tree.top / path / ".git"):
            try:
                dirty = bool(Tree(tree.top / path, tree.workspace).entries(None))
            except TargetError:
                dirty = True  # nobody knows, so it is told
            if dirty:
                yield path
