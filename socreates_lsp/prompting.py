"""How the user is asked for leave: a prompt in the editor, or a line in the terminal. Only the user's answer grants."""

from __future__ import annotations

from typing import Protocol


class Prompter(Protocol):
    """Whoever can put a question to the user. One prompt at a time; the others wait their turn."""

    def present(self) -> bool:
        """Whether there is a user to ask."""
        ...

    async def ask(self, question: str, choices: tuple[str, ...]) -> str | None:
        """The title that the user chose; None for no answer, an error, or anything that was not offered.

        The first of ``choices`` grants nothing: many a client preselects it, or makes it the primary button, and
        whoever presses Return by accident must have said no. What it is about stands last in the question, on a line
        of its own, so that it is next to the choices and nothing after it can be taken for a part of it.
        """
        ...

    def can_write(self) -> bool:
        """Whether the user can answer in words of their own."""
        ...

    async def write(self, question: str) -> str | None:
        """What the user wrote; None for no answer, an error, or a user who can't write."""
        ...


class Nobody:
    """There is no user to ask: the answer to everything is no."""

    def present(self) -> bool:
        """See ``Prompter``."""
        return False

    async def ask(self, question: str, choices: tuple[str, ...]) -> str | None:  # noqa: ARG002
        """See ``Prompter``."""
        return None

    def can_write(self) -> bool:
        """See ``Prompter``."""
        return False

    async def write(self, question: str) -> str | None:  # noqa: ARG002
        """See ``Prompter``."""
        return None
