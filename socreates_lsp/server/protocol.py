"""JSON-RPC as we speak it: one answer per request, errors in one sentence, nothing of a traceback on the wire.

pygls 2.1.1 gives the request table, the sending side and the types; what it does with what comes in is replaced
here, since a message that does not decode would get no answer there (notes 3, 5, 6, 12 and 13 of pygls-notes).
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import json
import logging
from concurrent.futures import Future
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeGuard

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, default_converter

from socreates_lsp.errors import SettingsError, SocreatesError, TargetError
from socreates_lsp.server.client_log import Tracer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

log = logging.getLogger(__name__)

NOT_INITIALIZED = -32002
REQUEST_FAILED = -32803
REQUEST_CANCELLED = -32800
"""Codes of LSP 3.17, ``ErrorCodes`` and ``LSPErrorCodes``."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
"""Codes of JSON-RPC 2.0."""

CANCEL, EXIT = types.CANCEL_REQUEST, types.EXIT

_AS_THEY_CAME = frozenset(
    {
        types.INITIALIZE,
        types.NOTEBOOK_DOCUMENT_DID_CHANGE,
        types.NOTEBOOK_DOCUMENT_DID_CLOSE,
        types.NOTEBOOK_DOCUMENT_DID_OPEN,
        types.NOTEBOOK_DOCUMENT_DID_SAVE,
        types.SHUTDOWN,
        types.TEXT_DOCUMENT_DID_CHANGE,
        types.TEXT_DOCUMENT_DID_OPEN,
        types.WORKSPACE_DID_CHANGE_CONFIGURATION,
    }
)
"""Methods whose params lsprotocol does not check: no client may be kept out for a form that we can do without, and
no text may be made of what is none."""


class RequestError(SocreatesError):
    """An answer that is an error, with its code."""

    def __init__(self, code: int, message: str) -> None:
        """``message`` is one sentence for a person."""
        super().__init__(message)
        self.code = code


@attrs.define
class CustomRequest:
    """A request of our own, either way; ``params`` as they came. ``jsonrpc`` has no default, as below."""

    id: int | str
    method: str
    params: Any
    jsonrpc: str


@attrs.define
class CustomNotification:
    """A notification of our own, either way. ``jsonrpc`` has no default, as the converter leaves out defaults."""

    method: str
    params: Any
    jsonrpc: str


class Protocol(LanguageServerProtocol):
    """Reads messages, calls the handlers of ``routes``, answers."""

    routes: Mapping[str, Callable[[Any], Any]] = {}
    """Handlers by method; set once by the server (server/routes.py)."""
    initialized = False
    """Whether ``initialize`` was answered."""
    on_exit: Callable[[int], None]
    """Called with the exit code."""
    on_cancel: Callable[[int | str], bool]
    """Asked first about a ``$/cancelRequest``; True if it was a job's."""

    def __init__(self, server: Any, converter: Any) -> None:
        """As pygls makes it."""
        super().__init__(server, converter)
        self.tracer = Tracer(self.notify)
        self._running: dict[int | str, asyncio.Future[Any]] = {}

    @cache  # noqa: B019  (one protocol per process)
    def get_message_type(self, method: str) -> type[Any] | None:
        """The class of a message; for our own methods, and where nothing may be refused, with params as they came."""
        if method in _AS_THEY_CAME:
            return CustomRequest
        if method.startswith("socreates/"):
            return CustomNotification if method == "socreates/didChangeFindings" else CustomRequest
        known = types.METHOD_TO_TYPES.get(method)
        return None if known is None else known[0]

    # What comes in

    def receive(self, body: bytes) -> None:
        """Take one message as it came. Never raises; a request always gets one answer."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            self._refuse(None, PARSE_ERROR, "The message is no valid JSON.")
            return
        if not isinstance(message, dict):
            self._refuse(None, INVALID_REQUEST, "A message has to be one JSON object.")
            return
        self.tracer.received(message)  # pyright: ignore[reportUnknownArgumentType]
        self._receive_object(message)  # pyright: ignore[reportUnknownArgumentType]

    def _receive_object(self, message: dict[str, Any]) -> None:
        method, msg_id = message.get("method"), message.get("id")
        if isinstance(method, str):
            if "id" not in message:
                contextvars.copy_context().run(self._take_notification, method, message)
            elif is_id(msg_id):
                contextvars.copy_context().run(self._take_request, method, msg_id, message)
            else:
                self._refuse(None, INVALID_REQUEST, "The id of a request has to be a number or a text.")
        elif "id" in message and ("result" in message or "error" in message):
            self._take_response(message)
        else:
            known = msg_id if is_id(msg_id) else None
            self._refuse(known, INVALID_REQUEST, "The message has no method.")

    def _take_request(self, method: str, msg_id: int | str, message: dict[str, Any]) -> None:
        try:
            self._check_state(method)
            handler = self._handler(method)
            params = self._params(method, message)
        except RequestError as error:
            self._refuse(msg_id, error.code, str(error))
            return
        self._ctx_msg_id.set(msg_id)
        self._execute_handler(msg_id, handler, partial(self._send_handler_result, msg_id=msg_id), args=(params,))

    def _handler(self, method: str) -> Callable[[Any], Any]:
        handler = self.routes.get(method)
        if handler is None:
            raise RequestError(METHOD_NOT_FOUND, f"This server does not know {method}.")
        return handler

    def _check_state(self, method: str) -> None:
        if self._shutdown:
            raise RequestError(INVALID_REQUEST, f"{method} came after shutdown.")
        if not self.initialized and method != types.INITIALIZE:
            raise RequestError(NOT_INITIALIZED, f"{method} came before initialize.")
        if self.initialized and method == types.INITIALIZE:
            raise RequestError(INVALID_REQUEST, "initialize came a second time.")

    def _take_notification(self, method: str, message: dict[str, Any]) -> None:
        if method == EXIT:
            self.on_exit(0 if self._shutdown else 1)
            return
        if self._shutdown or not self.initialized:
            log.warning("%s was left out: it came %s.", method, "after shutdown" if self._shutdown else "too early")
            return
        handler = self.routes.get(method)
        if handler is None and method != CANCEL:
            if not method.startswith("$/"):
                log.warning("%s was left out: this server does not know it.", method)
            return
        try:
            params = self._params(method, message)
        except RequestError as error:
            log.warning("%s was left out: %s", method, error)
            return
        if method == CANCEL:
            self._handle_cancel_notification(params.id)
        elif handler is not None:
            self._execute_handler(f"n{id(message)}", handler, partial(_log_failure, method), args=(params,))

    def _params(self, method: str, message: dict[str, Any]) -> Any:
        """The params in their class. Raises RequestError with one sentence."""
        kind = self.get_message_type(method) or CustomRequest
        if kind is not CustomRequest and message.get("params") is None:
            message = {**message, "params": {}}
        _check_document(method, message.get("params"))
        try:
            return self._converter.structure({"id": 0, "jsonrpc": "2.0", **message}, kind).params
        except RecursionError:
            raise RequestError(INVALID_PARAMS, f"The params of {method} are nested too deeply.") from None
        except Exception as error:
            log.debug("Params of %s", method, exc_info=True)
            raise RequestError(INVALID_PARAMS, f"The params of {method} are not of the form it takes.") from error

    def _take_response(self, message: dict[str, Any]) -> None:
        msg_id: Any = message["id"]
        future = self._request_futures.pop(msg_id, None) if isinstance(msg_id, int | str) else None
        self._result_types.pop(msg_id, None) if isinstance(msg_id, int | str) else None
        if future is None:
            log.warning("An answer to %r was left out: nothing was asked under that id.", msg_id)
        elif future.done():
            return
        elif message.get("error") is not None:
            error: Any = message["error"]
            words = error.get("message") if isinstance(error, dict) else error  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            future.set_exception(JsonRpcException(f"{words}", code=REQUEST_FAILED))
        else:
            future.set_result(message.get("result"))

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        if not is_id(msg_id) or self.on_cancel(msg_id):
            return
        future = self._running.get(msg_id)
        if future is None:
            log.debug("Nothing to cancel under the id %r.", msg_id)
        else:
            future.cancel()

    def _execute_handler(
        self,
        msg_id: int | str,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Call a handler; a coroutine becomes a task that ``$/cancelRequest`` can reach."""
        if inspect.iscoroutinefunction(handler):
            task = asyncio.ensure_future(handler(*(args or ()), **(kwargs or {})))
            self._running[msg_id] = task
            task.add_done_callback(partial(self._finish, msg_id, callback))
            return
        future: Future[Any] = Future()
        try:
            future.set_result(handler(*(args or ()), **(kwargs or {})))
        except Exception as error:
            future.set_exception(error)
        callback(future)

    def _finish(self, msg_id: int | str, callback: Callable[[Any], None], future: asyncio.Future[Any]) -> None:
        self._running.pop(msg_id, None)
        callback(future)

    # What goes out

    def _send_data(self, data: Any) -> None:
        self.tracer.sent(data)
        super()._send_data(data)

    def _send_handler_result(self, future: Future[Any], *, msg_id: int | str) -> None:
        """The one boundary where an exception becomes an answer."""
        if future.cancelled():
            self._refuse(msg_id, REQUEST_CANCELLED, "Cancelled.")
            return
        error = future.exception()
        if error is None:
            self._send_response(msg_id, result=future.result())
        else:
            code, message = answer_to(error)
            self._refuse(msg_id, code, message)

    def _refuse(self, msg_id: int | str | None, code: int, message: str) -> None:
        self._send_data({"jsonrpc": "2.0", "id": msg_id, "error": {"code": code, "message": message}})

    @property
    def is_shut_down(self) -> bool:
        """Whether ``shutdown`` was asked for."""
        return self._shutdown

    def begin_shutdown(self) -> None:
        """From now on every request but ``exit`` is refused."""
        self._shutdown = True


def _check_document(method: str, params: object) -> None:
    """Refuse params that name a document by something else than a text, which lsprotocol turns into one."""
    document: Any = params.get("textDocument") if isinstance(params, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if isinstance(document, dict) and not isinstance(document.get("uri"), str):  # pyright: ignore[reportUnknownMemberType]
        raise RequestError(INVALID_PARAMS, f"The params of {method} name no document.")


def is_id(value: object) -> TypeGuard[int | str]:
    """Whether a value can be the id of a request, or a progress token; lsprotocol lets anything pass for a union."""
    return isinstance(value, int | str) and not isinstance(value, bool)


def answer_to(error: BaseException) -> tuple[int, str]:
    """The code and the sentence that a client is given for a failure; what nobody foresaw is logged."""
    if isinstance(error, RequestError):
        return error.code, str(error)
    if isinstance(error, TargetError | SettingsError):
        return REQUEST_FAILED, str(error)
    if isinstance(error, SocreatesError):
        return REQUEST_FAILED, str(error)
    log.error("A request failed.", exc_info=error)
    return INTERNAL_ERROR, "Something went wrong in socreates-lsp; its log has the details (--log-file)."


def _log_failure(method: str, future: Future[Any]) -> None:
    if future.cancelled() or (error := future.exception()) is None:
        return
    if isinstance(error, SocreatesError):
        log.warning("%s was left out: %s", method, error)
    else:
        log.error("%s failed.", method, exc_info=error)


def converter() -> Any:
    """The converter of pygls with our own messages."""
    made = default_converter()
    for kind in (CustomRequest, CustomNotification):
        made.register_structure_hook(kind, _structure_custom)
    return made


def _structure_custom(data: dict[str, Any], kind: type[Any]) -> Any:
    if kind is CustomRequest:
        return CustomRequest(data["id"], data["method"], data.get("params"), data["jsonrpc"])
    return CustomNotification(data["method"], data.get("params"), data["jsonrpc"])
