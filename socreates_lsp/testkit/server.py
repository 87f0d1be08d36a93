"""The scripted server: HTTP on loopback, in threads of its own, for both wires at once."""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self, cast

from socreates_lsp.testkit.script import Asked, Reply
from socreates_lsp.testkit.shapes import CREATED, ollama_pieces, ollama_whole, openai_pieces, openai_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from types import TracebackType

_LOOK_S = 0.01


class ScriptedServer:
    """Answers chats from a script, and questions about models from ``models``. A context manager.

    ``replies`` are given one after the other, or made by a function of the request; after the last one the
    answer is status 500. ``models``: each model's name with what is told of it: ``context`` (tokens),
    ``capabilities``, ``remote_host``, ``modified_at``. ``loaded``: the names that are in memory (``/api/ps``).
    ``routes``: a path with the JSON, or the ``Reply``, to answer there instead. ``host`` is always loopback.
    """

    def __init__(
        self,
        replies: Iterable[Reply] | Callable[[Asked], Reply] = (),
        *,
        models: Mapping[str, Mapping[str, Any]] | None = None,
        loaded: Iterable[str] = (),
        routes: Mapping[str, Any] | None = None,
        port: int = 0,
    ) -> None:
        self.models: dict[str, Mapping[str, Any]] = dict(models if models is not None else {"m": {}})
        self.loaded = list(loaded)
        self.routes: dict[str, Any] = dict(routes or {})
        self.asked: list[Asked] = []
        self.connections = 0
        """How many connections clients have opened."""
        self.left = threading.Event()
        """Set when a client closed its connection before the answer was over."""
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._next = replies if callable(replies) else _one_by_one(iter(replies))
        self._server = _Server(("127.0.0.1", port), self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_LOOK_S,), daemon=True)

    @property
    def url(self) -> str:
        """Scheme, host and port: the base of Ollama's wire."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def openai_url(self) -> str:
        """The base of the OpenAI wire."""
        return f"{self.url}/v1"

    @property
    def chats(self) -> list[Mapping[str, Any]]:
        """The bodies of the chats that were asked for, in order."""
        with self._lock:
            return [one.body for one in self.asked if one.path in {"/api/chat", "/v1/chat/completions"}]

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, and drop what is still being answered."""
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def wait(self) -> None:
        """Answer until somebody else stops it."""
        self._thread.join()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def connected(self) -> None:
        """A client has opened a connection."""
        with self._lock:
            self.connections += 1

    def answer(self, asked: Asked) -> object:
        """The reply to a chat, or the JSON of anything else."""
        with self._lock:
            self.asked.append(asked)
            path = asked.path.partition("?")[0]
            if path in self.routes:
                return self.routes[path]
            if path in {"/api/chat", "/v1/chat/completions"}:
                return self._next(asked)
            return self._about_models(path, asked)

    def _about_models(self, path: str, asked: Asked) -> object:
        name = str(asked.body.get("model", ""))
        if path == "/api/show":
            return self._show(name) if name in self.models else Reply(status=404, error=f"model '{name}' not found")
        if path == "/v1/models":
            return {"object": "list", "data": [self._listed(one, about) for one, about in self.models.items()]}
        if path == "/api/tags":
            return {"models": [self._tag(one) for one in self.models]}
        if path == "/api/ps":
            return {"models": [self._tag(one) for one in self.loaded]}
        if path == "/api/version":
            return {"version": "0.0.0"}
        return Reply(status=404, error=f"nothing is at {path}")

    def _listed(self, name: str, about: Mapping[str, Any]) -> dict[str, Any]:
        size = {"max_model_len": about["context"]} if "context" in about else {}
        return {"id": name, "object": "model", "created": 0, "owned_by": about.get("owned_by", "testkit"), **size}

    def _tag(self, name: str) -> dict[str, Any]:
        about = self.models.get(name, {})
        details = {"format": "gguf", "family": "test", "parameter_size": "1B", "quantization_level": "Q4_0"}
        tag = {"name": name, "model": name, "size": 1, "digest": "0" * 64, "details": details}
        tag["modified_at"] = about.get("modified_at", CREATED)
        if name in self.loaded:
            tag |= {"expires_at": CREATED, "size_vram": 0, "context_length": about.get("loaded_context", 0)}
        return tag | {key: about[key] for key in ("remote_host", "remote_model") if key in about}

    def _show(self, name: str) -> dict[str, Any]:
        about = self.models[name]
        capabilities = about.get("capabilities", ["completion", "tools"])
        info = {"general.architecture": "test", "test.context_length": about.get("context", 32_768)}
        remote = {key: about[key] for key in ("remote_host", "remote_model") if key in about}
        return {"details": {"family": "test"}, "model_info": info, "capabilities": capabilities, **remote}


def _one_by_one(replies: Iterator[Reply]) -> Callable[[Asked], Reply]:
    over = Reply(status=500, error="the script is over")
    return lambda _: next(replies, over)


def _object(content: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(content) if content else None
    except ValueError:
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, address: tuple[str, int], owner: ScriptedServer) -> None:
        self.owner = owner
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves is no error of the server's."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def owner(self) -> ScriptedServer:
        """Whose script it is."""
        return cast("_Server", self.server).owner

    def setup(self) -> None:
        """Count the connection."""
        super().setup()
        self.owner.connected()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer."""
        self._handle()

    def do_POST(self) -> None:
        """Answer."""
        self._handle()

    def do_HEAD(self) -> None:
        """Answer."""
        self._handle()

    def _handle(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length") or 0))
        body = _object(content)
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.owner.answer(Asked(self.command, self.path, headers, body))
        if not isinstance(answer, Reply):
            self._whole(200, {}, json.dumps(answer).encode())
            return
        if self._pause(answer.delay_s):
            return
        if answer.status != 200 or (answer.raw is not None and answer.split is None and not answer.hang):
            error = {"error": answer.error if self._is_ollama() else {"message": answer.error}}
            raw = json.dumps(error).encode() if answer.raw is None else answer.raw
            self._whole(answer.status, answer.headers, raw)
        elif body and body.get("stream", self._is_ollama()) is False:
            shape = ollama_whole if self._is_ollama() else openai_whole
            self._whole(200, answer.headers, json.dumps(shape(answer, str(body.get("model")))).encode())
        else:
            self._stream(answer, str(body.get("model")))

    def _is_ollama(self) -> bool:
        return self.path.startswith("/api/")

    def _whole(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | dict(headers)).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _stream(self, reply: Reply, model: str) -> None:
        self.send_response(200)
        kind = "application/x-ndjson" if self._is_ollama() else "text/event-stream"
        for name, value in ({"Content-Type": kind, "Transfer-Encoding": "chunked"} | dict(reply.headers)).items():
            self.send_header(name, value)
        self.end_headers()
        pieces = ollama_pieces(reply, model) if self._is_ollama() else openai_pieces(reply, model)
        for at, piece in enumerate([reply.raw] if reply.raw is not None else pieces):
            if at and self._pause(reply.latency_s):
                return
            step = reply.split or len(piece)
            for start in range(0, len(piece), max(step, 1)):
                self._chunk(piece[start : start + step])
        if reply.hang:
            self._pause(float("inf"))
        elif reply.cut:
            self.close_connection = True
        else:
            self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        try:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        except OSError:
            self.owner.left.set()
            self.close_connection = True
            raise

    def _pause(self, seconds: float) -> bool:
        """Wait; say whether the client has left, or the server is stopping, in the meantime."""
        owner = self.owner
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            step = min(_LOOK_S, left)
            readable, _, _ = select.select([self.connection], [], [], step)
            if owner.stopping.is_set():
                self.close_connection = True
                return True
            if readable:
                try:
                    gone = not self.connection.recv(1, socket.MSG_PEEK)
                except OSError:
                    gone = True
                if gone:
                    owner.left.set()
                    self.close_connection = True
                    return True
                owner.stopping.wait(step)
        return False
