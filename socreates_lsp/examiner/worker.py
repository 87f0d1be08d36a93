"""The process that parses: it reads jobs from stdin and writes reports to stdout, so that a server never waits.

A parser holds the interpreter's lock for the whole of a large file, and a crash in native code takes its process
with it; both stay here. Frames are four bytes of length (big endian) and a pickle; the other end is always our
own (examiner/pool.py).
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import struct
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from socreates_lsp.errors import SocreatesError

if TYPE_CHECKING:
    from collections.abc import Callable

LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Crash:
    """A job that ended in an exception: its words, for the reader."""

    reason: str


def write_frame(stream: BinaryIO, value: object) -> None:
    """Write one value."""
    body = pickle.dumps(value)
    stream.write(LENGTH.pack(len(body)) + body)
    stream.flush()


def read_frame(stream: BinaryIO) -> bytes | None:
    """Read the pickle of one value; None at the end of the stream."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None


def main() -> None:
    """Serve jobs until stdin ends, which ends the process at once, even in the middle of a job."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    source = os.fdopen(os.dup(0), "rb")
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        while (body := read_frame(source)) is not None:
            jobs.put(body)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    _warm_up(jobs)
    while True:
        write_frame(out, _answer(pickle.loads(jobs.get())))  # noqa: S301  (written by our own parent)


def _warm_up(jobs: queue.SimpleQueue[bytes]) -> None:
    """Import what every job needs, and read rules language by language for as long as no job waits."""
    import socreates_lsp.examiner.engine  # pyright: ignore[reportUnusedImport]
    import socreates_lsp.examiner.examination  # pyright: ignore[reportUnusedImport]  # noqa: F401
    from socreates_lsp.examiner.rule import rules_for
    from socreates_lsp.examiner.syntax import SYNTAX

    with contextlib.suppress(SocreatesError):  # a rule that can't be read is for the job to tell
        for language in SYNTAX:
            if not jobs.empty():
                return
            rules_for(language)


def _answer(job: Callable[[], object]) -> object:
    try:
        return job()
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return Crash(f"{type(error).__name__}: {error}".splitlines()[0])


if __name__ == "__main__":
    sys.exit(main())
