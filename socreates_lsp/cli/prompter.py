"""Prompts to the user in the terminal. Without one, there is nobody to ask, and the answer is no."""

from __future__ import annotations

import asyncio
import sys

from socreates_lsp.cli.printable import printable


class TerminalPrompter:
    """Asks on standard error and reads a line of standard input, one prompt at a time."""

    def __init__(self) -> None:
        """Ask where this process is told things."""
        self._one = asyncio.Lock()

    def present(self) -> bool:
        """See ``Prompter``."""
        return sys.stdin is not None and sys.stderr is not None and sys.stdin.isatty() and sys.stderr.isatty()

    async def ask(self, question: str, choices: tuple[str, ...]) -> str | None:
        """See ``Prompter``."""
        if not self.present():
            return None
        line = await self._line(question, choices)
        numbers = {str(number): choice for number, choice in enumerate(choices, start=1)}
        return numbers.get(line) or next((choice for choice in choices if choice.casefold() == line.casefold()), None)

    def can_write(self) -> bool:
        """See ``Prompter``."""
        return self.present()

    async def write(self, question: str) -> str | None:
        """See ``Prompter``: one line, of which an empty one is no answer."""
        return (await self._line(question, ())) or None if self.present() else None

    async def _line(self, question: str, choices: tuple[str, ...]) -> str:
        async with self._one:
            sys.stderr.write(_shown(question, choices, sys.stderr.encoding or "utf-8"))
            sys.stderr.flush()
            return (await asyncio.to_thread(sys.stdin.readline)).strip()


def _shown(question: str, choices: tuple[str, ...], encoding: str) -> str:
    """The prompt. The line breaks in a question are those of its author; what it quotes has none left."""
    offered = [f"  {number}. {choice}" for number, choice in enumerate(choices, start=1)]
    lines = [printable(line, encoding) for line in (*question.split("\n"), *offered)]
    return "\n" + "\n".join(lines) + "\n> "
