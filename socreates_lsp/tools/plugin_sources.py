"""Where plugins are: in the package, in the user's own folder, behind entry points. Never in a workspace.

Nothing of a plugin is run here. The file of one has its name, so that nothing has to be run to know which it is.
"""

from __future__ import annotations

import os
import stat
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

PACKAGE = Path(__file__).parent / "plugins"
GROUP = "socreates.tools"
"""The entry point group. An entry is named as its plugin, and leads to its class."""

_MOST_BYTES = 512 * 1024
_MOST_LISTED = 200


class Source(NamedTuple):
    """A plugin that is there. ``where`` says so to people; ``file`` holds it, or ``entry`` leads to it."""

    name: str
    where: str
    file: Path | None = None
    entry: metadata.EntryPoint | None = None


class UnusableSourceError(Exception):
    """A source that is not used; the text says why."""


def sources(folder: Path) -> list[Source]:
    """All plugins that there are, those of the package first, then those in ``folder`` of the user's config folder."""
    return [*_files(PACKAGE, "the package"), *_files(folder, str(folder)), *_entries()]


def outside(path: Path, roots: Iterable[str]) -> Path:
    """Where a path leads through all links. Raises UnusableSourceError if it, or the path, lies in one of the roots."""
    real = Path(os.path.realpath(path))
    for root in roots:
        for inside in (root, os.path.realpath(root)):
            if real.is_relative_to(inside) or Path(os.path.normpath(path)).is_relative_to(inside):
                raise UnusableSourceError(f"{path} lies in the workspace, which may not bring code along")
    return real


def content(source: Source, roots: Sequence[str]) -> tuple[bytes, str]:
    """The text of a plugin's file, and the file. Raises UnusableSourceError and OSError.

    The package's own is read wherever it is: whoever can change it can change everything else of ours.
    """
    assert source.file is not None
    real = source.file if source.file.parent == PACKAGE else outside(source.file, roots)
    # Without O_NONBLOCK a named pipe would hold the thread up for ever.
    descriptor = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise UnusableSourceError(f"{source.file} is no file")
        if facts.st_size > _MOST_BYTES:
            raise UnusableSourceError(f"{source.file} has more than {_MOST_BYTES // 1024} KB")
        return file.read(_MOST_BYTES), str(real)


def check_entry(entry: metadata.EntryPoint, roots: Sequence[str]) -> None:
    """Raises UnusableSourceError for an entry point whose code lies in a workspace, or cannot be found.

    Only the top package is looked for: to look for a module within it would run it.
    """
    top = entry.module.partition(".")[0]
    try:
        found = util.find_spec(top)
    except (ImportError, ValueError) as error:
        raise UnusableSourceError(f"the module {top} cannot be found ({type(error).__name__})") from None
    if found is None:
        raise UnusableSourceError(f"there is no module {top}")
    places = [*(found.submodule_search_locations or ()), *([found.origin] if found.has_location else [])]
    if entry.dist is not None:
        places.append(str(entry.dist.locate_file("")))
    for place in filter(None, places):
        outside(Path(place), roots)


def _files(folder: Path, where: str) -> Iterator[Source]:
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(".py"))
    except OSError:
        return
    for name in names[:_MOST_LISTED]:
        if not name.startswith("_"):
            yield Source(name.removesuffix(".py"), where, file=folder / name)


def _entries() -> Iterator[Source]:
    found = sorted(metadata.entry_points(group=GROUP), key=lambda one: (one.name, one.value))
    for entry in found[:_MOST_LISTED]:
        of = "another package" if entry.dist is None else entry.dist.name
        yield Source(entry.name, f"the package {of}", entry=entry)
