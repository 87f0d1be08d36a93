"""The points of one turn on their way to the reader: grounded beside the loop, each shown once, up to the cap."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from socreates_lsp.agent.citable import Citable, files_of
from socreates_lsp.agent.findings import Grounder
from socreates_lsp.agent.leads import Leads
from socreates_lsp.review.question_labels import Labels

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Iterator

    from socreates_lsp.agent.answered import Answered
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import Found
    from socreates_lsp.workspace.workspace import Workspace

_GROUNDING = ThreadPoolExecutor(1, "grounding")
"""One thread for the answers of all reviews: each of several would take the interpreter's lock in turn, and the editor
would wait for all of them."""


class Points:
    """Takes what a model raises and writes. The files that it may cite are listed while it thinks."""

    def __init__(self, made: Coroutine[Any, Any, Grounder]) -> None:
        """``made`` gives whoever grounds them. Needs a running loop."""
        self._made = asyncio.ensure_future(made)
        self._given: list[str] = []

    @classmethod
    def about(
        cls,
        workspace: Workspace,
        root: str | None,
        current: str | None,
        *,
        suppress: bool,
        may_be_read: Callable[[str], bool],
        labels: Callable[[], Labels] = Labels,
    ) -> Points:
        """The points of a turn about a root. As for ``Grounder`` and ``Citable``; ``labels`` may take a while."""

        def made() -> Grounder:
            documents = Citable(workspace, root, files_of(root), may_be_read)
            grounder = Grounder(documents, current, suppress=suppress)
            grounder.labels = labels()
            return grounder

        return cls(asyncio.to_thread(made))

    def again(self) -> Points:
        """The points of another turn about the same files, where nothing has been raised yet."""

        async def afresh() -> Grounder:
            return (await self.grounder()).afresh()

        return Points(afresh())

    async def grounder(self) -> Grounder:
        """Whoever grounds them; there once the files are listed."""
        grounder = await asyncio.shield(self._made)
        grounder.has_read(self._given)
        return grounder

    def given(self, read: Iterable[str]) -> None:
        """These documents were given to the model, before it raises anything more; nobody waits for the listing."""
        self._given = list(dict.fromkeys((*self._given, *read)))

    @property
    def labels(self) -> Labels:
        """Those of the standing questions; none before the files are listed."""
        return self._made.result().labels if self._made.done() and not self._made.cancelled() else Labels()

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
        await _aside(grounder.heard, answer)

    async def finished(self, answer: str, read: Iterable[str]) -> Answered:
        """All points of a whole answer."""
        grounder = await self.grounder()
        grounder.has_read(read)
        await _aside(grounder.finished, answer)
        return grounder.answered

    def close(self) -> None:
        """Nobody waits for them any more."""
        self._made.cancel()


async def _aside(work: Callable[[str], object], answer: str) -> None:
    """Ground in the one thread for it."""
    await asyncio.get_running_loop().run_in_executor(_GROUNDING, work, answer)


_MOST_JOINED = 3
"""Questions on one place that are shown as one finding; more of them are counted."""


class Shown:
    """Which of the points the reader has seen: at most so many findings, none below a confidence. 0 shows all.

    Leads that the reader sees take a place, which a point that confirms one takes over.
    """

    def __init__(self, most: int, least: float, leads: Leads | None = None) -> None:
        """``most`` findings, of at least ``least`` confidence."""
        self._most = most
        self._least = least
        self._leads = Leads() if leads is None else leads
        self._looked_at = 0
        self._waiting: list[Found] = []
        self.findings: list[Finding] = []
        """Those that the reader saw first of each id, in their order."""
        self._joined: dict[str, int] = {}
        self._unsure: set[tuple[str, str]] = set()

    @property
    def left_out(self) -> tuple[Found, ...]:
        """The points that found no place."""
        return tuple(self._waiting)

    @property
    def too_general(self) -> int:
        """How many points were below the least confidence: those that would fit any file, or may stand elsewhere."""
        return len(self._unsure)

    def new(self, answered: Answered | None) -> Iterator[Found]:
        """What the reader has not seen yet; what found no place before comes first, as a lead may have left."""
        waiting, self._waiting = self._waiting, []
        fresh = [] if answered is None else answered.found[self._looked_at :]
        self._looked_at += len(fresh)
        return self.more([*waiting, *fresh])

    def more(self, points: Iterable[Found]) -> Iterator[Found]:
        """Of these points those that the reader sees, each as the finding that it is."""
        for point in points:
            finding = self._leads.confirmed(point.finding)
            if finding.confidence < self._least:
                self._unsure.add((finding.id, finding.message))
                continue
            joined = self._joined.get(finding.id, 0)
            if joined >= _MOST_JOINED or not (joined or self._leads.is_shown(finding.id) or self._has_room()):
                self._waiting.append(point)
                continue
            self._joined[finding.id] = joined + 1
            self.findings += [] if joined else [finding]
            yield replace(point, finding=finding)

    def _has_room(self) -> bool:
        own = sum(not self._leads.is_shown(finding_id) for finding_id in self._joined)
        return not self._most or own + self._leads.standing < self._most
