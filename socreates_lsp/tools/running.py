"""Running a command to its end, and not one process of it longer. Blocking: belongs into a thread (``off_loop``).

A command gets a bare environment, and so does its parent, which is not our process. That is no confinement: without
a sandbox it can look for our process, and for every other of the user's, and read what the system lets it.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.tools import supervisor
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
    kept = Kept(_KEPT)
    with closing(_Pipe()) as output, closing(_Pipe()) as report:
        process = subprocess.Popen(
            _supervised(argv, report.writing),
            cwd=folder,
            env=environment if sys.platform == "win32" else _to_start_python() | dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output.writing,
            stderr=output.writing,
            start_new_session=True,
            pass_fds=() if sys.platform == "win32" else (report.writing,),
        )
        output.close_writing()
        report.close_writing()
        reader = _Reader(output.reading, kept)
        try:
            code = _waited(process, seconds)
        finally:
            reader.finish()
        # Whoever could have written has ended, so this does not wait.
        told = os.read(report.reading, 100).decode().split()
    return Finished(_ended(code, told), kept)


class _Pipe:
    """A pipe whose ends are closed once."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()
        self._open = {self.reading, self.writing}

    def close_writing(self) -> None:
        self._close(self.writing)

    def close(self) -> None:
        self._close(self.writing)
        self._close(self.reading)

    def _close(self, end_of_it: int) -> None:
        if end_of_it in self._open:
            self._open.remove(end_of_it)
            os.close(end_of_it)


def _supervised(argv: Sequence[str], report: int) -> Sequence[str]:
    """What to start so that the parent of a command is not our process."""
    if sys.platform == "win32":
        return argv
    return [sys.executable, "-I", "-S", supervisor.__file__, str(report), *argv]


def _to_start_python() -> dict[str, str]:
    return {name: os.environ[name] for name in supervisor.LOADING if name in os.environ}


def _ended(code: int | None, told: Sequence[str]) -> int | None:
    """The code of the command itself. Raises the OSError that kept it from being started."""
    if code is None or not told:
        return code
    what, number = told[0], int(told[1])
    if what == "errno":
        raise OSError(number, os.strerror(number))
    return number


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
