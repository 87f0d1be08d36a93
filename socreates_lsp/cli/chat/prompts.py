"""Questions to the user in the middle of a turn: for leave to run a command, for a plan, for what only he can tell."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from socreates_lsp.cli.chat.editor import Editor
    from socreates_lsp.cli.chat.page import Page


class PagePrompter:
    """Asks below the page, one prompt at a time. Outside a turn nobody is asked."""

    def __init__(self, page: Page) -> None:
        """Ask nobody before ``seat``."""
        self._page = page
        self._editor: Editor | None = None
        self._end: Callable[[], object] | None = None
        self._seconds: Callable[[], float] = lambda: 0.0
        self._one = asyncio.Lock()

    def seat(self, editor: Editor, seconds: Callable[[], float]) -> None:
        """From now on there is somebody to ask, who may take so many seconds."""
        self._editor, self._seconds = editor, seconds

    def during(self, end: Callable[[], object] | None) -> None:
        """A turn runs, which Ctrl+C ends by this; None: it has ended."""
        self._end = end

    def present(self) -> bool:
        """See ``Prompter``."""
        return self._editor is not None

    async def ask(self, question: str, choices: tuple[str, ...]) -> str | None:
        """See ``Prompter``. Only a number or a title is an answer; a line that is neither is asked for again."""
        async with self._one:
            with self._page.held():
                self._print(question, choices)
                for _ in range(_MOST_TRIES):
                    line = await self._line()
                    numbers = {str(number): choice for number, choice in enumerate(choices, start=1)}
                    named = (choice for choice in choices if line and choice.casefold() == line.casefold())
                    answer = numbers.get(line or "") or next(named, None)
                    if answer is not None or not line:
                        return answer
                    self._page.now(f"Answer with a number from 1 to {len(choices)}; Enter alone is no answer.", "dim")
        return None

    def can_write(self) -> bool:
        """See ``Prompter``."""
        return self.present()

    async def write(self, question: str) -> str | None:
        """See ``Prompter``: an empty line is no answer."""
        async with self._one:
            with self._page.held():
                self._print(question, ())
                return await self._line() or None

    def _print(self, question: str, choices: tuple[str, ...]) -> None:
        """The line breaks in a question are those of its author; what it quotes has none left."""
        self._page.now("")
        head, *rest = question.split("\n")
        self._page.sentence_now(head, "bold")
        for line in rest:
            self._page.now(line)
        for number, choice in enumerate(choices, start=1):
            self._page.now(f"  {number}. {choice}")

    async def _line(self) -> str | None:
        """What the user types; None for no answer. Ctrl+C ends the turn."""
        if self._editor is None or self._end is None:
            return None
        try:
            async with asyncio.timeout(self._seconds()):
                return await self._editor.answer()
        except EOFError:
            return None
        except TimeoutError:
            self._page.now("There was no answer in time, which means no.", "dim")
            return None
        except KeyboardInterrupt:
            self._end()
            return None


_MOST_TRIES = 3
