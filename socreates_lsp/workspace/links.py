"""Where paths lead through symbolic links, remembered, as it is asked for with every finding. Looks at the disk."""

from __future__ import annotations

import os

_MOST = 20_000


class Links:
    """The real paths of absolute ones."""

    def __init__(self) -> None:
        """Nothing is looked up yet."""
        self._real: dict[str, str] = {}

    def real(self, path: str) -> str:
        """Where a path leads; itself where that cannot be told."""
        known = self._real.get(path)
        if known is None:
            if len(self._real) >= _MOST:
                self._real.clear()
            known = self._real[path] = path if "\0" in path else os.path.normpath(os.path.realpath(path))
        return known

    def forget(self) -> None:
        """Links may lead elsewhere by now."""
        self._real.clear()
