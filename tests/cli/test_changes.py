"""``socreates-lsp review --changes`` where there is little or nothing to read: it says what there was."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.examiner.reviewer import Examiner
from socreates_lsp.review.reviewer import Closed, ReviewRequest, Scope
from socreates_lsp.workspace.workspace import Workspace
from tests.workspace.conftest import Repository, no_git_of_the_user

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["no_git_of_the_user"]

CODE = "def total(rows):\n    return sum(rows)\n"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    root = tmp_path / "repository"
    root.mkdir()
    repository = Repository(root)
    repository.git("init", "-q", "-b", "main")
    repository.commit({"a.py": CODE, "b.py": "x = 1\n", "sub/c.py": "y = 1\n"})
    return repository


def said(repository: Repository, base: str | None = None, paths: tuple[str, ...] = ()) -> str:
    async def summary() -> str:
        examiner = Examiner(Workspace([repository.root.as_uri()]), processes=1)
        try:
            request = ReviewRequest(
                Scope.CHANGES,
                root=str(repository.root),
                base=base,
                paths=tuple(str(repository.root / p) for p in paths),
            )
            return [event async for event in examiner.review(request) if isinstance(event, Closed)][-1].summary
        finally:
            await examiner.close()

    return asyncio.run(summary())


def test_nothing_changed(repository: Repository) -> None:
    assert said(repository) == "No questions: there are no changes against HEAD."
    assert said(repository, "main") == "No questions: there are no changes against main."
    (repository.root / "a.py").unlink()
    assert said(repository, paths=("sub",)) == "No questions: there are no changes against HEAD in what was named."


def test_files_without_added_lines(repository: Repository) -> None:
    (repository.root / "b.py").unlink()
    repository.git("mv", "a.py", "z.py")
    assert said(repository).endswith(": 2 changed files with no added lines to examine (1 deleted, 1 renamed).")


def test_other_line_ends_alone(repository: Repository) -> None:
    (repository.root / "a.py").write_bytes(CODE.replace("\n", "\r\n").encode())
    assert said(repository) == (
        "No questions: 1 changed file with no added lines to examine (1 with other line ends or encoding)."
    )


def test_a_touched_file_did_not_change(repository: Repository) -> None:
    import os

    os.utime(repository.root / "a.py", (1, 1))
    assert said(repository) == "No questions: there are no changes against HEAD."


def test_what_could_not_be_read_is_a_change(repository: Repository) -> None:
    (repository.root / "a.png").write_bytes(b"\x89PNG\0\0")
    assert said(repository) == "No questions: 1 changed file with no added lines to examine (1 unreadable)."


def test_beside_lines_that_were_read(repository: Repository) -> None:
    (repository.root / "b.py").write_text("x = 1\nz = 2\n")
    (repository.root / "sub/c.py").unlink()
    summary = said(repository)
    assert summary.startswith("No questions: the examiner read 2 lines, ")
    assert summary.endswith("; 1 changed file with no added lines to examine (1 deleted).")


@pytest.fixture
def module(repository: Repository, tmp_path: Path) -> Repository:
    inner = Repository(tmp_path / "inner")
    inner.root.mkdir()
    inner.git("init", "-q")
    inner.commit({"m.py": "m = 1\n"})
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "lib/inner")
    repository.commit()
    return Repository(repository.root / "lib" / "inner")


def test_a_submodule_is_told_where_it_changed(repository: Repository, module: Repository) -> None:
    assert said(repository) == "No questions: there are no changes against HEAD."
    module.write({"m.py": "m = 2\n"})
    assert said(repository) == (
        "No questions: nothing was examined. Not examined: the changes in 1 submodule, lib/inner."
    )
    module.commit()
    assert "1 submodule, lib/inner." in said(repository)
    assert "submodule" not in said(repository, paths=("sub",))


def test_no_program_of_a_submodule_is_run(repository: Repository, module: Repository, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    module.git("config", "core.fsmonitor", str(trap))
    (module.root / ".gitattributes").write_text("*.py filter=evil\n")
    module.git("config", "filter.evil.clean", str(trap))
    (tmp_path / "sprung").unlink(missing_ok=True)
    module.write({"m.py": "m = 3\n"})
    assert "lib/inner" in said(repository)
    assert not (tmp_path / "sprung").exists()


def test_a_language_without_rules(repository: Repository) -> None:
    (repository.root / "notes.md").write_text("One\nTwo\n")
    assert said(repository) == "No questions: the examiner has no rules for the 2 lines that there are."
