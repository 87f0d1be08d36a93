"""All conversations of a session, one for each root, and what they share: the user's folders and the day's usage."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from socreates_lsp.agent.conversation import Conversation
from socreates_lsp.memory.day import DayUsage
from socreates_lsp.memory.egress import Egress
from socreates_lsp.memory.folders import state_folder
from socreates_lsp.memory.transcript import open_transcript
from socreates_lsp.settings import config_folder

if TYPE_CHECKING:
    from pathlib import Path

    from socreates_lsp.settings import SessionSettings


class Conversations:
    """Opened when first needed, as they read the disk."""

    def __init__(self) -> None:
        """Open nothing yet."""
        self._of: dict[str | None, Conversation] = {}
        self._lock = asyncio.Lock()
        self.state: Path
        self.state, warning = state_folder()
        self.warnings = [] if warning is None else [warning]
        self.day = DayUsage(self.state)

    async def of(self, root: str | None, settings: SessionSettings) -> Conversation:
        """The conversation of a root."""
        async with self._lock:
            if root not in self._of:
                self._of[root] = await asyncio.to_thread(self._open, root, settings)
            return self._of[root]

    def _open(self, root: str | None, settings: SessionSettings) -> Conversation:
        transcript = open_transcript(root, settings, state=self.state)
        egress = Egress(root, settings, state=self.state)
        return Conversation(root, transcript, egress, config_folder())

    async def reset(self, root: str | None, settings: SessionSettings, *, purge: bool) -> str | None:
        """Start the conversation of a root anew; the name of the archive, None if there was nothing to keep."""
        conversation = await self.of(root, settings)
        conversation.forget()
        return await asyncio.to_thread(conversation.transcript.reset, purge)

    async def told(self, root: str | None, settings: SessionSettings) -> dict[str, Any]:
        """What there is to know of the conversation of a root: its file, its turns, what went wrong with it."""
        conversation = await self.of(root, settings)
        path = conversation.transcript.path
        return {
            "file": None if path is None else str(path),
            "turns": len(conversation.turns),
            "warnings": [*self.warnings, *conversation.transcript.warnings],
        }

    def close(self) -> None:
        """Let go of all files."""
        for conversation in self._of.values():
            conversation.transcript.close()
            conversation.egress.close()
