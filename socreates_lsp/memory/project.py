"""The project memory of a session: the facts of every root, for the model, for commands and for status.

``session.store`` off: nothing is read or written, and nothing is known.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from socreates_lsp.memory.encoding import now
from socreates_lsp.memory.fact import CATEGORIES, LONGEST, SUMMARIES, Fact, fact, one_line, several_lines
from socreates_lsp.memory.facts import Facts, Known
from socreates_lsp.memory.folders import state_folder
from socreates_lsp.memory.secrets import looks_secret

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from socreates_lsp.memory.facts import Noted
    from socreates_lsp.settings.schema import Settings

    Ask = Callable[[str, tuple[str, ...]], Awaitable[str | None]]

ACCEPT, REFUSE = "Accept them", "Not now"
_MOST_LISTED = 100
"""Facts of others that are listed."""


class UnfitFactError(ValueError):
    """A text that is not kept; the text of the error is the sentence that says why."""


class ProjectMemory:
    """See the module."""

    def __init__(self, settings: Callable[[], Settings], ask: Ask) -> None:
        """``ask`` puts a question to the user and gives the title that was chosen. Nothing is read yet."""
        self._settings = settings
        self._ask = ask
        self._facts: dict[str, Facts] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._state: Path | None = None
        self._opening = Lock()
        self._asked: set[str] = set()
        self._background: set[asyncio.Task[None]] = set()
        self.warnings: list[str] = []

    @property
    def is_on(self) -> bool:
        """Whether anything is remembered."""
        return self._settings().session.store

    def known(self, root: str | None) -> Known:
        """What is known of a root. Reads the disk: not for the event loop."""
        return Known() if root is None or not self.is_on else self.of(root).known()

    def of(self, root: str) -> Facts:
        """The facts of a root. May touch the disk."""
        with self._opening:
            if root not in self._facts:
                self._facts[root] = Facts(root, self.state)
            return self._facts[root]

    @property
    def state(self) -> Path:
        """The user's state folder. May touch the disk."""
        if self._state is None:
            self._state = state_folder().path
        return self._state

    # What is noted

    async def note(self, root: str, category: str, text: str, source: str, by: str) -> Noted:
        """Note a fact. Raises UnfitFactError for a text that is not kept."""
        new = fact(category, fitting(text), fitting(source, what="source") if source else "", now(), by)
        return await self._done(root, lambda facts: facts.add(new))

    async def keep_summary(self, root: str, summary: Fact) -> None:
        """Keep the summary of a session."""
        await self._done(root, lambda facts: facts.add(summary))

    async def edit(self, root: str, fact_id: str, text: str) -> Fact | None:
        """Give a fact the user's words; None if there is no such. Raises UnfitFactError."""
        known = await asyncio.to_thread(self.known, root)
        old = known.get(fact_id)
        if old is None:
            return None
        if old.category == SUMMARIES:
            for line in several_lines(text).split("\n"):
                fitting(line)
        else:
            fitting(text)
        noted = await self._done(root, lambda facts: facts.edit(fact_id, text))
        return None if noted is None else noted.fact

    async def forget(self, root: str, fact_ids: Iterable[str]) -> int:
        """Forget facts, of whomever; how many there were."""
        async with self._lock(root):
            count, warnings = await asyncio.to_thread(lambda: self.of(root).forget(fact_ids))
        self._warn(warnings)
        return count

    async def forget_sessions(self, root: str | None) -> None:
        """Forget what became of earlier sessions."""
        known = await asyncio.to_thread(self.known, root)
        summaries = [one.id for one in known.own if one.category == SUMMARIES]
        if root is not None and summaries:
            await self.forget(root, summaries)

    async def accept(self, root: str) -> int:
        """Let the facts of others count, as they are now; how many there were."""
        return await self._accept(root, (await asyncio.to_thread(self.known, root)).digests)

    def propose(self, root: str | None) -> None:
        """Ask the user once whether facts of others may count. Nobody waits for it."""
        if root is not None and root not in self._asked and self.is_on:
            self._asked.add(root)
            task = asyncio.create_task(self._propose(root))
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    async def _propose(self, root: str) -> None:
        known = await asyncio.to_thread(self.known, root)
        if not known.foreign:
            self._asked.discard(root)
            return
        count = len(known.foreign)
        question = (
            f"{Path(root).name} brings {count} {'note' if count == 1 else 'notes'} about itself that "
            f"{'was' if count == 1 else 'were'} not made on this machine (.socreates/memory.json). "
            "Accepted, a model is told them as what was noted earlier."
        )
        if await self._ask(question, (REFUSE, ACCEPT)) == ACCEPT:
            await self._accept(root, known.digests)

    async def _accept(self, root: str, digests: frozenset[str]) -> int:
        """Only what was there when the user was asked."""
        if digests:
            async with self._lock(root):
                warning = await asyncio.to_thread(lambda: self.of(root).accept(digests))
            self._warn(() if warning is None else (warning,))
        return len(digests)

    async def close(self) -> None:
        """End what nobody waits for."""
        for task in self._background:
            task.cancel()

    # What is told

    async def told(self, root: str) -> dict[str, Any]:
        """The memory of a root as a JSON object."""
        known = await asyncio.to_thread(self.known, root)
        mine = sorted(known.own, key=lambda one: one.at, reverse=True)
        return {
            "root": root,
            "file": (await asyncio.to_thread(self.of, root)).path,
            "on": self.is_on,
            "memory": {
                category: [_fields(one) for one in mine if one.category == category]
                for category in (*CATEGORIES, SUMMARIES)
            },
            "foreign": [{**_fields(one), "category": one.category} for one in known.foreign[:_MOST_LISTED]],
            "warnings": [*known.warnings, *(one for one in self.warnings if one not in known.warnings)],
        }

    async def status(self, root: str) -> dict[str, Any]:
        """For ``status``: how many facts count, and which wait for the user's word."""
        told = await self.told(root)
        known = await asyncio.to_thread(self.known, root)
        return {
            "root": root,
            "file": told["file"],
            "on": self.is_on,
            "held": len(known.own),
            "foreign": len(known.foreign),
            "waiting": told["foreign"],
            "warnings": told["warnings"],
        }

    async def _done(self, root: str, work: Callable[[Facts], Any]) -> Any:
        """Do something with the facts of a root, one thing at a time."""
        async with self._lock(root):
            noted = await asyncio.to_thread(lambda: work(self.of(root)))
        self._warn(() if noted is None else noted.warnings)
        return noted

    def _lock(self, root: str) -> asyncio.Lock:
        return self._locks.setdefault(root, asyncio.Lock())

    def _warn(self, sentences: Iterable[str]) -> None:
        self.warnings += [sentence for sentence in sentences if sentence not in self.warnings]


def fitting(text: str, *, what: str = "text") -> str:
    """A text on one line. Raises UnfitFactError for one that is empty, too long, or looks like a secret."""
    line = one_line(text, len(text) + 1)
    if not line:
        raise UnfitFactError(f"The {what} is empty: say in one sentence what is to be remembered.")
    if len(line) > LONGEST:
        raise UnfitFactError(f"The {what} has {len(line)} characters, and {LONGEST} are kept: say it in fewer words.")
    if looks_secret(text):
        raise UnfitFactError(f"The {what} looks as if it held a key, a token or a password: say it without the value.")
    return line


def _fields(one: Fact) -> dict[str, Any]:
    return {"id": one.id, "text": one.text, "source": one.source, "at": one.at, "by": one.by}
