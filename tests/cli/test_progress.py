"""The progress bar: late, on a terminal only, gone afterwards, and harmless."""

from __future__ import annotations

import io
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from socreates_lsp.cli import progress
from socreates_lsp.cli.progress import Progress

if TYPE_CHECKING:
    import pytest


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Within the test, as pytest puts its own standard error back before it."""
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    return made


def after_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_AFTER_S", 0.0)


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    with Progress() as bar:
        for done in range(100):
            bar.update(done, 100, "a.py")
    assert terminal.getvalue() == ""


def test_longer_work_shows_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    with Progress() as bar:
        bar.update(1, 9, "first.py")
        monkeypatch.setattr(bar, "_since", time.monotonic() - 1.1)
        bar.update(3, 9, "src/app.py")
        bar.update(4, 9, "src/\x1b[2Jnext.py")
    output = terminal.getvalue()
    assert "first.py" not in output
    assert "4/9" in output
    assert "src/\\x1b[2Jnext.py" in output
    assert "\x1b[2J" not in output


def test_it_takes_itself_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    after_a_second(monkeypatch)
    with suppress(RuntimeError), Progress() as bar:
        bar.update(1, 2, "a.py")
        raise RuntimeError
    shown = terminal.getvalue()
    assert "a.py" in shown
    assert shown.endswith("\x1b[2K"), "the line is wiped"
    assert "\x1b[?25h" in shown.rpartition("\x1b[?25l")[2], "the cursor is back"


def test_a_long_name_stays_on_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    after_a_second(monkeypatch)
    with Progress() as bar:
        bar.update(1, 2, "very/" * 60 + "long.py")
    assert "very/very" in terminal.getvalue()
    assert "long.py" not in terminal.getvalue()


def test_no_terminal_shows_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    after_a_second(monkeypatch)
    with Progress() as bar:
        bar.update(1, 2, "a.py")
    assert capsys.readouterr() == ("", "")
