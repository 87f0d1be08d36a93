"""The state folder."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.memory.files import GoneError, NotAFileError
from socreates_lsp.memory.folders import prepare, state_folder

if TYPE_CHECKING:
    from pathlib import Path


def test_the_variable_decides(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    assert state_folder({"SOCREATES_STATE_DIR": f" {folder} "}) == (folder, None)
    assert not folder.exists(), "it is made when something is kept"


def test_else_the_system_does(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    folder, warning = state_folder({})
    assert warning is None
    assert folder.is_relative_to(tmp_path)
    assert "socreates-lsp" in folder.parts


def test_a_folder_of_the_home_is_found(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("SOCREATES_STATE_DIR", "~/x")
    assert state_folder() == (tmp_path / "x", None)


@pytest.mark.parametrize("named", ["/dev/null", "/dev/null/x", "relative", "a\0b", "~nobody-of-this-name/x"])
def test_one_that_cannot_be_used_is_replaced_by_a_temporary_one(named: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder, warning = state_folder({"SOCREATES_STATE_DIR": named})
    assert folder.parent == tmp_path
    assert folder.stat().st_mode & 0o777 == 0o700
    assert warning is not None
    assert "cannot be written to" in warning


def test_without_any_folder_nothing_raises(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    folder, warning = state_folder({"SOCREATES_STATE_DIR": "/dev/null"})
    assert warning is not None
    assert "nothing is remembered" in warning
    with pytest.raises(OSError):  # noqa: PT011  (any of its kinds)
        prepare(folder / "x")


def test_a_folder_that_is_not_ours_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o755)
    prepare(folder)
    assert folder.stat().st_mode & 0o777 == 0o755
    assert list(folder.iterdir()) == []


def test_a_workspace_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        prepare(tmp_path / "gone" / ".socreates")
    assert not (tmp_path / "gone").exists()


def test_a_link_is_no_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / ".socreates").symlink_to(tmp_path)
    with pytest.raises(NotAFileError):
        prepare(tmp_path / ".socreates")
    assert issubclass(GoneError, OSError)
    assert os.listdir(tmp_path) == [".socreates"]
