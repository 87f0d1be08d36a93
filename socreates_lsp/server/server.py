"""The server: a pygls language server whose incoming side is ours, and its life from first byte to exit code."""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from socreates_lsp import __version__
from socreates_lsp.server.lifetime import INTERRUPTED, is_alive, on_interrupt, watch_parent
from socreates_lsp.server.methods.initialize import initialize
from socreates_lsp.server.protocol import Protocol, converter
from socreates_lsp.server.routes import COMMANDS, METHODS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from pygls.server import ServerErrors

    from socreates_lsp.server.routes import Command
    from socreates_lsp.server.session import Session
    from socreates_lsp.server.transport import Connection

log = logging.getLogger(__name__)

_FLUSH_S = 0.4
_END_S = 0.2

_SWITCH_S = 0.0002
"""How long a thread may keep the interpreter's lock while another one wants it."""


class Server(LanguageServer):
    """One client's server."""

    protocol: Protocol  # pyright: ignore[reportIncompatibleVariableOverride]  (narrower, set by protocol_cls)

    def __init__(self, flags: Sequence[str] = ()) -> None:
        """``flags`` are the ``--set`` texts of the command line."""
        name = "socreates-lsp"
        super().__init__(name, __version__, protocol_cls=Protocol, converter_factory=converter)  # pyright: ignore[reportUnknownMemberType]
        self.flags = tuple(flags)
        self.commands: dict[str, Command] = COMMANDS
        self.session: Session | None = None
        self._watch: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[int] | None = None
        routes: dict[str, Callable[[Any], Any]] = {name: self._bound(handler) for name, handler in METHODS.items()}
        self.protocol.routes = {**routes, types.INITIALIZE: partial(initialize, self)}
        self.protocol.on_exit = self.end
        self.protocol.on_cancel = self._cancel

    @property
    def command_names(self) -> list[str]:
        """The commands that we serve."""
        return list(self.commands)

    def _bound(self, handler: Callable[[Session, Any], Any]) -> Callable[[Any], Any]:
        """A handler that is given the session, which exists from ``initialize`` on."""
        if inspect.iscoroutinefunction(handler):

            async def call(params: Any) -> Any:
                assert self.session is not None
                return await handler(self.session, params)

            return call
        return lambda params: handler(_present(self.session), params)

    def begin(self, session: Session, params: Mapping[str, Any]) -> None:
        """``initialize`` was read: from here on there is a session, and a parent to watch."""
        self.session = session
        self.protocol.initialized = True
        trace, parent = params.get("trace"), params.get("processId")
        if isinstance(trace, str) and trace in set(types.TraceValue):
            self.protocol.tracer.value = types.TraceValue(trace)
        # Looked at now and not when the watch begins: by then the answer is out, and the client may have died.
        if isinstance(parent, int) and not isinstance(parent, bool) and is_alive(parent):
            self._watch = asyncio.create_task(watch_parent(parent, lambda: self.end(1)))

    def end(self, code: int) -> None:
        """Stop serving, with this exit code; the first call counts."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(code)

    def _cancel(self, msg_id: int | str) -> bool:
        return self.session is not None and self.session.jobs.cancel_request(msg_id)

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:  # noqa: ARG002  (pygls' signature)
        """Log; pygls would show every one of them to the user."""
        log.error("%s", error, exc_info=error)

    async def serve(self, open_connection: Awaitable[Connection]) -> int:
        """Serve one client until it ends or vanishes. Returns the exit code: 0 only after a shutdown."""
        self._ended = asyncio.get_running_loop().create_future()
        opening = asyncio.ensure_future(open_connection)
        await asyncio.wait((opening, self._ended), return_when=asyncio.FIRST_COMPLETED)
        if self._ended.done():
            opening.cancel()
            return self._ended.result()
        connection = opening.result()
        self.protocol.set_writer(connection)  # pyright: ignore[reportArgumentType]
        connection.start(self.protocol.receive, lambda: self.end(0 if self.protocol.is_shut_down else 1))
        code = await self._ended
        if self._watch is not None:
            self._watch.cancel()
        if self.session is not None:
            await self.session.end(_END_S)
        await connection.flush(_FLUSH_S)
        return code


def _present(session: Session | None) -> Session:
    assert session is not None
    return session


def run(open_connection: Callable[[], Awaitable[Connection]], flags: Sequence[str] = ()) -> int:
    """Serve in a new event loop, to the end of the process. Raises TransportError if there is no way in."""

    # Findings are grounded in threads. With the usual 5 ms each time that the loop let go of the interpreter's lock,
    # to read a few bytes, it would wait so long to have it back, and a hover takes several such turns.
    sys.setswitchinterval(_SWITCH_S)

    async def main() -> int:
        server = Server(flags)
        on_interrupt(lambda: server.end(INTERRUPTED))
        # Not after asyncio.run, which waits for every thread that was started.
        leave(await server.serve(open_connection()))

    return asyncio.run(main())


def leave(code: int) -> NoReturn:
    """End the process at once: a thread that still reads a file must not hold it."""
    logging.shutdown()
    os._exit(code)
