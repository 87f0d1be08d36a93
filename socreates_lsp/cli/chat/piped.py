"""The conversation through a pipe, or in a terminal that cannot move its cursor: a line is a question or a command.

Answers go to standard output, without colours and marks; progress and problems to standard error.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
import threading
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.app import App
from socreates_lsp.cli.chat.commands import LEAVE, leaves
from socreates_lsp.cli.chat.talk import Talk
from socreates_lsp.cli.chat.tty import are_terminals, interrupts
from socreates_lsp.cli.exits import COULD_NOT_RUN, INTERRUPTED, complain
from socreates_lsp.cli.printable import printable
from socreates_lsp.cli.progress import Progress
from socreates_lsp.cli.prompter import TerminalPrompter
from socreates_lsp.cli.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

_LONGEST = 1_000_000
"""Bytes of a line at most."""


async def talk(flags: Sequence[str]) -> int:
    """Carry out what comes, line by line, until the input ends."""
    app = App.for_command_line(flags, TerminalPrompter())
    sits = are_terminals()
    talk = Talk(app, str(Path.cwd()), Sheet(sits=sits))
    lines = Lines(marked=sits)
    try:
        for problem in app.resolved.problems:
            complain(problem.message)
        with interrupts(lambda: talk.cancel() or lines.interrupted()) if sits else nullcontext():
            await _converse(talk, lines, sits=sits)
    finally:
        await app.close()
    if talk.cancelled and not sits:
        return INTERRUPTED
    return COULD_NOT_RUN if talk.failed and not sits else 0


async def _converse(talk: Talk, lines: Lines, *, sits: bool) -> None:
    """``sits``: somebody is there, who ends a turn with Ctrl+C and goes on."""
    first = True
    while (line := await lines.next()) is not None and not leaves(line):
        if not line.strip():
            continue
        if not first:
            talk.out.tell()
        first = False
        await talk.take(line)
        sys.stdout.flush()
        if talk.cancelled and not sits:
            return


class Sheet:
    """See ``Out``. What is said of an answer comes at its end, as it is written."""

    def __init__(self, *, sits: bool) -> None:
        """Print to standard output. ``sits``: somebody is there."""
        self.console = Terminal()
        self._sits = sits
        self._said = ""
        self._progress: Progress | None = None

    def tell(self, text: str = "", *, whole: bool = True) -> None:  # noqa: ARG002
        """See ``Out``."""
        sys.stdout.write(printable(text, sys.stdout.encoding or "utf-8") + "\n")

    def aside(self, text: str) -> None:
        """See ``Out``."""
        if self._sits:
            self.tell(text)

    def problem(self, sentence: str) -> None:
        """See ``Out``."""
        complain(sentence)

    def show(self, print_it: Callable[[], object]) -> None:
        """See ``Out``."""
        sys.stdout.flush()
        print_it()

    def gap(self) -> None:
        """See ``Out``."""

    def said(self, piece: str) -> None:
        """See ``Out``."""
        self._said += piece

    def answered(self) -> None:
        """See ``Out``."""
        said, self._said = self._said, ""
        for line in said.splitlines():
            self.tell(line)

    def doing(self, message: str, done: int = 0, total: int = 0) -> None:
        """See ``Out``."""
        if self._progress is not None:
            self._progress.update(done, total, message)

    def using(self, tool: str, about: str) -> None:
        """See ``Out``."""
        self.doing(f"{tool.replace('_', ' ')} {about}".strip())

    @asynccontextmanager
    async def busy(self, end: Callable[[], object]) -> AsyncGenerator[None]:  # noqa: ARG002
        """See ``Out``."""
        try:
            with Progress() as self._progress:
                yield
        finally:
            self._progress = None
            self.answered()


class Lines:
    """The lines of standard input. A backslash at the end of one joins the next."""

    def __init__(self, *, marked: bool) -> None:
        """``marked``: somebody types them, and sees where."""
        self._marked = marked
        self._rest = ""
        self._ended = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def interrupted(self) -> None:
        """Ctrl+C where a line was being typed, which the terminal has dropped."""
        sys.stdout.write(f"\n{LEAVE}\n> ")
        sys.stdout.flush()

    async def next(self) -> str | None:
        """The next line, or what is left; None at the end."""
        joined: list[str] = []
        while (line := await self._one(more=bool(joined))) is not None:
            if not line.endswith("\\"):
                return "\n".join((*joined, line))
            joined.append(line[:-1])
        return "\n".join(joined) or None

    async def _one(self, *, more: bool) -> str | None:
        if self._marked:
            sys.stdout.write(". " if more else "> ")
            sys.stdout.flush()
        while "\n" not in self._rest and not self._ended and len(self._rest) < _LONGEST:
            piece = await _read()
            self._ended = not piece
            self._rest += self._decoder.decode(piece, self._ended)
        line, newline, self._rest = self._rest.partition("\n")
        return line.removesuffix("\r") if line or newline else None


async def _read() -> bytes:
    """What there is to read, b"" at the end. A thread waits for it, which holds nothing up when all ends before."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[bytes] = loop.create_future()

    def settle(piece: bytes, error: OSError | None) -> None:
        if not done.done():
            done.set_result(piece) if error is None else done.set_exception(error)

    def work() -> None:
        piece, error = b"", None
        try:
            piece = os.read(sys.stdin.fileno(), 65536)
        except OSError as failure:
            error = failure
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, piece, error)

    threading.Thread(target=work, daemon=True, name="standard input").start()
    return await done
