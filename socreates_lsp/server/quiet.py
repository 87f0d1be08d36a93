"""One message per cause and minute."""

from __future__ import annotations

import time

QUIET_S = 60.0
"""One message per cause in this many seconds."""

_MOST = 1000
"""Causes that are remembered; more than that in a minute is a flood, of which the oldest may be told again."""


class Quiet:
    """Remembers what was told of late."""

    def __init__(self) -> None:
        """Nothing was told yet."""
        self._told: dict[str, float] = {}

    def first(self, cause: str) -> bool:
        """Whether a cause was not told in the last minute; it counts as told from now on."""
        now = time.monotonic()
        if now - self._told.get(cause, -QUIET_S) < QUIET_S:
            return False
        self._told.pop(cause, None)
        self._told[cause] = now
        while len(self._told) > _MOST or now - next(iter(self._told.values())) >= QUIET_S:
            del self._told[next(iter(self._told))]
        return True
