"""Where files went, by real git: committed or not, in several steps, below a root that is not the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from socreates_lsp.workspace.moves import Moves

if TYPE_CHECKING:
    from pathlib import Path

BODY = "".join(f"line {number} of a file\n" for number in range(30))


def test_a_rename_that_was_committed_is_followed_through_several_commits(repository) -> None:
    repository.commit({"a.py": BODY, "other.py": "x\n"})
    repository.git("mv", "a.py", "b.py")
    repository.commit({"b.py": f"new\n{BODY}"})
    repository.commit({"other.py": "y\n"})
    assert Moves(repository.root).of(["a.py", "other.py"]) == {"a.py": "b.py"}
    (repository.root / "sub dir").mkdir()
    repository.git("mv", "b.py", "sub dir/ü.py")
    repository.commit({"third.py": "z\n"})
    moves = Moves(repository.root)
    assert moves.of(["a.py"]) == {"a.py": "sub dir/ü.py"}
    repository.git("mv", "sub dir/ü.py", "d.py")
    assert moves.of(["a.py"]) == {"a.py": "d.py"}
    repository.commit({"third.py": "zz\n"})
    assert moves.of(["a.py", "b.py", "sub dir/ü.py"]) == dict.fromkeys(["a.py", "b.py", "sub dir/ü.py"], "d.py")


@pytest.mark.parametrize("staged", [True, False])
def test_a_rename_that_was_not_committed_is_known_even_with_an_edit(repository, staged: bool) -> None:
    repository.commit({"a.py": BODY})
    (repository.root / "a.py").rename(repository.root / "b.py")
    repository.write({"b.py": f"{BODY}one more\n"})
    if staged:
        repository.git("add", "-A")
    assert Moves(repository.root).of(["a.py"]) == {"a.py": "b.py"}


def test_a_file_that_was_deleted_went_nowhere(repository) -> None:
    repository.commit({"a.py": BODY, "b.py": BODY})
    repository.git("rm", "-q", "a.py")
    assert Moves(repository.root).of(["a.py", "never.py", "../out.py", ""]) == {}
    repository.commit({"c.py": "c\n"})
    assert Moves(repository.root).of(["a.py"]) == {}


def test_a_file_that_was_written_anew_after_a_rename_is_itself(repository) -> None:
    repository.commit({"a.py": BODY})
    repository.git("mv", "a.py", "b.py")
    repository.commit({"x.py": "x\n"})
    repository.commit({"a.py": "something else\n"})
    (repository.root / "a.py").unlink()
    assert Moves(repository.root).of(["a.py"]) == {}


def test_below_a_root_that_is_not_the_top_paths_are_of_the_root(repository) -> None:
    repository.commit({"sub/a.py": BODY, "sub/c.py": BODY.upper(), "sub/d.py": "another\n"})
    repository.git("mv", "sub/a.py", "sub/b.py")
    repository.git("mv", "sub/c.py", "d.py")
    repository.commit({"x.py": "x\n"})
    assert Moves(repository.root / "sub").of(["a.py", "c.py"]) == {"a.py": "b.py"}


def test_a_circle_of_renames_ends(repository) -> None:
    repository.commit({"a.py": BODY})
    for old, new in (("a.py", "b.py"), ("b.py", "a.py"), ("a.py", "b.py")):
        repository.git("mv", old, new)
        repository.commit({"x.py": f"{old}\n"})
    assert Moves(repository.root).of(["a.py"]) == {"a.py": "b.py"}


def test_without_a_repository_nothing_is_known(tmp_path: Path) -> None:
    assert Moves(tmp_path).of(["a.py"]) == {}
