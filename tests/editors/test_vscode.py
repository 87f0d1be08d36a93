"""Real VS Code with a scripted model: what a person sees, from the first key to the last thread."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.testkit.script import Reply
from socreates_lsp.testkit.server import ScriptedServer
from tests.editors.vscode_driver import WHOLE_S

if TYPE_CHECKING:
    from pathlib import Path

    from tests.editors.vscode_driver import VSCode

pytestmark = pytest.mark.editor

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


def test_a_review_and_its_threads_in_vscode(vscode: VSCode, root: Path, tmp_path: Path) -> None:
    (root / "app.py").write_text(APP)
    (root / "db.py").write_text(DB)
    replies = [
        Reply(delay_s=WHOLE_S),
        Reply(calls=(("run_command", {"command": "pytest -q"}),)),
        Reply(text=QUESTIONS),
        Reply(text="It does, as far as I see.\n\nVerdict: stands"),
    ]
    with ScriptedServer(replies) as model:
        settings = {
            "socreates.model.provider": "openai",
            "socreates.model.baseUrl": model.openai_url,
            "socreates.model.name": "m",
            "socreates.review.leads": False,
            "socreates.review.verify": False,
        }
        seen = vscode.drive("model", root, tmp_path, settings)
        denied = json.dumps(model.chats[2])

    assert "Ask Socreates" in seen["the menu"]
    assert "Cancel" in seen["progress"]["buttons"]
    assert "pytest -q" in seen["ask again"]["text"]
    assert seen["ask again"]["buttons"] == ["Deny", "Run once", "Allow for this session"]
    assert "did not allow this command" in denied
    assert [one["line"] for one in seen["problems"]] == [5, 10]
    assert "Who holds the lock" in seen["problems"][0]["text"]
    assert "two callers of save may come at once" in seen["hover"]
    assert "Who holds the lock" not in seen["hover"].partition("two callers")[2], "it tells the question twice"
    assert ["Who holds the lock" in one["text"] for one in seen["thread"]["said"]] == [True]
    assert set(seen["thread"]["buttons"]) == {"Reply", "It Is Intended", "I Changed It", "Tell Me More", "Dismiss"}
    assert any(row.startswith("5: Who holds the lock") for row in seen["the view"])
    assert [one["text"] for one in seen["answer with code"]][1] == CLAIM
    assert len(seen["change the code it rests on"]) == 2
    assert [AGAIN in one["text"] for one in seen["thread of the question again"]] == [False, False, False, True]
    assert [one["line"] for one in seen["edit above"]["list"]] == [6, 11]
    assert seen["edit above"]["text"] == "    db.rows.append(row)"
    assert [one["line"] for one in seen["dismiss"]["list"]] == [6]
    assert [one["line"] for one in seen["undo the dismissal"]] == [6, 11]
    assert seen["on disk"] == {"app": APP, "db": DB}
