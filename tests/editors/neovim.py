"""A Neovim of its own for a test: the plugin, the server of this checkout, and a scripted model behind it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.testkit.script import Reply
from tests.server.talking import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from socreates_lsp.testkit.script import Asked
    from socreates_lsp.testkit.server import ScriptedServer

HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent
PLUGIN = REPOSITORY / "editors" / "nvim"

APP = """import threading

LOCK = threading.Lock()
rows = []


def save(row):
    with LOCK:
        rows.append(row)
    return len(rows)


def load(path):
    return open(path).read()
"""

FETCH = "import requests\n\n\ndef fetch(url):\n    return requests.get(url).json()\n"

TWO_QUESTIONS = """[question] app.py:10 concurrency
> return len(rows)
What does `save` return if another thread appends between the lock and `len(rows)`?
Why: the length is read after the lock is released.

[question] app.py:14 error-handling
> return open(path).read()
Who closes what `open` opens in `load` when `read` raises?
Why: the descriptor stays open until the collector comes.
"""
CLAIM = "The lock at app.py:9 protects this."
STANDS = "Does the lock reach as far as app.py:10?\n\nVerdict: stands"


def needs(program: str, install: str) -> pytest.MarkDecorator:
    """Skip where a program is missing, except in CI, where the test then fails."""
    missing = shutil.which(program) is None and not os.environ.get("CI")
    return pytest.mark.skipif(missing, reason=f"{program} is not installed ({install})")


def the_model(hanging: Path) -> Callable[[Asked], Reply]:
    """Reviews: one of a text with HANG in it never ends, and makes the file ``hanging``; each other one asks for a
    command first. Replies: the question stands."""

    def answer(asked: Asked) -> Reply:
        messages = asked.body["messages"]
        words = json.dumps(messages[-1])
        if "The lock at app.py" in words:
            return Reply(text=STANDS)
        if "HANG" in words:
            hanging.touch()
            return Reply(text="Let me see.", hang=True)
        if messages[-1]["role"] == "tool":
            return Reply(text=TWO_QUESTIONS)
        return Reply(calls=(("run_command", {"command": "python3 -m unittest"}),))

    return answer


def results_of_commands(model: ScriptedServer) -> set[str]:
    """What the model was told of the commands that it asked for."""
    messages = [one for chat in model.chats for one in chat["messages"]]
    return {one["content"] for one in messages if one["role"] == "tool"}


def server_script(folder: Path) -> Path:
    """The server of this checkout as a program that needs nothing of the environment."""
    path = folder / "server" / "socreates-lsp"
    path.parent.mkdir(exist_ok=True)
    python, home = shlex.quote(sys.executable), shlex.quote(str(REPOSITORY))
    path.write_text(f'#!/bin/sh\nPYTHONPATH={home} exec {python} -P -m socreates_lsp "$@"\n')
    path.chmod(0o755)
    return path


def environment(folder: Path, **more: str) -> dict[str, str]:
    """An empty home; the user's own settings stay away."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "NVIM"))}
    state = {"SOCREATES_STATE_DIR": str(folder / "state"), "SOCREATES_CONFIG_DIR": str(folder / "config")}
    return {**kept, **state, "HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8", **more}


STATUSLINE = """
vim.api.nvim_create_autocmd('LspAttach', {
  callback = function() vim.o.statusline = '%f  ready  %{v:lua.require("socreates").statusline()}' end,
})
"""
"""A statusline that says when the server is there, for those who read the screen."""


def as_variables(model: ScriptedServer) -> dict[str, str]:
    """A scripted model named by variables, for an editor whose configuration is not to be touched."""
    return {
        "SOCREATES_MODEL__PROVIDER": "openai",
        "SOCREATES_MODEL__BASE_URL": model.openai_url,
        "SOCREATES_MODEL__NAME": "m",
        "SOCREATES_REVIEW__LEADS": "false",
        "SOCREATES_REVIEW__VERIFY": "false",
    }


def write_init(path: Path, options: dict[str, Any] | None, more: str = "") -> Path:
    """An init.lua that loads the plugin with these options, as a user's would; without any by ``vim.lsp.enable``."""
    given = json.dumps(json.dumps(options))
    setup = f"require('socreates').setup(vim.json.decode({given}))"
    start = "vim.lsp.enable('socreates')" if options is None else setup
    path.write_text(f"vim.opt.runtimepath:prepend({json.dumps(str(PLUGIN))})\n{start}\n{more}")
    return path


def options_for(folder: Path, model: ScriptedServer, **more: Any) -> dict[str, Any]:
    """The plugin's options: the server by its path, and a scripted model."""
    return {"cmd": str(server_script(folder)), "settings": settings(model), **more}
