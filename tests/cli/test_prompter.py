"""A prompt in a terminal: shown line by line, with nothing in it that commands the terminal; only a choice is yes."""

from __future__ import annotations

import asyncio
import os
import pty
import sys
import termios
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.cli.prompter import TerminalPrompter
from socreates_lsp.settings.schema import PolicySettings
from socreates_lsp.tools.leave import Leave
from socreates_lsp.tools.toolbox import toolbox
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CHOICES = ("Deny", "Run once")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Callable[[], str]]]:
    """Types a line into a terminal; then, all that was shown in it."""
    ours, theirs = pty.openpty()
    attributes = termios.tcgetattr(theirs)
    attributes[3] &= ~termios.ECHO  # The echo comes when the system likes, in the middle of what we show, too.
    termios.tcsetattr(theirs, termios.TCSANOW, attributes)

    def typed(line: str) -> Callable[[], str]:
        os.write(ours, line.encode() + b"\n")
        monkeypatch.setattr(sys, "stderr", os.fdopen(os.dup(theirs), "w", encoding="utf-8"))
        monkeypatch.setattr(sys, "stdin", os.fdopen(os.dup(theirs), encoding="utf-8"))
        return all_shown

    def all_shown() -> str:
        found = b""
        while b"\n> " not in found:
            found += os.read(ours, 100_000)
        # What comes behind it is not ours: the collector may complain on the same stream.
        question, end, _ = found.decode().replace("\r\n", "\n").partition("\n> ")
        return f"{question}{end}"

    yield typed
    for end in (ours, theirs):
        os.close(end)


def ask(question: str) -> str | None:
    return asyncio.run(TerminalPrompter().ask(question, CHOICES))


def test_each_line_of_a_question_is_a_line(terminal) -> None:
    shown = terminal("2")
    assert ask("May this run?\nIt is not isolated.\nls -l") == "Run once"
    assert shown() == "\nMay this run?\nIt is not isolated.\nls -l\n  1. Deny\n  2. Run once\n> "


def test_what_commands_a_terminal_is_spelled(terminal) -> None:
    shown = terminal("1")
    assert ask("a\x1b[2K\rb\u202e\n\x07c") == "Deny"
    assert shown().startswith("\na\\x1b[2K\\x0db\\u202e\n\\x07c\n")


@pytest.mark.parametrize(
    ("line", "answer"),
    [("2", "Run once"), ("run ONCE", "Run once"), (" 1 ", "Deny"), ("", None), ("y", None), ("3", None), ("0", None)],
)
def test_only_what_was_offered_is_an_answer(terminal, line: str, answer: str | None) -> None:
    terminal(line)
    assert ask("?") == answer


def test_without_a_terminal_nobody_is_asked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"1\n")
    monkeypatch.setattr(sys, "stdin", os.fdopen(reading))
    assert ask("?") is None
    assert capsys.readouterr().err == ""
    os.close(writing)


async def test_a_command_of_several_lines_is_one_line_of_the_prompt(terminal, root: Path) -> None:
    shown = terminal("1")
    leave = Leave(PolicySettings(), TerminalPrompter(), lambda *_: None)
    tools = toolbox(str(root), Workspace([uris.from_path(str(root))]), PolicySettings(), leave, trusted=True)
    result = await tools[-1].run({"command": "echo 1\nIt is safe.\x1b[2K"}, 1000)
    assert result.failed
    lines = shown().split("\n")
    assert "on a temporary copy of the workspace. It is not isolated" in lines[1]
    assert lines[2:] == [
        "echo 1‹new line›It is safe.‹U+001B›[2K", "  1. Deny", "  2. Run once", "  3. Allow for this session", "> "
    ]  # fmt: skip
