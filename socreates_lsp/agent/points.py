"""The points of one turn on their way to the reader: grounded beside the loop, each shown once, up to the cap."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from socreates_lsp.agent.findings import Grounder, files_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from socreates_lsp.agent.findings import Answered
    from socreates_lsp.review.reviewer import Found
    from socreates_lsp.workspace.workspace import Workspace


class Points:
    """Takes what a model raises and writes. The files that it may cite are listed while it thinks."""

    def __init__(
        self,
        workspace: Workspace,
        root: str | None,
        current: str | None,
        *,
        suppress: bool,
        may_be_read: Callable[[str], bool],
    ) -> None:
        """As for ``Grounder``. Needs a running loop."""

        def made() -> Grounder:
            return Grounder(workspace, root, files_of(root), current, suppress=suppress, may_be_read=may_be_read)

        self._made = asyncio.ensure_future(asyncio.to_thread(made))
        self._given: list[str] = []

    async def grounder(self) -> Grounder:
        """Whoever grounds them; there once the files are listed."""
        grounder = await asyncio.shield(self._made)
        grounder.has_read(self._given)
        return grounder

    def given(self, read: Iterable[str]) -> None:
        """These documents were given to the model, before it raises anything more; nobody waits for the listing."""
        self._given = list(dict.fromkeys((*self._given, *read)))

    @property
    def answered(self) -> Answered | None:
        """What has come so far; None before the files are listed."""
        return self._made.result().answered if self._made.done() and not self._made.cancelled() else None

    def quotes(self, snippet: str) -> bool:
        """Whether a piece of code stands in what the model has read; no, as long as the files are being listed."""
        return self._made.done() and not self._made.cancelled() and self._made.result().quotes(snippet)

    async def has_read(self, read: Iterable[str]) -> None:
        """These documents were given to the model."""
        (await self.grounder()).has_read(read)

    async def heard(self, answer: str, read: Iterable[str]) -> None:
        """Look for points that have ended in an answer that is still being written: there is a gap behind them."""
        if "\n\n" not in answer[: answer.rfind("\n")]:
            return
        grounder = await self.grounder()
        grounder.has_read(read)
        await asyncio.to_thread(grounder.heard, answer)

    async def finished(self, answer: str, read: Iterable[str]) -> Answered:
        """All points of a whole answer."""
        grounder = await self.grounder()
        grounder.has_read(read)
        await asyncio.to_thread(grounder.finished, answer)
        return grounder.answered

    def close(self) -> None:
        """Nobody waits for them any more."""
        self._made.cancel()


_MOST_JOINED = 3
"""Questions on one place that are shown as one finding; more of them are counted."""


class Shown:
    """Which of the points the reader has seen: at most so many findings, none below a confidence. 0 shows all."""

    def __init__(self, most: int, least: float) -> None:
        """``most`` findings, of at least ``least`` confidence."""
        self._most = most
        self._least = least
        self._looked_at = 0
        self.ids: dict[str, int] = {}
        self.capped = 0
        """How many points were left out."""

    def new(self, answered: Answered | None) -> Iterator[Found]:
        """What the reader has not seen yet."""
        for found in () if answered is None else answered.found[self._looked_at :]:
            self._looked_at += 1
            if found.finding.confidence < self._least:
                continue
            joined = self.ids.get(found.finding.id, 0)
            room = not self._most or len(self.ids) < self._most
            if joined >= _MOST_JOINED or (not joined and not room):
                self.capped += 1
                continue
            self.ids[found.finding.id] = joined + 1
            yield found
