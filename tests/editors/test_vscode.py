"""Real VS Code, as code-server in a headless browser, with our extension: what a person sees, step by step."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.testkit.script import Reply
from socreates_lsp.testkit.server import ScriptedServer
from tests.bare_client import COMMAND

if TYPE_CHECKING:
    from collections.abc import Mapping

REPOSITORY = Path(__file__).parents[2]
DRIVER = Path(__file__).with_name("vscode")
VSIX = REPOSITORY / "editors" / "vscode" / "socreates.vsix"
WAIT_S, WHOLE_S = 180, 1200
"""How long a wait on the screen, and a run, may take before they count as hanging."""

APP = (
    "import db\n\n\ndef save(row):\n    db.rows.append(row)\n    return row\n\n\n"
    "def load(path):\n    return open(path).read()\n"
)
DB = "import threading\n\nLOCK = threading.Lock()\n\n\ndef locked(work):\n    with LOCK:\n        return work()\n"
QUESTIONS = """[question] app.py:5 concurrency
> db.rows.append(row)
Who holds the lock while `save` appends to `db.rows`?
Why: two callers of `save` may come at once.

[question] app.py:10 resources
> return open(path).read()
Who closes what `open` opens in `load` when `read` raises?
Why: the descriptor stays open until the collector comes.
"""
CLAIM = "The lock at db.py:7 protects this."
AGAIN = "Is it still so?"


def _folder() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("EDITORS_FOLDER") or Path(cache) / "socreates-editors")


def _missing() -> str | None:
    """What keeps a run from starting, in words; None if everything is there."""
    if shutil.which("chromium") is None:
        return "chromium is not installed"
    if not (_folder() / "node_modules" / "code-server").is_dir():
        return "code-server is not installed"
    return None if VSIX.is_file() else "the extension is not built"


missing = _missing()
pytestmark = [
    pytest.mark.editor,
    pytest.mark.skipif(missing is not None and not os.environ.get("CI"), reason=f"{missing} (.ci/editors does it)"),
]


@dataclass(frozen=True)
class Seen:
    """What each step of a run saw, by its name."""

    steps: dict[str, Any]

    def __getitem__(self, step: str) -> Any:
        return self.steps[step]


def drive(
    scenario: str, root: Path, tmp_path: Path, environment: Mapping[str, str], settings: Mapping[str, Any] | None = None
) -> Seen:
    """Carry out a scenario on a workspace; every step of it was done. ``settings`` are the user's, in VS Code."""
    assert missing is None, f"CI has to have VS Code: {missing}"
    home, out = tmp_path / "home", Path(os.environ.get("EDITORS_PICTURES") or tmp_path) / scenario
    home.mkdir()
    given = {
        "parts": str(_folder()), "chromium": shutil.which("chromium"), "vsix": str(VSIX), "home": str(home),
        "root": str(root), "out": str(out),
        "settings": {"socreates.server.command": list(COMMAND), **(settings or {})},
        "seconds": WAIT_S,
    }  # fmt: skip
    run = subprocess.Popen(
        [_folder() / "bin" / "node", DRIVER / f"{scenario}.mjs", json.dumps(given)],
        env={**os.environ, **environment}, cwd=tmp_path, stdin=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        run.wait(WHOLE_S)
    finally:
        assert run.stdin is not None
        run.stdin.close()  # it then takes the browser along, which is in no group of ours
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.wait(30)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
    report = json.loads((out / "report.json").read_text("utf-8"))
    print(*(f"{one['milliseconds']:7} ms  {one['name']}" for one in report["steps"]), sep="\n")
    assert report["failure"] is None, report["failure"]
    return Seen({one["name"]: one["seen"] for one in report["steps"]})


def test_a_review_and_its_threads_in_vscode(root: Path, tmp_path: Path) -> None:
    (root / "app.py").write_text(APP)
    (root / "db.py").write_text(DB)
    replies = [
        Reply(delay_s=WHOLE_S),
        Reply(calls=(("run_command", {"command": "pytest -q"}),)),
        Reply(text=QUESTIONS),
        Reply(text="It does, as far as I see.\n\nVerdict: stands"),
    ]
    with ScriptedServer(replies) as model:
        environment = {
            "SOCREATES_MODEL__PROVIDER": "openai",
            "SOCREATES_MODEL__BASE_URL": model.openai_url,
            "SOCREATES_MODEL__NAME": "m",
            "SOCREATES_REVIEW__LEADS": "false",
            "SOCREATES_REVIEW__VERIFY": "false",
            "SOCREATES_STATE_DIR": str(tmp_path / "state"),
        }
        seen = drive("model", root, tmp_path, environment)
        denied = json.dumps(model.chats[2])

    assert "Ask Socreates" in seen["the menu"]
    assert "Cancel" in seen["progress"]["buttons"]
    assert "pytest -q" in seen["ask again"]["text"]
    assert seen["ask again"]["buttons"] == ["Run once", "Allow for this session", "Deny"]
    assert "did not allow this command" in denied
    assert [one["line"] for one in seen["problems"]] == [5, 10]
    assert "Who holds the lock" in seen["problems"][0]["text"]
    assert "two callers of save may come at once" in seen["hover"]
    assert ["Who holds the lock" in one["text"] for one in seen["thread"]] == [True]
    assert any("line 5" in row for row in seen["the view"])
    assert [one["text"] for one in seen["answer with code"]][1] == CLAIM
    assert len(seen["change the code it rests on"]) == 2
    assert AGAIN in seen["thread of the question again"][-1]["text"]
    assert [one["line"] for one in seen["edit above"]["list"]] == [6, 11]
    assert seen["edit above"]["text"] == "    db.rows.append(row)"
    assert [one["line"] for one in seen["dismiss"]["list"]] == [6]
    assert [one["line"] for one in seen["undo the dismissal"]] == [6, 11]
    assert seen["on disk"] == {"app": APP, "db": DB}
