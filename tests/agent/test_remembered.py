"""What a task is told of the project memory, within its room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from socreates_lsp.agent.remembered import Remembered
from socreates_lsp.memory.fact import SUMMARIES, fact
from socreates_lsp.memory.facts import Facts
from socreates_lsp.memory.project import ProjectMemory
from socreates_lsp.settings.schema import Settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def memory(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ProjectMemory:
    """A memory of twenty rules, one fact about the queue, and a summary."""
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))
    facts = Facts(str(root), tmp_path / "state")
    for number in range(20):
        facts.add(
            fact("conventions", f"Rule {number} concerns names.", "AGENTS.md", f"2026-01-{number + 1:02}", "model")
        )
    facts.add(fact("bugs", "The queue is drained twice.", "src/queue.py:3", "2025-01-01", "model"))
    facts.add(fact(SUMMARIES, "One.\nTwo.", "the session", "2026-02-01", "socreates", "x"))

    async def nobody(question: str, choices: tuple[str, ...]) -> None:
        raise AssertionError(question, choices)

    return ProjectMemory(Settings, nobody)


def section(memory: ProjectMemory, root: Path, room: int, words: str = "", *paths: str, denied: str = "\0") -> str:
    told = Remembered(memory, str(root), room, lambda uri: denied not in uri)
    found = told.section(words, paths)
    assert len(found) <= told.share
    return found


def test_the_most_relevant_facts_come_first_and_the_newest_summary_last(memory: ProjectMemory, root: Path) -> None:
    lines = section(memory, root, 100_000, "why is the queue drained?").splitlines()
    assert lines[1] == "- [memory] (bugs, 2025-01-01, from src/queue.py:3) The queue is drained twice."
    assert lines[2] == "- [memory] (conventions, 2026-01-20, from AGENTS.md) Rule 19 concerns names."
    assert lines[-3:] == ["- [memory] (2026-02-01, a session before)", "  One.", "  Two."]
    assert section(memory, root, 100_000, "", "src/queue.py").splitlines()[1] == lines[1]


def test_as_much_is_told_as_there_is_room_for(memory: ProjectMemory, root: Path) -> None:
    few = section(memory, root, 8 * 250, "the queue")
    assert "The queue is drained twice." in few
    assert "Rule 3 " not in few
    assert section(memory, root, 8 * 170, "the queue") == ""
    assert section(memory, root, 0) == ""
    assert section(memory, root, -5) == ""


def test_facts_from_files_that_a_model_does_not_see_are_left_out(memory: ProjectMemory, root: Path) -> None:
    assert "queue" not in section(memory, root, 100_000, "the queue", denied="queue.py")
    assert Remembered(None, str(root), 100_000, lambda _: True).section("x", ()) == ""
    assert Remembered(memory, None, 100_000, lambda _: True).share == 0
