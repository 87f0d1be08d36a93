"""Work-done progress: every begin has one end, whatever happens in between."""

from __future__ import annotations

import asyncio
import time
import uuid
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from socreates_lsp.server.jobs import Job
    from socreates_lsp.server.session import Session

_EVERY_S = 0.1
"""Reports come at most this often."""


class Progress:
    """One progress of one job. Without a token it does nothing."""

    def __init__(self, session: Session, token: int | str | None, title: str) -> None:
        """``token`` None means that the client can't show any."""
        self._session = session
        self._token = token
        self._title = title
        self._begun = False
        self._ended = False
        self._last = 0.0
        self._later: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Begin, unless the work has ended already (a slow answer to our create)."""
        if self._token is not None and not self._begun and not self._ended:
            self._begun = True
            self._send(types.WorkDoneProgressBegin(title=self._title, cancellable=True))

    def report(self, message: str, percentage: int | None = None) -> None:
        """Say what is done at this moment; of what comes too fast, the last is said a little later."""
        if not self._begun or self._ended:
            return
        self._forget()
        wait = self._last + _EVERY_S - time.monotonic()
        if wait > 0:
            self._later = asyncio.get_running_loop().call_later(wait, self._report, message, percentage)
        else:
            self._report(message, percentage)

    def _report(self, message: str, percentage: int | None) -> None:
        self._last = time.monotonic()
        self._send(types.WorkDoneProgressReport(message=message, percentage=percentage, cancellable=True))

    def _forget(self) -> None:
        """What was to be said later is out of date."""
        if self._later is not None:
            self._later.cancel()
            self._later = None

    def end(self, message: str) -> None:
        """End; once, and only after a begin."""
        self._forget()
        if self._begun and not self._ended:
            self._send(types.WorkDoneProgressEnd(message=message))
        self._ended = True

    def _send(
        self, value: types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd
    ) -> None:
        assert self._token is not None
        self._session.server.progress(types.ProgressParams(token=self._token, value=value))


class Ending:
    """The words that a progress ends with; whoever does the work sets them."""

    message = "Stopped."


@asynccontextmanager
async def work_done(
    session: Session, job: Job, token: int | str | None, title: str
) -> AsyncGenerator[tuple[Progress, Ending], None]:
    """Show progress around some work.

    A token of the client is always used. Else one of ours, a string (Zed's client wants strings), begun only
    once the client has accepted it, which the work does not wait for.
    """
    ending = Ending()
    if token is not None:
        progress = Progress(session, token, title)
        job.tokens.add(token)
        progress.begin()
    elif session.client.work_done_progress:
        own = f"socreates-{uuid.uuid4()}"
        progress = Progress(session, own, title)
        job.tokens.add(own)
        session.spawn(_create(session, own, progress))
    else:
        progress = Progress(session, None, title)
    try:
        yield progress, ending
    finally:
        progress.end(ending.message)


async def _create(session: Session, token: str, progress: Progress) -> None:
    params = types.WorkDoneProgressCreateParams(token=token)
    if await session.accepts(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params):
        progress.begin()
