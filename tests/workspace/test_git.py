"""What changed, by real git: every kind of change, every odd name, and nothing of the repository gets to run."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace import git_process
from socreates_lsp.workspace.git import Status, changes, old_text, repository_of, with_text
from socreates_lsp.workspace.ignore import Ignore
from socreates_lsp.workspace.text import Text


def summary(root, *arguments, **named):
    return {change.path: change.status.value for change in changes(root, *arguments, **named)}


def refusal(*arguments):
    with pytest.raises(TargetError) as caught:
        changes(*arguments)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def test_staged_unstaged_untracked_and_deleted_changes_are_one(repository):
    repository.commit({"staged.py": "a\n", "unstaged.py": "a\n", "gone.py": "a\nb\n", "same.py": "a\n"})
    repository.write({"staged.py": "b\n"})
    repository.git("add", "staged.py")
    repository.write({"staged.py": "b\nc\n", "unstaged.py": "b\n", "new.py": "x\ny\n", "sub/added.py": "z\n"})
    repository.git("add", "sub/added.py")
    (repository.root / "gone.py").unlink()
    found = {change.path: change for change in changes(repository.root)}
    assert {path: change.status for path, change in found.items()} == {
        "staged.py": Status.MODIFIED,
        "unstaged.py": Status.MODIFIED,
        "gone.py": Status.DELETED,
        "new.py": Status.UNTRACKED,
        "sub/added.py": Status.ADDED,
    }
    (hunk,) = found["staged.py"].hunks
    assert (hunk.old_start, hunk.removed, hunk.new_start, hunk.added) == (0, ("a",), 0, ("b", "c"))
    assert found["new.py"].hunks[0].added == ("x", "y")
    assert found["gone.py"].hunks[0].removed == ("a", "b")
    assert list(found) == sorted(found)


def test_nothing_changed(repository):
    repository.commit({"a.py": "a\n"})
    assert changes(repository.root) == ()
    os.utime(repository.root / "a.py", (1, 1))
    assert changes(repository.root) == ()


def test_a_repository_without_commits_is_all_new(repository):
    repository.write({"a.py": "a\n", "b.py": "b\n"})
    repository.git("add", "a.py")
    assert summary(repository.root) == {"a.py": "added", "b.py": "untracked"}


def test_an_empty_repository(repository):
    assert changes(repository.root) == ()


def test_other_bases(repository):
    repository.commit({"a.py": "1\n"})
    repository.git("tag", "-a", "v1", "-m", "one")
    repository.commit({"a.py": "2\n", "b.py": "x\n"})
    assert summary(repository.root, "v1") == {"a.py": "modified", "b.py": "added"}
    assert summary(repository.root, "HEAD~1") == {"a.py": "modified", "b.py": "added"}
    assert summary(repository.root, "main") == {}


@pytest.mark.parametrize("base", ["gone", "HEAD~7", "v1..v2", "HEAD:a.py", "\N{SNOWMAN}", "a b", ":/A"])
def test_an_unknown_revision(repository, base):
    repository.commit({"a.py": "1\n"})
    assert "is no revision in" in refusal(repository.root, base)


@pytest.mark.parametrize("base", ["-p", "--output=/tmp/pwned", "", "a\0b"])
def test_a_base_that_is_an_option_is_refused(repository, base):
    repository.commit({"a.py": "1\n"})
    assert "is no git revision" in refusal(repository.root, base)


def test_an_unknown_revision_where_nothing_was_committed(repository):
    assert "is no revision" in refusal(repository.root, "HEAD")


def test_not_a_repository(tmp_path):
    assert "is not in a git repository" in refusal(tmp_path)
    assert repository_of(tmp_path) is None


def test_no_git(repository, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert refusal(repository.root) == "git was not found on PATH: install it to review changes."


NAMES = ["with space.py", 'quote".py', "näme.py", "new\nline.py", "tab\t.py", ":(glob)*.py", "-option.py", "back\\s.py"]


@pytest.mark.parametrize("name", [*NAMES, os.fsdecode(b"bad\xff.py")])
@pytest.mark.parametrize("tracked", [True, False])
def test_odd_names(repository, name, tracked):
    repository.commit({"z.py": "z\n"})
    if tracked:
        repository.commit({name: "a\n"})
    repository.write({name: "b\n"})
    (change,) = changes(repository.root)
    assert change.path == name
    assert change.hunks[0].added == ("b",)
    if tracked:
        assert old_text(repository.root, None, name).content == "a\n"


BODY = "".join(f"line_{number} = {number}\n" for number in range(20))


@pytest.mark.parametrize("staged", [True, False])
def test_a_renamed_file_that_changed_a_little(repository, staged):
    repository.commit({"old.py": BODY, "other.py": "x\n"})
    (repository.root / "old.py").rename(repository.root / "new.py")
    repository.write({"new.py": BODY.replace("line_7 = 7", "line_7 = 70"), "unrelated.py": "y = 1\n"})
    if staged:
        repository.git("add", "-A")
    found = {change.path: change for change in changes(repository.root)}
    assert set(found) == {"new.py", "unrelated.py"}
    assert (found["new.py"].status, found["new.py"].old_path) == (Status.RENAMED, "old.py")
    assert [hunk.added for hunk in found["new.py"].hunks] == [("line_7 = 70",)]


def test_a_file_taken_out_of_the_index_is_modified_not_new(repository):
    repository.commit({"a.py": "a\n"})
    repository.git("rm", "-q", "--cached", "a.py")
    repository.write({"a.py": "b\n"})
    (change,) = changes(repository.root)
    assert change.status is Status.MODIFIED
    assert change.hunks[0].removed == ("a",)


def test_binary_files_are_marked(repository):
    repository.commit({"a.png": b"\x89PNG\0\0", "b.py": "b\n"})
    repository.write({"a.png": b"\x89PNG\0\1", "b.py": b"b\0\n", "c.png": b"\x89PNG\0"})
    for change in changes(repository.root):
        assert change.binary
        assert change.hunks == ()
        assert change.reason == f"{change.path} is a binary file, which can't be reviewed: name a file with text."


def test_files_that_were_only_touched_did_not_change(repository):
    repository.commit({"a.png": b"\x89PNG\0\0", "b.py": "b\n"})
    for name in ["a.png", "b.py"]:
        os.utime(repository.root / name, (1, 1))
    assert changes(repository.root) == ()


def test_too_large_files_are_told(repository):
    repository.commit({"a.txt": "a\n", "b.txt": "line\n" * 1_200_000})
    repository.write({"a.txt": "line\n" * 1_200_000, "b.txt": "b\n"})
    first, second = changes(repository.root)
    assert "6.0 MB" in first.reason
    assert "6,000,000 bytes before" in second.reason
    assert not first.binary


def test_utf16_and_changed_line_endings_are_read_as_text(repository):
    repository.commit({"a.ps1": "x\ny\n".encode("utf-16"), "b.txt": "a\nb\n"})
    repository.write({"a.ps1": "x\nz\n".encode("utf-16"), "b.txt": "a\r\nb\r\n"})
    (change,) = changes(repository.root)
    assert change.path == "a.ps1"
    assert change.hunks[0].added == ("z",)


def test_symlinks_and_submodules_are_skipped(repository, tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=inner, check=True)
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=b", "commit", "-q", "--allow-empty", "-m", "x"],
        cwd=inner,
        check=True,
    )
    repository.commit({"a.py": "a\n"})
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "module")
    (repository.root / "link.py").symlink_to(repository.root / "a.py")
    repository.git("add", "-A")
    assert set(summary(repository.root)) == {".gitmodules"}
    (repository.root / "module" / "new.py").write_text("x")
    (repository.root / "loop").symlink_to(repository.root)
    assert set(summary(repository.root)) == {".gitmodules"}


def test_a_conflict_is_listed_once_with_its_markers(repository):
    repository.commit({"a.py": "a\n"})
    repository.git("switch", "-q", "-c", "other")
    repository.commit({"a.py": "b\n"})
    repository.git("switch", "-q", "main")
    repository.commit({"a.py": "c\n"})
    with pytest.raises(subprocess.CalledProcessError):
        repository.git("merge", "other")
    (change,) = changes(repository.root)
    assert change.status is Status.MODIFIED
    assert any(line.startswith("<<<<<<<") for line in change.hunks[0].added)


def test_a_subfolder_as_root_sees_only_its_own(repository):
    repository.commit({"app/a.py": "a\n", "b.py": "b\n", "apple/c.py": "c\n"})
    repository.write({"app/a.py": "A\n", "b.py": "B\n", "apple/c.py": "C\n", "app/new.py": "n\n"})
    root = repository.root / "app"
    assert summary(root) == {"a.py": "modified", "new.py": "untracked"}
    assert old_text(root, None, "a.py").content == "a\n"
    assert repository_of(root) == repository.root


def test_within(repository):
    repository.commit({"app/a.py": "a\n", "app/b.py": "b\n", "c.py": "c\n"})
    repository.write({"app/a.py": "A\n", "app/b.py": "B\n", "c.py": "C\n"})
    root = repository.root
    assert set(summary(root, None, [root / "app"])) == {"app/a.py", "app/b.py"}
    assert set(summary(root, None, [root / "app/b.py", root / "c.py"])) == {"app/b.py", "c.py"}
    assert set(summary(root, None, [root])) == {"app/a.py", "app/b.py", "c.py"}
    assert set(summary(root, None, [Path("app")])) == {"app/a.py", "app/b.py"}


def test_a_root_behind_a_symlink(repository, tmp_path):
    repository.commit({"a.py": "a\n"})
    repository.write({"a.py": "b\n"})
    link = tmp_path / "link"
    link.symlink_to(repository.root)
    assert set(summary(link, None, [link / "a.py"])) == {"a.py"}


def test_a_linked_working_tree(repository, tmp_path):
    repository.commit({"a.py": "a\n"})
    repository.git("worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "tree" / "a.py").write_text("b\n")
    assert summary(tmp_path / "tree") == {"a.py": "modified"}


def test_the_old_text_of_what_was_not_there(repository):
    repository.commit({"a.py": "a\n"})
    assert old_text(repository.root, None, "b.py") is None
    with pytest.raises(TargetError):
        old_text(repository.root, "gone", "a.py")


def test_an_open_buffer_takes_the_place_of_the_file(repository):
    repository.commit({"a.py": "a\nb\n"})
    repository.write({"a.py": "a\nc\n"})
    (change,) = changes(repository.root)
    assert with_text(change, Text("a\nd\n")).hunks[0].added == ("d",)


# Nothing of the repository runs


def hostile(tmp_path):
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/pwned\ncat\n")
    script.chmod(0o755)
    return script


def test_no_program_of_the_repository_is_run(repository, tmp_path):
    script = str(hostile(tmp_path))
    repository.commit({"a.py": "a\n", "b.py": "b\n", ".gitattributes": "*.py filter=evil diff=evil\n"})
    for key in ["core.fsmonitor", "diff.external", "diff.evil.command", "diff.evil.textconv", "core.pager"]:
        repository.git("config", key, script)
    for key in ["filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "core.sshCommand", "core.askPass"]:
        repository.git("config", key, script)
    repository.git("config", "filter.evil.required", "true")
    hooks = repository.root / ".git" / "hooks"
    for hook in ["post-index-change", "fsmonitor-watchman", "pre-commit", "post-checkout"]:
        shutil.copy(script, hooks / hook)
    repository.write({"a.py": "x\n", "new.py": "n\n"})
    os.utime(repository.root / "b.py", (1, 1))
    assert summary(repository.root) == {"a.py": "modified", "new.py": "untracked"}
    assert old_text(repository.root, None, "a.py").content == "a\n"
    assert not (tmp_path / "pwned").exists()


def test_a_filter_that_can_not_be_turned_off_safely_is_refused(repository, tmp_path):
    repository.commit({"a.py": "a\n"})
    repository.git("config", "filter.a=b.clean", str(hostile(tmp_path)))
    assert "content filter" in refusal(repository.root)


def test_a_configuration_can_not_point_the_working_tree_elsewhere(repository, tmp_path):
    repository.commit({"a.py": "a\n"})
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "a.py").write_text("a\n")
    (secret / "b.py").write_text("stolen\n")
    repository.write({"a.py": "b\n"})
    repository.git("config", "core.worktree", str(secret))
    assert summary(repository.root) == {"a.py": "modified"}


def test_the_environment_of_a_hook_does_not_point_git_elsewhere(repository, tmp_path, monkeypatch):
    repository.commit({"a.py": "a\n"})
    repository.write({"a.py": "b\n"})
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    assert summary(repository.root) == {"a.py": "modified"}


def test_the_index_is_not_written(repository):
    repository.commit({"a.py": "a\n"})
    os.utime(repository.root / "a.py", (1, 1))
    before = (repository.root / ".git" / "index").read_bytes()
    changes(repository.root)
    assert (repository.root / ".git" / "index").read_bytes() == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_a_repository_of_somebody_else_says_what_to_do(repository):
    repository.commit({"a.py": "a\n"})
    for path in [repository.root, *repository.root.rglob("*")]:
        os.chown(path, 65534, 65534)
    sentence = refusal(repository.root)
    assert "belongs to somebody else" in sentence
    assert "safe.directory" in sentence


def test_a_git_that_hangs_is_ended(repository, tmp_path, monkeypatch):
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").write_text("#!/bin/sh\nsleep 60\n")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(git_process, "_SECONDS", 0.3)
    assert "did not answer within 0.3 seconds" in refusal(repository.root)


def test_a_broken_repository(repository):
    repository.commit({"a.py": "a\n"})
    (repository.root / ".git" / "HEAD").write_text("nonsense\n")
    assert refusal(repository.root).startswith("git failed in")


# Our own reading of .gitignore agrees with git's

PATTERNS = """\
*.log
!keep.log
/top.py
made/
deep/*.gen
a/**/z
**/any/x
tail/**
q?.py
[ab]c.py
[!x]y.py
sp\\ ace
trail{space}
\\#hash
\\!bang
dot.*
""".replace("{space}", "  ")

PATHS = [
    "x.log", "keep.log", "d/x.log", "top.py", "d/top.py", "made/x", "d/made/y", "deep/x.gen", "deep/d/x.gen",
    "a/z", "a/b/z", "a/b/c/z", "any/x", "d/any/x", "tail/x", "tail/y/z", "q1.py", "q12.py", "ac.py", "cc.py",
    "zy.py", "xy.py", "sp ace", "trail", "#hash", "!bang", "dot.x", "dotx",
]  # fmt: skip


def test_our_gitignore_agrees_with_git(repository):
    repository.write({".gitignore": PATTERNS, **dict.fromkeys(PATHS, "x")})
    listed = repository.git("ls-files", "-o", "--exclude-standard", "-z").split("\0")
    ours = Ignore(PATTERNS)

    def ignored(path):
        parts = path.split("/")
        folders = ["/".join(parts[:end]) for end in range(1, len(parts))]
        return any(ours.verdict(folder, folder=True) for folder in folders) or bool(ours.verdict(path, folder=False))

    assert [path for path in PATHS if not ignored(path)] == [path for path in PATHS if path in listed]
