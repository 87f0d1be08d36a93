"""A tree of files as lines of text: folders first, sizes, and what is too much summed up. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from socreates_lsp.tools.paths import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LARGE = 100
"""Files of one folder from which it is summed up, unless it is the one that was asked for."""

_SHOWN_OF_LARGE = 20


@dataclass(slots=True)
class Folder:
    """A folder: its own files with their sizes in bytes, its folders, and the sums of all below."""

    files: dict[str, int] = field(default_factory=dict[str, int])
    folders: dict[str, Folder] = field(default_factory=dict[str, "Folder"])
    count: int = 0
    size: int = 0

    @property
    def height(self) -> int:
        """How many levels there are below; 1 for a folder with files only."""
        return 1 + max((folder.height for folder in self.folders.values()), default=0)


def tree_of(sizes: Iterable[tuple[str, int]]) -> Folder:
    """The tree of files, given with their paths (forward slashes) and sizes."""
    top = Folder()
    for path, size in sizes:
        *parents, name = path.split("/")
        folder = top
        for part in (*parents, None):
            folder.count += 1
            folder.size += size
            if part is not None:
                folder = folder.folders.setdefault(part, Folder())
        folder.files[name] = size
    return top


def lines_of(folder: Folder, depth: int, indent: str = "") -> Iterator[str]:
    """The lines of a tree down to so many levels; folders below are summed up."""
    for name, inner in sorted(folder.folders.items()):
        if depth <= 1:
            yield f"{indent}{named(name)}/ ({counted(inner.count, 'file')}, {human(inner.size)})"
        else:
            yield f"{indent}{named(name)}/"
            yield from lines_of(inner, depth - 1, f"{indent}  ")
    names = sorted(folder.files)
    few = names if not indent or len(names) <= _LARGE else names[:_SHOWN_OF_LARGE]
    yield from (f"{indent}{named(name)} ({human(folder.files[name])})" for name in few)
    if len(few) < len(names):
        rest = sum(folder.files[name] for name in names[len(few) :])
        yield f"{indent}[{len(names) - len(few):,} more files in this folder, {human(rest)}]"


def counted(number: int, what: str) -> str:
    """A number with its word."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def human(size: int) -> str:
    """A size in bytes, for people."""
    if size < 1000:
        return f"{size} B"
    return f"{size / 1e3:.1f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"
