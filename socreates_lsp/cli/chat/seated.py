"""The conversation with somebody at a terminal: a prompt, answers as they come, Ctrl+C for the turn alone."""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp import conversing
from socreates_lsp.app import App
from socreates_lsp.cli.chat.commands import LEAVE, leaves
from socreates_lsp.cli.chat.editor import Editor, Interrupted
from socreates_lsp.cli.chat.page import Page
from socreates_lsp.cli.chat.prompts import PagePrompter
from socreates_lsp.cli.chat.talk import Talk
from socreates_lsp.cli.chat.tty import interrupts
from socreates_lsp.cli.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from rich.console import Console

_HOW = "/help tells what you can do; Ctrl+D leaves."
_NOBODY = (
    "/review asks by rules alone; for answers start Ollama, or name a model in your config.toml (socreates-lsp doctor "
    "tells where that is)."
)


async def talk(flags: Sequence[str]) -> int:
    """Talk until the user leaves."""
    # What a library logs would stand in the middle of what is shown.
    logging.getLogger().addHandler(logging.NullHandler())
    page = Page(Terminal())
    prompter = PagePrompter(page)
    app = App.for_command_line(flags, prompter)
    root = str(Path.cwd())
    kept = conversing.lines_kept(app, root)
    talk = Talk(app, root, Seat(page, prompter))
    try:
        with interrupts(talk.cancel):
            editor = Editor(kept)
            prompter.seat(editor, lambda: app.settings.policy.prompt_seconds)
            for problem in app.resolved.problems:
                talk.out.problem(problem.message)
            await _greet(talk)
            await _converse(talk, editor)
    finally:
        if kept is not None:
            kept.close()
        await app.close()
    return 0


async def _converse(talk: Talk, editor: Editor) -> None:
    while True:
        try:
            line = await editor.line()
        except Interrupted as interrupted:
            if interrupted.empty:
                talk.out.aside(LEAVE)
            continue
        except EOFError:
            return
        if leaves(line):
            return
        if line.strip():
            await talk.take(line)
            if talk.cancelled:
                editor.forget_ahead()
            talk.out.tell()


async def _greet(talk: Talk) -> None:
    """Who answers, what goes on, and what to do where nobody answers."""
    found = await conversing.answering(talk.app)
    if found.model is None:
        talk.out.problem(found.why)
        talk.out.aside(
            "For answers start Ollama, or name a model in your config.toml (socreates-lsp doctor tells where)."
        )
    else:
        talk.out.tell(talk.answering(found))
    resumed = await conversing.resumed(talk.app, talk.root)
    for warning in resumed.warnings:
        talk.out.problem(warning)
    if resumed.turns:
        when = f", the last on {resumed.at:%Y-%m-%d at %H:%M}" if resumed.at else ""
        turns = "1 turn" if resumed.turns == 1 else f"{resumed.turns} turns"
        talk.out.tell(f"The conversation goes on after {turns}{when}; /reset begins anew.")
    talk.out.aside(_HOW)


class Seat:
    """See ``Out``."""

    def __init__(self, page: Page, prompter: PagePrompter) -> None:
        """Show on a page, and ask there."""
        self._page = page
        self._prompter = prompter
        self._speaks = False

    @property
    def console(self) -> Console:
        """See ``Out``."""
        return self._page.console

    def tell(self, text: str = "", *, whole: bool = False) -> None:
        """See ``Out``."""
        self._page.line(text) if whole else self._page.wrapped(text)

    def aside(self, text: str) -> None:
        """See ``Out``."""
        self._page.sentence(text, "dim")

    def problem(self, sentence: str) -> None:
        """See ``Out``."""
        self._page.sentence(sentence, "yellow")

    def show(self, print_it: Callable[[], object]) -> None:
        """See ``Out``."""
        self._page.show(print_it)

    def gap(self) -> None:
        """See ``Out``."""
        self._page.line()

    def said(self, piece: str) -> None:
        """See ``Out``: an empty line stands before an answer."""
        if not self._speaks:
            self.gap()
        self._speaks = True
        self._page.said(piece)

    def answered(self) -> None:
        """See ``Out``."""
        self._speaks = False
        self._page.answered()

    def doing(self, message: str, done: int = 0, total: int = 0) -> None:
        """See ``Out``."""
        self._page.doing(f"{message} ({done} of {total})" if total > 1 else message)

    def using(self, tool: str, about: str) -> None:
        """See ``Out``."""
        self._speaks = False
        self._page.line(f"  {tool} {about}".rstrip(), "dim")

    @asynccontextmanager
    async def busy(self, end: Callable[[], object]) -> AsyncGenerator[None]:
        """See ``Out``."""
        self._prompter.during(end)
        try:
            async with self._page.busy():
                yield
        finally:
            self._prompter.during(None)
            self._speaks = False
