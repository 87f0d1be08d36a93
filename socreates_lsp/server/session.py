"""One client and its workspace: what every handler is given."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from itertools import count
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from socreates_lsp.server.cell_moves import CellMoves
from socreates_lsp.server.client_log import OURS, ClientLog
from socreates_lsp.server.jobs import JobTable
from socreates_lsp.server.publisher import Publisher
from socreates_lsp.server.quiet import Quiet
from socreates_lsp.server.reveal import Reveal
from socreates_lsp.server.saves import Saves
from socreates_lsp.server.unread import Unread
from socreates_lsp.server.unsaved import Unsaved
from socreates_lsp.settings import Source, from_client

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from socreates_lsp.app import App
    from socreates_lsp.server.client import Client
    from socreates_lsp.server.server import Server
    from socreates_lsp.wire import Wire

log = logging.getLogger(__name__)

_CONFIGURED_S = 1.0
"""How long a review that comes at once waits for the client's settings."""

_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")


class Session:
    """What lives from ``initialize`` to the end."""

    def __init__(self, server: Server, app: App, client: Client) -> None:
        """Take what ``initialize`` made."""
        self.server = server
        self.app = app
        self.client = client
        self.jobs = JobTable()
        self.publisher = Publisher(self)
        self.reveal = Reveal(self)
        self.saves = Saves(self)
        self.unread = Unread()
        self.unsaved = Unsaved()
        self.recalling: asyncio.Task[None] | None = None
        """Findings of earlier sessions on their way into the store."""
        self.cells = CellMoves(self)
        app.on_change = self.publisher.publish_all
        self._background: set[asyncio.Task[Any]] = set()
        self._quiet = Quiet()
        self._problems = Quiet()
        self._log = ClientLog(self.tell_log)
        OURS.addHandler(self._log)
        self._asked = count(1)
        self._answered = 0
        self._configured = asyncio.Event()
        if not client.configuration:
            self._configured.set()

    def wire(self) -> Wire:
        """Values in this client's form; every text is read once."""
        return self.app.wire(self.client.encoding)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something in the background; its failure is logged, its end is not waited for."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._background.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("Background work failed.", exc_info=error)

    def tell(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Show the user one sentence, the same one at most once a minute.

        Of a warning, other figures are no other cause: ``trying again in 3 s`` is told once.
        """
        cause = _FIGURES.sub("#", message) if kind is types.MessageType.Warning else message
        if self._quiet.first(cause):
            self._show(message, kind)
        else:
            log.info("Not shown again so soon: %s", message)

    def _show(self, message: str, kind: types.MessageType) -> None:
        self.server.window_show_message(types.ShowMessageParams(type=kind, message=message))

    def tell_log(self, kind: types.MessageType, message: str) -> None:
        """Write a sentence into the client's log, which disturbs nobody."""
        self.server.window_log_message(types.LogMessageParams(type=kind, message=message))

    async def request(self, method: str, params: Any) -> Any:
        """Ask the client; None where it answers with an error. Never awaited in a handler of a notification."""
        return (await self._ask(method, params))[1]

    async def accepts(self, method: str, params: Any) -> bool:
        """Ask the client for leave; False where it answers with an error."""
        return (await self._ask(method, params))[0]

    async def _ask(self, method: str, params: Any) -> tuple[bool, Any]:
        try:
            return True, await self.server.protocol.send_request_async(method, params)
        except JsonRpcException as error:
            log.info("The client answered %s with an error: %s", method, error)
            return False, None

    # Settings

    def configure(self, source: Source, values: Any) -> None:
        """Take settings from the client, say what is wrong with them, and show findings as they are to show now."""
        self.app.configure(from_client(values, source))
        self.report_problems()
        self.publisher.publish_all(self.app.store.uris())

    def report_problems(self) -> None:
        """One message for all that is wrong with the settings and was not told yet."""
        found = (problem.message for problem in self.app.resolved.problems)
        if problems := [problem for problem in found if self._problems.first(problem)]:
            self._show("socreates: " + " ".join(problems), types.MessageType.Warning)

    async def ask_configuration(self) -> None:
        """Ask for section ``socreates``; a client that never answers leaves the defaults in force.

        Answers may come in any order; one that is older than what holds is passed over.
        """
        asked = next(self._asked)
        item = types.ConfigurationItem(section="socreates")
        try:
            answer = await self.request(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items=[item]))
            if isinstance(answer, list) and answer and asked > self._answered:
                self._answered = asked
                self.configure(Source.EDITOR, answer[0])
        finally:
            self._configured.set()

    async def configured(self) -> None:
        """Wait a moment for the first answer about settings; a client that never gives one is waited for once."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CONFIGURED_S):
                await self._configured.wait()
        self._configured.set()

    # The end

    async def end(self, seconds: float) -> None:
        """Cancel all that runs and wait a little for it to say so."""
        tasks: list[asyncio.Task[Any]] = [*self.jobs.cancel_all(), *self._background]
        for task in self._background:
            task.cancel()
        self.publisher.close()
        OURS.removeHandler(self._log)
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)
        await self.app.close()
