"""The conversation itself, wherever it is held: a line of the user's in, a turn or a command carried out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from socreates_lsp.cli.chat.commands import COMMANDS, named, unknown
from socreates_lsp.cli.review import never_asked
from socreates_lsp.errors import SocreatesError
from socreates_lsp.review.reviewer import Doing, Question, Reading, Said, Stop, Using

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable
    from contextlib import AbstractAsyncContextManager

    from rich.console import Console

    from socreates_lsp.app import App
    from socreates_lsp.conversing import Answering
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.outcome import Outcome
    from socreates_lsp.review.reviewer import Event

T = TypeVar("T", bound="Outcome")


class Out(Protocol):
    """Where a conversation is shown."""

    @property
    def console(self) -> Console:
        """What rich prints to."""
        ...

    def tell(self, text: str = "", *, whole: bool = False) -> None:
        """A line of what was asked for. ``whole``: it is not to be wrapped."""
        ...

    def aside(self, text: str) -> None:
        """A word for somebody who sits at a terminal."""
        ...

    def problem(self, sentence: str) -> None:
        """Something that could not be done."""
        ...

    def show(self, print_it: Callable[[], object]) -> None:
        """Something that rich prints."""
        ...

    def gap(self) -> None:
        """An empty line before the result of a turn, for people."""
        ...

    def said(self, piece: str) -> None:
        """The next piece of an answer."""
        ...

    def answered(self) -> None:
        """The answer is complete."""
        ...

    def doing(self, message: str, done: int = 0, total: int = 0) -> None:
        """What is done at this moment; ``done`` of ``total`` files."""
        ...

    def using(self, tool: str, about: str) -> None:
        """A tool is used."""
        ...

    def busy(self, end: Callable[[], object]) -> AbstractAsyncContextManager[None]:
        """A turn runs, which ``end`` ends."""
        ...


class Talk:
    """See the module. ``numbers`` are those of the findings shown, by id; ``failed``: something could not be asked."""

    def __init__(self, app: App, root: str, out: Out) -> None:
        """``root`` is the folder that it is about."""
        self.app = app
        self.root = root
        self.out = out
        self.numbers: dict[str, int] = {}
        self.failed = False
        self.cancelled = False
        self._turn: asyncio.Task[Any] | None = None
        self._spoke = False

    async def take(self, line: str) -> None:
        """Do what a line says. What goes wrong is told."""
        self.cancelled = False
        command = named(line)
        try:
            if command is None:
                await self._ask(line.strip())
            elif (known := COMMANDS.get(command[0].casefold())) is not None:
                await known.run(self, command[1])
            else:
                self._problem(unknown(command[0]))
        except SocreatesError as error:
            self._problem(str(error))

    def cancel(self) -> bool:
        """End the turn that runs; whether one does."""
        return self._turn is not None and self._turn.cancel()

    async def turn(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Carry out a turn, which ``cancel`` ends. None if that came to nothing. Raises SocreatesError."""
        self._spoke = False
        self._turn = asyncio.create_task(work)
        try:
            async with self.out.busy(self.cancel):
                outcome = await self._turn
        except asyncio.CancelledError:
            if not self._turn.cancelled():
                raise
            self.cancelled = True
            return None
        finally:
            self._turn = None
        self.cancelled = outcome.closed.stop is Stop.CANCELLED
        self.failed = self.failed or never_asked(outcome)
        return outcome

    def hear(self, event: Event) -> None:
        """Show what a turn tells."""
        match event:
            case Reading(uri, _, _, done, total):
                self.out.doing(f"reading {self.app.display_path(uri)}", done, total)
            case Doing(message):
                self.out.doing(message)
            case Using(tool, about):
                self.out.using(tool, about)
            case Said(text):
                self._spoke = True
                self.out.said(text)
            case _:
                pass

    async def _ask(self, text: str) -> None:
        """Put a question to the model."""
        outcome = await self.turn(self.app.ask(Question(text, self.root), self.hear))
        if outcome is None:
            self.out.aside("Cancelled.")
            return
        closed = outcome.closed
        if closed.stop is Stop.FAILED:
            self._problem(closed.summary)
        elif not self._spoke:
            self.out.said(closed.summary)
            self.out.answered()
        elif closed.stop is Stop.CANCELLED:
            self.out.aside("Cancelled: the conversation is as it was before this question.")
        for skipped in outcome.skipped:
            self.out.problem(skipped.reason)

    def number(self, findings: Iterable[Finding]) -> None:
        """Give findings their numbers, in the order in which they are printed; those that have one keep it."""
        files: dict[str, list[Finding]] = {}
        for finding in findings:
            files.setdefault(finding.uri, []).append(finding)
        for group in files.values():
            for finding in sorted(group, key=lambda one: (one.range.start, -one.confidence)):
                self.numbers.setdefault(finding.id, len(self.numbers) + 1)

    def answering(self, found: Answering) -> str:
        """Who answers, as a sentence."""
        if found.model is None:
            return "No model answers; /review asks by rules alone."
        return f"{found.model} answers, at {found.endpoint}." if found.endpoint else f"{found.model} answers."

    def _problem(self, sentence: str) -> None:
        self.failed = True
        self.out.problem(sentence)
