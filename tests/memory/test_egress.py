"""The record of what left: complete, private, and without the text."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from socreates_lsp.memory.egress import Egress
from socreates_lsp.memory.encoding import time_of
from tests.memory.samples import OFF, SETTINGS


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def record(root: Path) -> Path:
    return root / ".socreates" / "egress.jsonl"


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines() if line.strip()]


def test_a_request_and_an_answer_about_a_command_are_recorded(root: Path, state: Path, record: Path) -> None:
    egress = Egress(str(root), SETTINGS, state=state)
    assert list(root.iterdir()) == []
    assert egress.path is None
    egress.sent("http://127.0.0.1:11434", "qwen3:8b", [("src/a.py", 1, 20), ("ü.py", 3, 3)], 512)
    egress.sent("http://127.0.0.1:11434", "qwen3:8b", [], None)
    egress.command("pytest -q\n'x'", "Run once")
    assert egress.path == record
    request, other, command = lines(record)
    assert time_of(request.pop("at")) is not None
    assert request == {
        "event": "request",
        "endpoint": "http://127.0.0.1:11434",
        "model": "qwen3:8b",
        "files": [{"path": "src/a.py", "start": 1, "end": 20}, {"path": "ü.py", "start": 3, "end": 3}],
        "tokens": 512,
    }
    assert (other["files"], other["tokens"]) == ([], None)
    assert command.items() >= {"event": "command", "command": "pytest -q\n'x'", "answer": "Run once"}.items()
    assert stat.S_IMODE(record.stat().st_mode) == 0o600
    assert stat.S_IMODE(record.parent.stat().st_mode) == 0o700
    assert (record.parent / ".gitignore").read_text() == "*\n"
    assert not state.exists()


@pytest.mark.parametrize(
    ("endpoint", "kept"),
    [
        ("https://user:sk-123@api.example:8443/v1?key=sk-123#sk-123", "https://api.example:8443/v1"),
        ("https://[::1]:80/", "https://[::1]:80/"),
        ("sk-123", "?"),
        ("http://[sk-123", "?"),
    ],
)
def test_no_key_in_an_address_is_recorded(endpoint: str, kept: str, root: Path, state: Path, record: Path) -> None:
    Egress(str(root), SETTINGS, state=state).sent(endpoint, "m", [], 1)
    assert [line["endpoint"] for line in lines(record)] == [kept]
    assert b"sk-123" not in record.read_bytes()


def test_with_storing_off_nothing_is_written(root: Path, state: Path) -> None:
    egress = Egress(str(root), OFF, state=state)
    egress.sent("http://127.0.0.1:11434", "m", [], 1)
    egress.command("ls", "Deny")
    assert list(root.iterdir()) == []
    assert not state.exists()
    assert egress.warnings == ()


def test_a_torn_last_line_stays_one_bad_line(root: Path, state: Path, record: Path) -> None:
    record.parent.mkdir()
    record.write_bytes(b'{"event":"command"}\n{"event":"requ')
    egress = Egress(str(root), SETTINGS, state=state)
    egress.command("ls", "Deny")
    egress.close()
    egress.command("ls", "Deny")
    assert record.read_bytes().startswith(b'{"event":"command"}\n{"event":"requ\n{')
    assert len(record.read_bytes().splitlines()) == 4


def test_a_folder_that_was_cleaned_is_made_again(root: Path, state: Path, record: Path) -> None:
    egress = Egress(str(root), SETTINGS, state=state)
    egress.command("one", "Deny")
    shutil.rmtree(record.parent)
    egress.command("two", "Deny")
    assert [line["command"] for line in lines(record)] == ["two"]


@pytest.mark.parametrize("kind", ["link", "folder", "none"])
def test_where_it_cannot_be_written_the_state_folder_is_used(
    kind: str, root: Path, state: Path, record: Path, tmp_path: Path
) -> None:
    record.parent.mkdir()
    if kind == "link":
        record.symlink_to(tmp_path / "elsewhere")
    elif kind == "folder":
        record.mkdir()
    egress = Egress(None if kind == "none" else str(root), SETTINGS, state=state)
    egress.command("ls", "Deny")
    assert egress.path is not None
    assert egress.path.is_relative_to(state)
    assert len(lines(egress.path)) == 1
    assert not (tmp_path / "elsewhere").exists()


def test_what_cannot_be_written_at_all_is_said_once(root: Path, monkeypatch) -> None:
    (root / ".socreates").write_text("")
    egress = Egress(str(root), SETTINGS, state=Path("/dev/null"))
    egress.command("ls", "Deny")
    egress.command("ls", "Deny")
    assert len(egress.warnings) == 1
    assert "cannot be written" in egress.warnings[0]


def test_a_full_disk_is_said_and_nothing_raises(root: Path, state: Path, monkeypatch) -> None:
    egress = Egress(str(root), SETTINGS, state=state)
    egress.command("ls", "Deny")

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    egress.command("ls", "Deny")
    assert "No space left" in egress.warnings[0]
