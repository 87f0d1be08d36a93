"""Bytes in and out: stdio, TCP, socket and pipe, all behind one ``Connection``. Knows nothing of JSON.

Reading and writing stdio happen in threads of their own, so that neither a client that does not read nor one that
does not write can hold the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import select
import sys
import threading
from typing import TYPE_CHECKING, Any, Protocol

from socreates_lsp.errors import SocreatesError

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

_LARGEST = 1 << 30
_CHUNK = 1 << 16
_LOOK_S = 0.3
"""How often to look whether anybody still reads."""


class TransportError(SocreatesError):
    """A way in that can't be opened."""


class Connection(Protocol):
    """One client. ``write`` never blocks; ``flush`` waits until all is out, or the time is over."""

    def start(self, on_body: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        """Begin to read; each body is given to ``on_body`` in the event loop, the end to ``on_end``."""
        ...

    def write(self, data: bytes) -> None:
        """Send bytes."""
        ...

    def close(self) -> None:
        """Close (pygls calls it on exit)."""
        ...

    async def flush(self, seconds: float) -> None:
        """Wait for what was written to leave."""
        ...


class Frames:
    """Cuts a stream of bytes into bodies by their ``Content-Length``."""

    def __init__(self) -> None:
        """Start between two messages."""
        self._buffer = bytearray()
        self._need: int | None = None

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes and return the bodies that are complete. Headers without a length are passed over."""
        self._buffer += data
        bodies: list[bytes] = []
        while True:
            if self._need is None and not self._read_header():
                return bodies
            if self._need is None:
                continue
            if len(self._buffer) < self._need:
                return bodies
            bodies.append(bytes(self._buffer[: self._need]))
            del self._buffer[: self._need]
            self._need = None

    def _read_header(self) -> bool:
        """Read one block of headers. False if it is not complete yet."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > _CHUNK:
                log.warning("Bytes that are no message were left out.")
                self._buffer.clear()
            return False
        header = bytes(self._buffer[:end])
        del self._buffer[: end + 4]
        for line in header.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
                self._need = length if length <= _LARGEST else None
        if self._need is None:
            log.warning("A message without a usable Content-Length was left out.")
        return True


class StdioConnection:
    """Standard input and output. Whatever else this process prints goes to standard error from now on."""

    def __init__(self) -> None:
        """Take the two streams over."""
        self._in = os.dup(0)
        self._out = os.dup(1)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self._loop = asyncio.get_running_loop()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._written = asyncio.Event()
        self._broken = False

    def start(self, on_body: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        """Begin to read and write."""
        threading.Thread(target=self._read, args=(on_body, on_end), daemon=True, name="stdin").start()
        threading.Thread(target=self._write, args=(on_end,), daemon=True, name="stdout").start()

    def _read(self, on_body: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        frames = Frames()
        with contextlib.suppress(OSError, RuntimeError):
            while data := os.read(self._in, _CHUNK):
                for body in frames.feed(data):
                    self._loop.call_soon_threadsafe(on_body, body)
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(on_end)

    def _write(self, on_end: Callable[[], None]) -> None:
        try:
            while (data := self._next()) is not None:
                view = memoryview(data)
                while view:
                    view = view[os.write(self._out, view) :]
        except OSError:
            self._broken = True
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(on_end)
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._written.set)

    def _next(self) -> bytes | None:
        """What to write next. Raises BrokenPipeError once nobody reads, also while there is nothing to write."""
        while True:
            try:
                return self._outgoing.get(timeout=_LOOK_S)
            except queue.Empty:
                if _nobody_reads(self._out):
                    raise BrokenPipeError from None

    def write(self, data: bytes) -> None:
        """Send bytes; they are dropped once the other side is gone."""
        if not self._broken:
            self._outgoing.put(data)

    def close(self) -> None:
        """Send what waits, then nothing more."""
        self._outgoing.put(None)

    async def flush(self, seconds: float) -> None:
        """Wait for what was written to leave."""
        self.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._written.wait(), seconds)


def _nobody_reads(descriptor: int) -> bool:
    """Whether the other end of a pipe is closed. Where the system can't tell (Windows), the next write will."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(descriptor, 0)
    return bool(poll.poll(0))


class StreamConnection:
    """A socket or a pipe of asyncio."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take both ends."""
        self._reader = reader
        self._writer = writer
        self._task: asyncio.Task[None] | None = None

    def start(self, on_body: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        """Begin to read."""
        self._task = asyncio.create_task(self._read(on_body, on_end))

    async def _read(self, on_body: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        frames = Frames()
        try:
            while data := await self._reader.read(_CHUNK):
                for body in frames.feed(data):
                    on_body(body)
        except OSError:
            log.info("The client is gone.")
        on_end()

    def write(self, data: bytes) -> None:
        """Send bytes; they are dropped once the other side is gone."""
        if not self._writer.is_closing():
            self._writer.write(data)

    def close(self) -> None:
        """Close when all is sent."""
        self._writer.close()

    async def flush(self, seconds: float) -> None:
        """Wait for what was written to leave."""
        self._writer.close()
        with contextlib.suppress(TimeoutError, OSError):
            await asyncio.wait_for(self._writer.wait_closed(), seconds)


async def open_stdio() -> Connection:
    """Serve on standard input and output."""
    return StdioConnection()


async def listen_tcp(host: str, port: int) -> Connection:
    """Wait for one client at an address; where, is said on standard error. Raises TransportError."""
    arrived: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if arrived.done():
            writer.close()
        else:
            arrived.set_result(StreamConnection(reader, writer))

    try:
        server = await asyncio.start_server(accept, host, port)
    except OSError as error:
        raise TransportError(f"Cannot listen on {host}:{port}: {error.strerror or error}. Choose another.") from error
    bound = server.sockets[0].getsockname()
    sys.stderr.write(f"socreates-lsp listens on {bound[0]}:{bound[1]}\n")
    sys.stderr.flush()
    connection = await arrived
    server.close()
    return connection


async def connect_socket(port: int, host: str = "127.0.0.1") -> Connection:
    """Connect out to a client that listens, as VS Code does. Raises TransportError."""
    try:
        return StreamConnection(*await asyncio.open_connection(host, port))
    except OSError as error:
        raise TransportError(f"Nobody listens on {host}:{port}: {error.strerror or error}.") from error


async def connect_pipe(name: str) -> Connection:
    """Connect out to a named pipe (Windows) or a Unix socket. Raises TransportError."""
    try:
        if sys.platform == "win32":
            return await _connect_windows_pipe(name)
        return StreamConnection(*await asyncio.open_unix_connection(name))
    except OSError as error:
        raise TransportError(f"The pipe {name} cannot be opened: {error.strerror or error}.") from error


async def _connect_windows_pipe(name: str) -> Connection:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    proactor: Any = loop
    transport, _ = await proactor.create_pipe_connection(lambda: protocol, name)
    return StreamConnection(reader, asyncio.StreamWriter(transport, protocol, reader, loop))
