"""``socreates-lsp chat`` in a real terminal, with real keys and a scripted model: what stands on the screen."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.testkit.script import Reply
from socreates_lsp.testkit.server import ScriptedServer
from tests.cli.test_chat_piped import wait_for
from tests.editors.neovim import REPOSITORY, as_variables, environment, needs
from tests.editors.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from socreates_lsp.testkit.script import Asked

pytestmark = [pytest.mark.editor, needs("tmux", "apt-get install tmux")]

APP = "def load(path):\n    return open(path).read()\n"
READY = "Ctrl+D leaves."
LONG = "The first paragraph stands while the second is still being written, " + "as it is long enough for that. " * 6
POINT = "[question] app.py:2 error-handling\n> return open(path).read()\nWho closes what `open` opens?\n"


def the_model(asked: Asked) -> Reply:
    """Says what the last question asks it to."""
    last = asked.body["messages"][-1]
    words = "" if last["role"] == "tool" else str(last["content"])
    if last["role"] == "tool":
        return told(f"It said: {str(last['content'])[:60]}. Is that **so**?")
    if "RUN" in words:
        return Reply(calls=(("run_command", {"command": "echo here"}),), prompt_tokens=5000)
    if "ASK" in words:
        return Reply(calls=(("ask_user", {"question": "Which one?", "options": ["red", "blue"]}),), prompt_tokens=5000)
    if "HANG" in words:
        return Reply(text=f"{LONG}\n\nAnd the second\nis", hang=True, prompt_tokens=5000)
    if words.startswith("Review"):
        return told(POINT)
    if "how you are going to work" in words or "plan" in words.lower():
        return told("1. Read app.py.\n2. Ask.")
    return told("# Answer\n\nSee `app.py:2`:\n\n- who closes it?\n- and when?\n")


def told(text: str) -> Reply:
    return Reply(text=text, prompt_tokens=5000)


@contextmanager
def chatting(root: Path, folder: Path, **more: str) -> Iterator[tuple[Screen, ScriptedServer]]:
    with ScriptedServer(the_model) as model:
        env = environment(folder, **as_variables(model), PYTHONPATH=str(REPOSITORY), **more)
        command = [sys.executable, "-P", "-m", "socreates_lsp", "chat"]
        with Screen(command, cwd=root, env=env, shots=folder / "shots") as screen:
            screen.wait(lambda text: READY in text and at_prompt(text))
            yield screen, model


def enter(screen: Screen, text: str) -> None:
    screen.type(text)
    screen.keys("Enter")


def at_prompt(text: str) -> bool:
    """Whether the last line is an empty prompt."""
    return bool(text.strip()) and text.rstrip().split("\n")[-1].strip() == ">"


def asked(chat: Any) -> str:
    return str(chat["messages"][-1]["content"])


def test_a_conversation_with_keys(root: Path, tmp_path: Path) -> None:
    (root / "app.py").write_text(APP)
    with chatting(root, tmp_path) as (screen, model):
        # An answer in Markdown; several lines of a question.
        screen.type("who closes")
        screen.keys("M-Enter")
        screen.type("what load opens \\")
        screen.keys("Enter")
        screen.type("and when?")
        screen.keys("Enter")
        text = screen.wait(lambda text: "• and when?" in text and at_prompt(text))
        assert "See app.py:2:" in text
        assert "who closes\nwhat load opens \nand when?" in asked(model.chats[0])

        # Ctrl+C ends the turn; what was said stands, and what comes next is not a part of it.
        enter(screen, "HANG")
        screen.wait("The first paragraph stands")
        screen.keys("C-c")
        screen.wait(lambda text: "Cancelled: the conversation is as it was" in text and at_prompt(text))
        screen.keys("C-c")
        screen.wait("Ctrl+D or exit leaves.")

        # Completion of commands and paths, a review, a dismissal by number.
        screen.type("/rev")
        screen.wait("review files, folders, lines, or changes")
        screen.keys("Tab")
        screen.wait("> /review")
        screen.type("ap")
        screen.keys("Tab")
        screen.wait("> /review app.py")
        screen.keys("Enter")
        text = screen.wait(lambda text: "/dismiss NUMBER" in text and "#1" in text and at_prompt(text))
        assert "app.py:2:5  question" in text
        enter(screen, "/dismiss 1 we know")
        screen.wait("Dismissed, and not asked again: app.py:2")

        # What was typed before comes back, also in the next session, which goes on with the conversation.
        screen.keys("C-d")
        screen.gone()
    with chatting(root, tmp_path) as (screen, _):
        assert "The conversation goes on after 2 turns, the last on " in screen.text
        screen.keys("Up")
        screen.wait("> /dismiss 1 we know")
        screen.keys("C-c")
        enter(screen, "quit")
        screen.gone()


def test_prompts_in_the_middle_of_a_turn(root: Path, tmp_path: Path) -> None:
    (root / "app.py").write_text(APP)
    with chatting(root, tmp_path) as (screen, model):
        enter(screen, "/supervise off")
        screen.wait(lambda text: "commands ask all the same" in " ".join(text.split()))
        enter(screen, "RUN it")
        text = screen.wait(lambda text: "1. Deny" in text and at_prompt(text))
        assert "  run_command echo here" in text
        enter(screen, "yes")
        screen.wait("Answer with a number from 1 to 3")
        enter(screen, "1")
        screen.wait(lambda text: "The user did not allow this command" in text and at_prompt(text))
        assert "did not allow" in asked(model.chats[1])

        enter(screen, "ASK me")
        screen.wait(lambda text: "2. blue" in text and at_prompt(text))
        enter(screen, "2")
        screen.wait(lambda text: "It said: The developer answers: blue" in text and at_prompt(text))

        # Ctrl+C at a prompt ends the turn.
        enter(screen, "RUN again")
        screen.wait(lambda text: "> RUN again" in text and text.rstrip().endswith("3. Allow for this session\n>"))
        screen.keys("C-c")
        screen.wait(lambda text: "Cancelled" in text and at_prompt(text))
        enter(screen, "/plan on")
        screen.wait("Plan mode is on")
        enter(screen, "and now?")
        screen.wait(lambda text: "nothing has run yet" in text and at_prompt(text))
        enter(screen, "1")
        screen.wait("You rejected the plan, so nothing was done.")


def test_no_colour_and_a_narrow_terminal(root: Path, tmp_path: Path) -> None:
    (root / "app.py").write_text(APP)
    with chatting(root, tmp_path, NO_COLOR="1") as (screen, _):
        screen._tmux("resize-window", "-t", "t", "-x", "30", "-y", "30")
        enter(screen, "who closes it?")
        screen.wait(lambda text: "• and when?" in text and at_prompt(text))
        coloured = screen._tmux("capture-pane", "-t", "t", "-p", "-e")
        assert "\x1b[3" not in coloured.replace("\x1b[39m", "").replace("\x1b[3m", "")
        assert coloured.count("and when?") == 1


def test_a_terminal_that_cannot_move_its_cursor(root: Path, tmp_path: Path) -> None:
    with ScriptedServer(the_model) as model:
        env = environment(tmp_path, **as_variables(model), PYTHONPATH=str(REPOSITORY))
        command = ["env", "TERM=dumb", sys.executable, "-P", "-m", "socreates_lsp", "chat"]
        with Screen(command, cwd=root, env=env, shots=tmp_path / "shots") as screen:
            screen.wait(at_prompt)
            enter(screen, "HANG")
            wait_for(lambda: model.chats)
            screen.keys("C-c")
            screen.wait(lambda text: "Cancelled" in text and at_prompt(text))
            screen.keys("C-c")
            screen.wait("Ctrl+D or exit leaves.")
            enter(screen, "who closes it?")
            screen.wait(lambda text: "- and when?" in text and at_prompt(text))
            assert "\x1b" not in screen._tmux("capture-pane", "-t", "t", "-p", "-e")
