"""What the client is told besides messages to the user: its log (``window/logMessage``) and traces (``$/logTrace``).

In the log stands what is in ours from warnings on, each sentence at most once a minute, without tracebacks. Traces are
sent only to a client that asks for them (``$/setTrace``), and hold texts only where it asks for all (``verbose``).
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types

from socreates_lsp.server.quiet import Quiet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LONGEST, _LONGEST_VERBOSE = 500, 20_000
"""Characters of a sentence in the log, and of a message in a trace."""

_SILENT = frozenset({types.LOG_TRACE, types.WINDOW_LOG_MESSAGE})
"""Messages that are not traced: a trace of a trace has no end."""

OURS = logging.getLogger("socreates_lsp")


class ClientLog(logging.Handler):
    """Passes on what our modules log, from any thread."""

    def __init__(self, send: Callable[[types.MessageType, str], None]) -> None:
        """``send`` is called on the event loop that runs now."""
        super().__init__(logging.WARNING)
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._quiet = Quiet()

    def emit(self, record: logging.LogRecord) -> None:
        """See ``logging.Handler``. The message alone: a traceback is for the log file."""
        kind = types.MessageType.Error if record.levelno >= logging.ERROR else types.MessageType.Warning
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._pass_on, kind, record.getMessage()[:_LONGEST])

    def _pass_on(self, kind: types.MessageType, text: str) -> None:
        if self._quiet.first(text):
            self._send(kind, text)


class Tracer:
    """Traces of messages, for a client that asked for them."""

    def __init__(self, notify: Callable[[str, Any], None]) -> None:
        """``notify`` sends a notification."""
        self._notify = notify
        self._since: dict[int | str, tuple[str, float]] = {}
        self.value = types.TraceValue.Off

    def received(self, message: Mapping[str, Any]) -> None:
        """A message came."""
        if self.value is types.TraceValue.Off:
            return
        method, msg_id = message.get("method"), message.get("id")
        if isinstance(method, str) and isinstance(msg_id, int | str):
            self._since[msg_id] = (method, time.monotonic())
        self._trace(f"Received {_name(message)}", message)

    def sent(self, data: Any) -> None:
        """A message went out: an object of lsprotocol, or a JSON object."""
        if self.value is types.TraceValue.Off:
            self._since.clear()
            return
        message = _fields(data)
        if message.get("method") in _SILENT:
            return
        words = f"Sent {_name(message)}"
        if "method" not in message and (asked := self._since.pop(message.get("id", ""), None)) is not None:
            words += f" to {asked[0]} after {(time.monotonic() - asked[1]) * 1000:.0f} ms"
        self._trace(words, data)

    def _trace(self, words: str, message: Any) -> None:
        verbose = None
        if self.value is types.TraceValue.Verbose:
            verbose = json.dumps(message, default=_plain, ensure_ascii=False)[:_LONGEST_VERBOSE]
        self._notify(types.LOG_TRACE, types.LogTraceParams(message=f"{words}.", verbose=verbose))


def _fields(data: Any) -> Mapping[str, Any]:
    if isinstance(data, dict):
        return cast("Mapping[str, Any]", data)
    names = ("method", "id", "error")
    return {name: getattr(data, name) for name in names if getattr(data, name, None) is not None}


def _plain(value: Any) -> Any:
    return {name: part for name in _slots(value) if (part := getattr(value, name, None)) is not None} or str(value)


def _slots(value: Any) -> list[str]:
    fields: Any = getattr(value, "__attrs_attrs__", ())
    return [one.name for one in fields]


def _name(message: Mapping[str, Any]) -> str:
    method, msg_id = message.get("method"), message.get("id")
    if isinstance(method, str):
        return f"{method[:100]}" if msg_id is None else f"{method[:100]} ({msg_id!s:.50})"
    kind = "an error" if message.get("error") is not None else "an answer"
    return f"{kind} ({msg_id!s:.50})"
