"""What stands in the terminal during a turn: lines that stay, and below them one that says what is done.

Everything is printed once. While a prompt is open nothing is; what comes meanwhile follows behind it.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from rich.cells import set_cell_size
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from socreates_lsp.cli.chat.blocks import Blocks
from socreates_lsp.cli.chat.markdown import lines_of
from socreates_lsp.cli.printable import printable, prose

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator

    from rich.console import Console

    from socreates_lsp.cli.chat.blocks import Block

_TICK_S = 1.0
_COLUMN = re.compile(r"\S\s{2,}(?=\S)")
_NARROWEST = 20
_ENDS = "Ctrl+C ends it"


class Page:
    """See the module."""

    def __init__(self, console: Console) -> None:
        """A console that is no terminal, or a dumb one, has no line that changes."""
        self._console = console
        self._changes = console.is_terminal and not console.is_dumb_terminal
        self._blocks: Blocks | None = None
        self._doing = ""
        self._since = 0.0
        self._is_shown = False
        self._is_busy = False
        self._held: list[Callable[[], object]] | None = None

    @property
    def console(self) -> Console:
        """Where it is printed to."""
        return self._console

    # Lines that stay

    def line(self, text: str = "", style: str = "") -> None:
        """A line, with all in it that a terminal must not get spelled out."""
        self.show(lambda: self.now(text, style))

    def wrapped(self, text: str) -> None:
        """A line, wrapped between its words; what follows stands below its last column."""
        line = Text(printable(text, self._console.encoding))
        columns = list(_COLUMN.finditer(text[: self._console.width // 2]))
        hang = columns[-1].end() if columns else len(text) - len(text.lstrip())
        first, *rest = line.wrap(self._console, self._console.width)
        width = max(self._console.width - hang, _NARROWEST)
        more = Text(line.plain[len(first.plain) :].lstrip()).wrap(self._console, width) if rest else ()
        for part in (first, *(Text(" " * hang).append_text(one) for one in more)):
            part.rstrip()
            self.show(partial(self._as_it_is, part))

    def now(self, text: str, style: str = "") -> None:
        """A line of whoever has the terminal; see ``held``."""
        self._as_it_is(Text(printable(text, self._console.encoding), style))

    def sentence_now(self, text: str, style: str = "") -> None:
        """A sentence of whoever has the terminal, wrapped between its words."""
        self._console.print(Text(prose(text, self._console.encoding), style))

    def sentence(self, text: str, style: str = "") -> None:
        """A sentence, wrapped between its words."""
        self.show(lambda: self.sentence_now(text, style))

    def show(self, print_it: Callable[[], object]) -> None:
        """Print something below all that was said so far."""
        self.answered()
        self._do(print_it)

    def said(self, piece: str) -> None:
        """The next piece of an answer, which ends where a block does: no more is ever said before it is decided."""
        if self._blocks is None:
            self._blocks = Blocks()
        for block in (*self._blocks.feed(piece), *self._blocks.end()):
            self._do(partial(self._block, block))

    def answered(self) -> None:
        """What was said so far is complete."""
        self._blocks = None

    def _block(self, block: Block) -> None:
        if block.gap:
            self._as_it_is(Text())
        for line in lines_of(block.text, self._console):
            self._as_it_is(line)

    def _as_it_is(self, line: Text) -> None:
        self._console.print(line, no_wrap=True, overflow="ignore", crop=False)

    def _do(self, print_it: Callable[[], object]) -> None:
        if self._held is not None:
            self._held.append(print_it)
            return
        self._wipe()
        print_it()
        self._draw()

    # The line that changes

    def doing(self, message: str) -> None:
        """What is done at this moment."""
        self._doing = message
        self._draw()

    @asynccontextmanager
    async def busy(self) -> AsyncGenerator[None]:
        """Something is done: the last line says what, and for how long."""
        self._doing, self._since, self._is_busy = "", time.monotonic(), True
        ticking = asyncio.create_task(self._tick())
        try:
            yield
        finally:
            ticking.cancel()
            self._is_busy = False
            self._wipe()
            self.answered()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_TICK_S)
            self._draw()

    def _draw(self) -> None:
        """Draw the line anew, over itself."""
        if not (self._changes and self._is_busy) or self._held is not None:
            return
        encoding, width = self._console.encoding, self._console.width - 1
        seconds = int(time.monotonic() - self._since)
        told = [self._doing or "one moment", *([f"{seconds} s"] if seconds else []), _ENDS]
        line = printable(" · ".join(told) if encoding.startswith("utf") else " - ".join(told), encoding)
        line = set_cell_size(line, width).rstrip()
        self._clear()
        self._console.print(Text(line, "dim"), end="", no_wrap=True, overflow="ignore", crop=False)
        self._is_shown = True

    def _wipe(self) -> None:
        if self._is_shown:
            self._clear()
            self._is_shown = False

    def _clear(self) -> None:
        self._console.control(Control((ControlType.CURSOR_MOVE_TO_COLUMN, 0), (ControlType.ERASE_IN_LINE, 2)))

    # Prompts

    @contextmanager
    def held(self) -> Generator[None]:
        """A prompt has the terminal; what is printed meanwhile follows behind it."""
        self._wipe()
        self._held = []
        try:
            yield
        finally:
            held, self._held = self._held, None
            for print_it in held:
                self._do(print_it)
            self._draw()
