"""Emacs 28 with eglot, in batch: action, prompt, diagnostics, hover, and an editor that is not blocked by a review."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.testkit.script import Reply
from socreates_lsp.testkit.server import ScriptedServer
from socreates_lsp.tools.leave import NOT_ALLOWED
from tests.editors.emacs import driven, needs_emacs
from tests.editors.neovim import APP, FETCH, TWO_QUESTIONS, as_variables, results_of_commands, the_model

if TYPE_CHECKING:
    from pathlib import Path

    from socreates_lsp.testkit.script import Asked

pytestmark = [pytest.mark.editor, needs_emacs]


def test_a_review_in_emacs(root: Path, tmp_path: Path) -> None:
    file = root / "app.py"
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
        drive = {"file": str(file), "hanging": str(hanging), "gate": str(gate)}
        seen = driven(tmp_path, root, "emacs_review.el", as_variables(model), **drive)
        assert NOT_ALLOWED in results_of_commands(model)

    first, second = (line for line in TWO_QUESTIONS.splitlines() if line.endswith("?"))
    action, command, again, fixes = seen["prompts"]
    assert action["titles"] == again["titles"][-1:] == ["Ask Socreates"]
    assert "python3 -m unittest" in command["prompt"]
    assert command["titles"] == ["Deny", "Run once", "Allow for this session"]
    assert "Socreates: dismiss" in fixes["titles"]
    assert [(one["line"], first in one["message"]) for one in seen["diagnostics"]] == [(10, True), (14, False)]
    for hover in (seen["hover"], seen["meanwhile"]):
        assert "the length is read after the lock is released" in hover
    assert seen["open"], "the hover was answered and timers ran while the model had not answered yet"
    assert [second in one["message"] for one in seen["left"]] == [True]
    assert file.read_bytes() == APP.encode()


def test_the_examiner_in_emacs(root: Path, tmp_path: Path) -> None:
    """No model, no settings."""
    file = root / "fetch.py"
    file.write_text(FETCH, encoding="utf-8")
    seen = driven(tmp_path, root, "emacs_once.el", {}, file=str(file))
    assert seen["status"]["reviewer"]["provider"] == "examiner"
    assert len(seen["messages"]) == 2
    assert any("How long may `requests.get` wait" in one for one in seen["messages"])
    assert file.read_bytes() == FETCH.encode()
