"""Running a command to its end, and not one process of it longer. Blocking: belongs into a thread (``off_loop``)."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.tools.output import Kept
from socreates_lsp.workspace.leash import leash
from socreates_lsp.workspace.tools import end

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_KEPT = 64_000
"""Bytes of output that are kept at each end."""

_POLL = 0.05
_FAREWELL = 0.3
"""Seconds for what is still in the pipe when the command has ended."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended. ``code`` is None when its time was over."""

    code: int | None
    output: Kept

    def outcome(self, seconds: float) -> str:
        """The outcome in words."""
        if self.code is None:
            return f"stopped: it did not end within {seconds:g} seconds"
        if self.code >= 0:
            return f"exit code {self.code}"
        try:
            return f"ended by signal {-self.code} ({signal.Signals(-self.code).name})"
        except ValueError:
            return f"ended by signal {-self.code}"


def finished(argv: Sequence[str], folder: str, environment: Mapping[str, str], seconds: float) -> Finished:
    """Run a command in a session of its own, without input, and end all that it left behind.

    It is over when its first process is, whoever still holds its output. Raises OSError if it can't be started.
    """
    reading, writing = os.pipe()
    kept = Kept(_KEPT)
    try:
        try:
            process = subprocess.Popen(
                argv,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=writing,
                stderr=writing,
                start_new_session=True,
            )
        finally:
            os.close(writing)
        reader = _Reader(reading, kept)
        try:
            code = _waited(process, seconds)
        finally:
            reader.finish()
    finally:
        os.close(reading)
    return Finished(code, kept)


def _waited(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    held = leash()
    if held is not None:
        held.hold(process)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        # Its children too, whether it has ended or not.
        end(process)
        process.wait()
        if held is not None:
            held.let_go(process)


class _Reader(threading.Thread):
    """Reads a pipe until it ends, or for a moment after ``finish``."""

    def __init__(self, pipe: int, kept: Kept) -> None:
        super().__init__(daemon=True)
        self._pipe = pipe
        self._kept = kept
        self._until: float | None = None
        self.start()

    def run(self) -> None:
        """See ``Thread``."""
        while self._until is None or time.monotonic() < self._until:
            if self._is_ready():
                data = os.read(self._pipe, 65536)
                if not data:
                    return
                self._kept.add(data)
            elif self._until is not None:
                return

    def finish(self) -> None:
        """Read what is there, and stop."""
        self._until = time.monotonic() + _FAREWELL
        self.join(2 * _FAREWELL)

    def _is_ready(self) -> bool:
        if sys.platform == "win32":
            return True
        return bool(select.select([self._pipe], [], [], _POLL)[0])
