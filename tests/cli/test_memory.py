"""``socreates-lsp memory``: list, edit, forget, accept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.cli.main import main
from socreates_lsp.memory.fact import SUMMARIES, fact, fields_of
from socreates_lsp.memory.facts import Facts

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def facts(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Facts:
    """The memory of the current folder."""
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.chdir(root)
    return Facts(str(root), tmp_path / "state")


def listed(capsys: pytest.CaptureFixture[str], *flags: str) -> dict[str, Any]:
    assert main(["memory", "--format", "json", *flags]) == 0
    return json.loads(capsys.readouterr().out)


def test_it_lists_edits_and_forgets(facts: Facts, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory"]) == 0
    assert capsys.readouterr().out.startswith("Nothing is remembered yet (")
    kept = facts.add(fact("key_files", "app.py starts it all.", "app.py:1", "2026-01-02T00:00:00.000Z", "model")).fact
    facts.add(fact(SUMMARIES, "One.\nTwo.", "the session", "2026-01-03T00:00:00.000Z", "socreates", "m"))
    assert kept is not None
    assert main(["memory"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "key files",
        f"  {kept.id}  app.py starts it all.  (2026-01-02, app.py:1)",
        "session summaries",
    ]
    assert lines[3].endswith("  One.  (2026-01-03, the session)")
    assert lines[4] == f"  {'':16}  Two."
    (edited,) = listed(capsys, "--edit", kept.id, "app.py starts the server.")["memory"]["key_files"]
    assert (edited["text"], edited["by"]) == ("app.py starts the server.", "user")
    assert listed(capsys, "--forget", kept.id)["memory"]["key_files"] == []


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--forget", "nothing"], "there is no fact with the id nothing"),
        (["--edit", "nothing", "x"], "there is no fact with the id nothing"),
    ],
)
def test_a_fact_that_is_not_there_is_told(flags: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", *flags]) == 2
    assert told in capsys.readouterr().err


def test_what_others_noted_is_shown_as_such_until_it_is_accepted(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / ".socreates").mkdir()
    theirs = fields_of(fact("bugs", "The queue is\x1b[31m drained twice.", "", "2026-01-01", "model"))
    (root / ".socreates" / "memory.json").write_text(json.dumps({"version": 1, "memory": [theirs]}))
    assert main(["memory"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "noted by others, without effect until you accept it (--accept)"
    assert second.endswith("  The queue is [31m drained twice.  (2026-01-01)")
    told = listed(capsys, "--accept")
    assert ([one["text"] for one in told["memory"]["bugs"]], told["foreign"]) == (
        ["The queue is [31m drained twice."],
        [],
    )


def test_with_the_store_off_nothing_is_remembered(facts: Facts, capsys: pytest.CaptureFixture[str]) -> None:
    facts.add(fact("bugs", "The queue is drained twice.", "", "2026-01-01", "model"))
    assert main(["memory", "--set", "session.store=false"]) == 0
    assert capsys.readouterr().out == "Nothing is remembered: session.store is off.\n"
