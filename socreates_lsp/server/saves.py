"""Looks again at the findings of files that were saved, in the background; several quick saves become one look."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session

_QUIET_S = 0.3
"""How long a file must not be saved again before it is looked at."""


class Saves:
    """One look for each document at most; a newer save ends the one that runs."""

    def __init__(self, session: Session) -> None:
        """Nothing was saved yet."""
        self._session = session
        self._looks: dict[str, asyncio.Task[None]] = {}

    def saved(self, uri: str) -> None:
        """A document was saved: look again in a moment."""
        running = self._looks.pop(uri, None)
        if running is not None:
            running.cancel()
        if self._session.app.store.of(uri):
            self._looks[uri] = self._session.spawn(self._look(uri))

    async def _look(self, uri: str) -> None:
        await asyncio.sleep(_QUIET_S)
        session = self._session
        try:
            if await session.app.look_again(uri):
                session.publisher.publish_soon(uri)
        finally:
            if self._looks.get(uri) is asyncio.current_task():
                del self._looks[uri]
