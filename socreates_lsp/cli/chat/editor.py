"""The line that the user types: several lines of it, what was typed before, what Tab completes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import History, InMemoryHistory
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyBindings

from socreates_lsp.cli.chat.completion import Completions
from socreates_lsp.cli.chat.tty import typed_ahead

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prompt_toolkit.key_binding import KeyPressEvent

    from socreates_lsp.conversing import LinesKept

MARK = "> "
_MORE = ". "


class Interrupted(Exception):  # noqa: N818  (no error)
    """Ctrl+C at the prompt. ``empty``: nothing was typed."""

    def __init__(self, *, empty: bool) -> None:
        """Say whether there was something to drop."""
        super().__init__()
        self.empty = empty


class Editor:
    """Asks for the user's next line. Made where there is a terminal."""

    def __init__(self, kept: LinesKept | None) -> None:
        """``kept`` None: what is typed is forgotten at the end."""
        self._ahead = ""
        self._session: PromptSession[str] = PromptSession(
            history=InMemoryHistory() if kept is None else _Kept(kept),
            multiline=True,
            prompt_continuation=_MORE,
            completer=Completions(),
            complete_while_typing=Condition(_is_command),
            key_bindings=_keys(),
            enable_open_in_editor=False,
            reserve_space_for_menu=6,
        )
        self._answers: PromptSession[str] = PromptSession()

    async def line(self) -> str:
        """What the user says next. Raises EOFError where he leaves, and Interrupted."""
        ahead, self._ahead = self._ahead, ""
        return await self._session.prompt_async(MARK, default=ahead)

    def forget_ahead(self) -> None:
        """What was typed before Ctrl+C is not meant any more; the terminal forgets it, too."""
        get_typeahead(self._session.input)
        self._ahead = ""

    async def answer(self) -> str:
        """One line in answer to a question; what was typed before it was asked is no answer.

        Raises EOFError and KeyboardInterrupt.
        """
        keys = get_typeahead(self._answers.input)
        self._ahead += typed_ahead()
        try:
            return (await self._answers.prompt_async(MARK)).strip()
        finally:
            store_typeahead(self._answers.input, keys)
            self._answers.history = InMemoryHistory()


class _Kept(History):
    """The lines of the sessions before."""

    def __init__(self, kept: LinesKept) -> None:
        super().__init__()
        self._lines = kept

    def load_history_strings(self) -> Iterable[str]:
        """See ``History``: the newest first."""
        return reversed(self._lines.lines())

    def store_string(self, string: str) -> None:
        """See ``History``."""
        self._lines.add(string)


def _is_command() -> bool:
    """Whether the name of a command is typed, which completes by itself."""
    text = get_app().current_buffer.text
    return text.startswith("/") and " " not in text


def _keys() -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("enter")
    def _(event: KeyPressEvent) -> None:
        """A backslash at the end asks for another line."""
        buffer = event.current_buffer
        if buffer.document.text_before_cursor.endswith("\\") and not buffer.document.text_after_cursor:
            buffer.delete_before_cursor()
            buffer.newline(copy_margin=False)
        else:
            buffer.validate_and_handle()

    @bindings.add("escape", "c-j")  # as a terminal hands on what was typed before the prompt
    @bindings.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.newline(copy_margin=False)

    @bindings.add("c-c")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(exception=Interrupted(empty=not event.current_buffer.text))

    return bindings
