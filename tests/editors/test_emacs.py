"""Emacs 28 with eglot, in batch: action, prompt, diagnostics, hover, and an editor that is not blocked by a review."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.cli.snippets import SNIPPETS
from socreates_lsp.testkit.script import Reply
from socreates_lsp.testkit.server import ScriptedServer
from tests.editors.neovim import (
    APP,
    HERE,
    TWO_QUESTIONS,
    as_variables,
    environment,
    needs,
    server_script,
    the_model,
)

if TYPE_CHECKING:
    from pathlib import Path

    from socreates_lsp.testkit.script import Asked

pytestmark = [pytest.mark.editor, needs("emacs", "apt-get install emacs-nox elpa-eglot")]


def test_a_review_in_emacs(root: Path, tmp_path: Path) -> None:
    file, out = root / "app.py", tmp_path / "seen.json"
    file.write_text(APP, encoding="utf-8")
    hanging, gate = tmp_path / "hanging", tmp_path / "gate"
    usual = the_model(hanging)

    def answer(asked: Asked) -> Reply:
        if not (reply := usual(asked)).hang:
            return reply
        until = time.monotonic() + 120
        while not gate.exists() and time.monotonic() < until:
            time.sleep(0.02)
        return Reply(text=TWO_QUESTIONS)

    with ScriptedServer(answer) as model:
        drive = {
            "configuration": SNIPPETS["emacs"], "file": str(file),
            "out": str(out), "hanging": str(hanging), "gate": str(gate),
        }  # fmt: skip
        path = f"{server_script(tmp_path).parent}:{os.environ['PATH']}"
        env = environment(tmp_path, **as_variables(model), DRIVE=json.dumps(drive), PATH=path)
        done = subprocess.run(
            ["emacs", "--batch", "-q", "-l", str(HERE / "emacs.el")],
            env=env, cwd=root,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=400, check=False,
        )  # fmt: skip
    assert out.exists(), done.stderr.decode()
    seen = json.loads(out.read_text(encoding="utf-8"))
    assert "failure" not in seen, f"{seen}\n{done.stderr.decode()}"

    first, second = (line for line in TWO_QUESTIONS.splitlines() if line.endswith("?"))
    action, command, again, fixes = seen["prompts"]
    assert action["titles"] == again["titles"][-1:] == ["Ask Socreates"]
    assert "python3 -m unittest" in command["prompt"]
    assert command["titles"] == ["Run once", "Allow for this session", "Deny"]
    assert "Socreates: dismiss" in fixes["titles"]
    assert [(one["line"], first in one["message"]) for one in seen["diagnostics"]] == [(10, True), (14, False)]
    for hover in (seen["hover"], seen["meanwhile"]):
        assert "the length is read after the lock is released" in hover
    assert seen["open"], "the hover was answered and timers ran while the model had not answered yet"
    assert [second in one["message"] for one in seen["left"]] == [True]
    assert file.read_text(encoding="utf-8") == APP
