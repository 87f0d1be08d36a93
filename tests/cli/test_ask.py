"""``socreates-lsp ask`` as a process: answers, JSON, and what cannot be asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.testkit.script import Reply
from socreates_lsp.testkit.server import ScriptedServer

if TYPE_CHECKING:
    from pathlib import Path


def ran(folder: Path, *arguments: str, model: ScriptedServer | None = None) -> subprocess.CompletedProcess[str]:
    """Run it, with a scripted model or with the examiner."""
    env = {**os.environ, "SOCREATES_MODEL__PROVIDER": "examiner"}
    if model is not None:
        env |= {"SOCREATES_MODEL__PROVIDER": "openai", "SOCREATES_MODEL__BASE_URL": model.openai_url}
    command = [sys.executable, "-P", "-m", "socreates_lsp", "ask", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, check=False, env=env, stdin=subprocess.DEVNULL
    )


def test_an_answer_about_lines_of_a_file(root: Path) -> None:
    (root / "app.py").write_text("a = 1\nb = 2\n")
    with ScriptedServer([Reply(text="Because of app.py:2. What is b for?", prompt_tokens=2000)]) as model:
        done = ran(root, "why two?", "app.py", "--lines", "2", model=model)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "Because of app.py:2. What is b for?\n"
        (chat,) = model.chats
        assert "It is about app.py, line 2." in chat["messages"][-1]["content"]
        assert "run_command" not in json.dumps(chat["tools"])


def test_the_answer_as_json(root: Path) -> None:
    (root / "app.py").write_text("a = 1\n")
    text = "[question] app.py:1 naming\n> a = 1\nWhat is `a`?\n"
    with ScriptedServer([Reply(text=text)]) as model:
        answer = json.loads(ran(root, "what?", "app.py", "--format", "json", model=model).stdout)
    assert sorted(answer) == ["findings", "skipped", "stop", "text", "usage"]
    assert answer["text"].split() == text.split()
    assert [(one["path"], one["line"], one["endLine"]) for one in answer["findings"]] == [("app.py", 1, 1)]


def test_a_failure_is_one_sentence(root: Path) -> None:
    with ScriptedServer([Reply(status=401, error="no")]) as model:
        done = ran(root, "why?", model=model)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "key" in done.stderr


def test_without_a_model_it_says_how_to_add_one(root: Path) -> None:
    done = ran(root, "why?")
    assert done.returncode == 0
    assert "model.provider" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((" ",), "the question is empty"),
        (("why?", "--lines", "1"), "--lines needs a file"),
        (("why?", "gone.py"), "does not exist"),
        (("why?", "."), "is a folder"),
        (("why?", "loop"), "leads back to itself"),
    ],
)
def test_what_cannot_be_asked(root: Path, arguments: tuple[str, ...], sentence: str) -> None:
    (root / "loop").symlink_to("loop")
    done = ran(root, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_nobody_can_approve_a_plan_in_a_pipe(root: Path) -> None:
    with ScriptedServer([Reply(text="1. Read.")]) as model:
        done = ran(root, "why?", "--set", "planMode=true", model=model)
        assert "nobody is here who could approve a plan" in done.stdout + done.stderr
        assert model.chats == []
