"""What Tab completes: commands and what goes with them, and paths, also within a question."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit.completion import Completer, Completion

from socreates_lsp.cli.chat.commands import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

_WORD = re.compile(r"(?:[^\s\\]|\\.)*$")
_MOST_NAMES = 200
_UNWANTED = frozenset({"__pycache__", "node_modules"})


class Completions(Completer):
    """Commands complete while they are typed, paths when Tab asks for them."""

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """See ``Completer``."""
        text = document.text_before_cursor
        name, space, rest = text.partition(" ")
        if "\n" not in text and name.startswith("/") and not space:
            yield from _commands(name)
        command = COMMANDS.get(name[1:]) if space and name.startswith("/") else None
        if command is not None:
            if " " not in rest:
                yield from (Completion(f"{one} ", -len(rest)) for one in command.words if one.startswith(rest))
            if not command.takes_paths:
                return
        if complete_event.completion_requested:
            yield from _paths(_WORD.search(text))


def _commands(typed: str) -> Iterator[Completion]:
    for name, command in COMMANDS.items():
        if f"/{name}".startswith(typed):
            more = " " if command.usage else ""
            yield Completion(f"/{name}{more}", -len(typed), display=f"/{name}", display_meta=command.help)


def _paths(word: re.Match[str] | None) -> Iterator[Completion]:
    """The names in a folder that go on with what is typed, as they stand in a command."""
    typed = re.sub(r"\\(.)", r"\1", word[0]) if word is not None else ""
    folder, start = os.path.split(typed)
    for name in _names(os.path.expanduser(folder) or ".", start):  # noqa: PTH111  (never raises)
        shown = os.path.join(folder, name)  # noqa: PTH118  (keeps a trailing separator)
        yield Completion(re.sub(r"([\s\\'\"])", r"\\\1", shown), -len(word[0] if word else ""), display=name)


def _names(folder: str, start: str) -> list[str]:
    """Names below a folder, those of folders with a separator behind; hidden ones only where a dot is typed."""
    found: list[str] = []
    try:
        with os.scandir(Path(folder)) as entries:
            for entry in entries:
                name = entry.name
                hidden = (name.startswith(".") and not start.startswith(".")) or name in _UNWANTED
                if name.startswith(start) and name.isprintable() and not hidden:
                    found.append(name + os.sep if entry.is_dir() else name)
    except (OSError, ValueError):
        return []
    return sorted(found)[:_MOST_NAMES]
