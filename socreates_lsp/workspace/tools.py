"""Programs of the user's machine: where to find one, and how to run it so that it ends. Never one of the workspace."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

from socreates_lsp.workspace.leash import leash

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_LONGEST_COMPLAINT = 65536
"""Bytes of the error output that are kept."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a program did. ``cut`` when its output was longer than asked for (the program was ended then)."""

    code: int
    output: bytes
    complaints: str
    cut: bool


def find_tool(name: str, workspace: str | os.PathLike[str] | None) -> str | None:
    """The absolute path of a program on PATH, or None.

    Whatever lies in the workspace is passed over, also through a symbolic link, and so are relative entries of
    PATH: a repository must not choose what we run.
    """
    forbidden = None if workspace is None else Path(workspace).resolve()
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if not Path(folder).is_absolute():
            continue
        for file in _spellings(Path(folder) / name):
            if os.access(file, os.X_OK) and file.is_file() and not _lies_in(file, forbidden):
                return str(file)
    return None


def _spellings(file: Path) -> Iterator[Path]:
    if sys.platform == "win32":
        for suffix in os.environ.get("PATHEXT", ".EXE").split(os.pathsep):
            yield file.with_name(file.name + suffix)
    else:
        yield file


def _lies_in(file: Path, folder: Path | None) -> bool:
    if folder is None:
        return False
    return file.resolve().is_relative_to(folder) or file.parent.resolve().is_relative_to(folder)


def run(
    command: Sequence[str],
    folder: Path,
    *,
    environment: Mapping[str, str] | None = None,
    given: bytes = b"",
    seconds: float,
    most: int,
) -> Ran:
    """Run a program to its end in a process group of its own, with nothing but ``given`` on its input.

    Raises TimeoutError after ``seconds``, with the whole group ended; OSError if it can't be started. Reads at
    most ``most`` bytes of output.
    """
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as complaints:
        source.write(given)
        source.seek(0)
        with subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=source if given else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            start_new_session=True,
        ) as process:
            assert process.stdout is not None
            watch, held = _Watch(process, seconds), leash()
            if held is not None:
                held.hold(process)
            try:
                output = process.stdout.read(most + 1)
                if len(output) > most:
                    end(process)
                process.wait()
            except BaseException:
                end(process)
                raise
            finally:
                watch.cancel()
                if held is not None:
                    held.let_go(process)
        if watch.fired:
            raise TimeoutError(f"{command[0]} did not end within {seconds:g} seconds")
        complaints.seek(0)
        said = complaints.read(_LONGEST_COMPLAINT).decode("utf-8", "replace")
    return Ran(process.returncode, output[:most], said, cut=len(output) > most)


class _Watch(Timer):
    """Ends a process when its time is over."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        super().__init__(seconds, self._end)
        self._process = process
        self.fired = False
        self.daemon = True
        self.start()

    def _end(self) -> None:
        self.fired = True
        end(self._process)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started (it leads its own group)."""
    try:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()
