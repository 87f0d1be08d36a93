"""Where the server's log goes, and that no text of a buffer gets into it at the default level."""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import sys
import threading
import traceback
from typing import TYPE_CHECKING, TextIO, cast

from socreates_lsp.errors import SettingsError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

LEVELS = ("debug", "info", "warning", "error")

_MOST_WAITING = 2000
"""Lines that wait for somebody to read standard error; what comes beyond them is left out."""

_LAST_WORDS_S = 0.3
"""How long the end of the process waits for the last lines to be read."""

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class Wordless(logging.Formatter):
    """Of an error only where it happened and of which kind it is: its words may be text of a buffer."""

    def formatException(self, ei: object) -> str:  # noqa: N802  (logging's name)
        """See ``logging.Formatter``."""
        kind, _, trace = cast("tuple[type[BaseException], BaseException, TracebackType | None]", ei)
        return "".join([*traceback.format_tb(trace), f"{kind.__qualname__} (its words are logged at level debug)"])

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (logging's name)
        """See ``logging.Formatter``. asyncio tells of tasks with what they raised, from the second line on."""
        if record.name == "asyncio":
            record.message = record.message.partition("\n")[0]
        return super().formatMessage(record)


class Aside(logging.Handler):
    """Writes to a stream in a thread of its own. A client that starts us and never reads our standard error fills its
    pipe after some 64 kB: whoever writes then waits for ever, and that must not be the event loop. Nor the end of the
    process, which flushes the stream: what is written goes past its buffer, whose lock that would wait for."""

    def __init__(self, stream: TextIO) -> None:
        """Write to this stream."""
        super().__init__()
        self._stream = stream
        self._waiting: queue.Queue[str] = queue.Queue(_MOST_WAITING)
        self._written = threading.Condition()
        self._writer: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """See ``logging.Handler``. Never waits."""
        if self._writer is None:
            self._writer = threading.Thread(target=self._write, name="log", daemon=True)
            self._writer.start()
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(self.format(record) + "\n")

    def flush(self) -> None:
        """Give what waits a moment to be written."""
        with self._written:
            self._written.wait_for(lambda: not self._waiting.unfinished_tasks, _LAST_WORDS_S)

    def _write(self) -> None:
        while True:
            line = self._waiting.get()
            with contextlib.suppress(OSError, ValueError):  # nobody is there to read it
                self._out(line)
            self._waiting.task_done()
            with self._written:
                self._written.notify_all()

    def _out(self, line: str) -> None:
        """Write a line to the descriptor of the stream, if it has one."""
        try:
            number = self._stream.fileno()
        except (AttributeError, OSError, ValueError):
            self._stream.write(line)
            self._stream.flush()
            return
        rest = line.encode(self._stream.encoding or "utf-8", "backslashreplace")
        while rest:
            rest = rest[os.write(number, rest) :]


def set_up(file: Path | None, level: str) -> None:
    """Log to a file, else to standard error. Raises SettingsError if the file can't be written.

    pygls 2.1.1 logs whole message bodies at INFO, so it is heard below WARNING only at ``debug``.
    """
    handler: logging.Handler = Aside(sys.stderr)
    if file is not None:
        try:
            handler = logging.FileHandler(file, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise SettingsError(f"The log file {file} cannot be written: {error.strerror or error}.") from error
    handler.setFormatter(logging.Formatter(_FORMAT) if level == "debug" else Wordless(_FORMAT))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in ("pygls", "asyncio"):
        logging.getLogger(name).setLevel(logging.DEBUG if level == "debug" else logging.WARNING)
