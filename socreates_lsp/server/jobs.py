"""The one table of running jobs, where every cancel meets: by request id, by progress token, by target."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Coroutine, Hashable

    from socreates_lsp.review.outcome import Outcome


class CancelledBy(StrEnum):
    """Who ended a job early; it decides what the request is answered."""

    REQUEST = "request"
    PROGRESS = "progress"
    SUCCESSOR = "successor"
    SHUTDOWN = "shutdown"


@dataclass(eq=False, slots=True)
class Job:
    """One review on its way. ``target``, once it is known, is what a newer job for the same thing replaces."""

    request_id: int | str | None
    tokens: set[int | str] = field(default_factory=set[int | str])
    cancelled_by: CancelledBy | None = None
    task: asyncio.Task[Outcome] | None = None
    target: Hashable = None
    number: int = 0

    def cancel(self, by: CancelledBy) -> None:
        """End the job; the first one to say so counts.

        The task takes its first step before it hears of it, so that its work can say that it was cancelled.
        """
        if self.task is not None and not self.task.done() and self.cancelled_by is None:
            self.cancelled_by = by
            asyncio.get_running_loop().call_soon(self.task.cancel)


class JobTable:
    """All jobs that run."""

    def __init__(self) -> None:
        """Start with none."""
        self._jobs: set[Job] = set()
        self._numbers = count(1)

    def start(self, job: Job, work: Coroutine[Any, Any, Outcome]) -> asyncio.Task[Outcome]:
        """Run a job's work. From here on every cancel finds it."""
        job.number = next(self._numbers)
        self._jobs.add(job)
        job.task = asyncio.create_task(work)
        job.task.add_done_callback(lambda _: self._jobs.discard(job))
        return job.task

    def claim(self, job: Job, target: Hashable) -> None:
        """The job now knows what it is about: of all jobs for the same, only the newest goes on."""
        job.target = target
        rivals = sorted((other for other in self._jobs if other.target == target), key=lambda other: other.number)
        for older in rivals[:-1]:
            older.cancel(CancelledBy.SUCCESSOR)

    def cancel_request(self, request_id: int | str) -> bool:
        """``$/cancelRequest``. False if no job runs under that id."""
        return self._cancel([job for job in self._jobs if job.request_id == request_id], CancelledBy.REQUEST)

    def cancel_progress(self, token: int | str) -> bool:
        """``window/workDoneProgress/cancel``. False if no job runs under that token."""
        return self._cancel([job for job in self._jobs if token in job.tokens], CancelledBy.PROGRESS)

    def cancel_all(self) -> list[asyncio.Task[Outcome]]:
        """At shutdown. Returns the tasks to wait for."""
        self._cancel(list(self._jobs), CancelledBy.SHUTDOWN)
        return [job.task for job in self._jobs if job.task is not None]

    def running(self) -> int:
        """How many jobs run."""
        return len(self._jobs)

    def _cancel(self, jobs: list[Job], by: CancelledBy) -> bool:
        for job in jobs:
            job.cancel(by)
        return bool(jobs)
