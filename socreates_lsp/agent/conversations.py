"""All conversations of a session, one for each root, and what they share: the user's folders and the day's usage,
the project memory and the plugins."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from socreates_lsp.agent.conversation import Conversation
from socreates_lsp.agent.session_summary import mark, session_of
from socreates_lsp.memory.day import DayUsage
from socreates_lsp.memory.egress import Egress
from socreates_lsp.memory.fact import SUMMARIES
from socreates_lsp.memory.folders import state_folder
from socreates_lsp.memory.own import Own
from socreates_lsp.memory.settled import settled_since
from socreates_lsp.memory.transcript import open_transcript
from socreates_lsp.settings import config_folder

if TYPE_CHECKING:
    from pathlib import Path

    from socreates_lsp.agent.session_summary import Session
    from socreates_lsp.memory.project import ProjectMemory
    from socreates_lsp.model.types import Message
    from socreates_lsp.settings import SessionSettings
    from socreates_lsp.tools.plugin_set import PluginSet


_WAIT_S = 0.2
"""How long another process may write down its turns."""


class Conversations:
    """Opened when first needed, as they read the disk."""

    def __init__(self, memory: ProjectMemory | None = None, plugins: PluginSet | None = None) -> None:
        """Open nothing yet."""
        self.memory = memory
        self.plugins = plugins
        self.sessions: dict[str, Session] = {}
        """Sessions that a model may sum up better, by root."""
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
                await self._summarise(root)
            return self._of[root]

    def _open(self, root: str | None, settings: SessionSettings) -> Conversation:
        transcript = open_transcript(root, settings, state=self.state)
        egress = Egress(root, settings, state=self.state)
        return Conversation(root, transcript, egress, config_folder())

    async def reset(self, root: str | None, settings: SessionSettings, *, purge: bool) -> str | None:
        """Start the conversation of a root anew; the name of the archive, None if there was nothing to keep."""
        conversation = await self.of(root, settings)
        if purge and root is not None and self.memory is not None:
            self.sessions.pop(root, None)
            await self.memory.forget_sessions(root)
        else:
            await self._summarise(root)
        conversation.forget()
        return await asyncio.to_thread(conversation.transcript.reset, purge)

    async def _summarise(self, root: str | None) -> None:
        """Remember what the turns that there are were about, as far as no summary says so yet."""
        memory = self.memory
        if root is None or memory is None or not memory.is_on or not self._of[root].transcript.turns:
            return
        session = await asyncio.to_thread(self._session, root, memory)
        if session is not None:
            await memory.keep_summary(root, session.summary)
            if session.is_worth_a_call:
                self.sessions[root] = session

    def _session(self, root: str, memory: ProjectMemory) -> Session | None:
        known = memory.known(root)
        since = max((one.at for one in known.own if one.category == SUMMARIES), default="")
        turns, own = self._of[root].transcript.turns, self._own(root)
        session = session_of(turns, known, settled_since(root, memory.state, since), own.digests())
        if session is not None:
            own.change(drop=map(mark, session.turns))
        return session

    def said(self, root: str | None, turn: tuple[Message, ...]) -> None:
        """A turn was said on this machine: it may be remembered."""
        if root is not None and self.memory is not None and self.memory.is_on:
            self._own(root).change(add=[mark(turn)])

    def _own(self, root: str) -> Own:
        return Own(root, self.state, name="own-turns.json", patience=_WAIT_S)

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
