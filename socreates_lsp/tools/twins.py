"""Hard links: a file that is kept from the model may have a second name in the root that no pattern matches.

Which names a file has can only be learned by looking at all of them, so this is done once, when the first file with
more than one name is met, and for as many entries as a root of common size has. A name outside of the root, or one
beyond the limit, can't be known. Everything here touches the disk.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from socreates_lsp.tools.paths import office
from socreates_lsp.workspace.leash import go_on

if TYPE_CHECKING:
    from socreates_lsp.tools.paths import Paths

_MOST_ENTRIES = 200_000
"""Entries of a root that are looked at."""

_NOT_ENTERED = frozenset({"node_modules", "__pycache__", ".venv", "venv"})
"""Folders of packages, whose files often are hard links into a store, and of which there are very many."""


class Twins:
    """The files of a root that are kept from the model and have other names."""

    def __init__(self, paths: Paths) -> None:
        """Look at nothing yet."""
        self._paths = paths
        self._kept: dict[tuple[int, int], str] | None = None

    def of(self, path: str) -> str | None:
        """The relative path of the kept file that a path (through all links) is another name of; None if it is not."""
        try:
            facts = os.lstat(path)
        except (OSError, ValueError):
            return None
        if facts.st_nlink < 2 or not stat.S_ISREG(facts.st_mode):
            return None
        if self._kept is None:
            self._kept = self._found()
        return self._kept.get((facts.st_dev, facts.st_ino))

    def _found(self) -> dict[tuple[int, int], str]:
        found: dict[tuple[int, int], str] = {}
        seen = 0
        root = self._paths.real_root
        for here, folders, names in os.walk(root):
            go_on()
            inside = os.path.relpath(here, root).replace(os.sep, "/")
            folders[:] = [name for name in folders if name not in _NOT_ENTERED and office(name) is None]
            seen += len(names)
            if seen > _MOST_ENTRIES:
                break
            for name in names:
                relative = name if inside == "." else f"{inside}/{name}"
                if self._paths.denies(relative):
                    self._add(found, os.path.join(here, name), relative)  # noqa: PTH118
        return found

    @staticmethod
    def _add(found: dict[tuple[int, int], str], path: str, relative: str) -> None:
        try:
            facts = os.lstat(path)
        except OSError:
            return
        if facts.st_nlink > 1 and stat.S_ISREG(facts.st_mode):
            found[facts.st_dev, facts.st_ino] = relative
