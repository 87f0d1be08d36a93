"""Reading and listing real files: each bad input is one sentence, and nothing blocks or gets lost."""

import os
import socket
import stat
from pathlib import Path

import pytest

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace import files as listing
from socreates_lsp.workspace.files import LARGEST_FILE, LONGEST_LINE, find_tool, list_files, read_text
from tests.workspace.conftest import as_nobody


def refusal(path):
    with pytest.raises(TargetError) as caught:
        read_text(path)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    assert "Traceback" not in sentence
    assert "Errno" not in sentence
    return sentence


# Reading


def test_the_text_of_a_file(tmp_path):
    file = tmp_path / "a.py"
    file.write_bytes("# größer\r\nx = 1\r\n".encode())
    text = read_text(file)
    assert text.line(0) == "# größer"
    assert text.line(1) == "x = 1"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig", "latin-1"])
def test_other_encodings_read_as_text(tmp_path, encoding):
    file = tmp_path / "a.py"
    file.write_bytes("# größer als\nx = 1\n".encode(encoding))
    assert read_text(file).content == "# größer als\nx = 1\n"


def test_a_missing_file_is_named_as_it_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refusal(Path("src/../gone.py")) == "src/../gone.py does not exist: check the name."


def test_a_path_through_a_file(tmp_path):
    (tmp_path / "a.py").write_text("x")
    assert "a part of its path is no folder" in refusal(tmp_path / "a.py" / "b.py")


def test_a_folder(tmp_path):
    assert "is a folder" in refusal(tmp_path)


@pytest.mark.parametrize("link", [False, True])
def test_a_fifo_does_not_block(tmp_path, link):
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    if link:
        (tmp_path / "link").symlink_to(fifo)
        fifo = tmp_path / "link"
    assert "is a pipe" in refusal(fifo)


def test_a_file_that_becomes_a_fifo_as_it_is_opened_does_not_block(tmp_path, monkeypatch):
    fifo, file = tmp_path / "pipe", tmp_path / "a.py"
    os.mkfifo(fifo)
    file.write_text("x")
    facts = file.stat()
    monkeypatch.setattr(Path, "stat", lambda self, **_: facts)
    assert "is a pipe" in refusal(fifo)


def test_a_socket(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        assert refusal(Path("socket")) == "socket is a socket, not a file: there is nothing to read."


def test_a_device():
    assert "is a device" in refusal(Path("/dev/zero"))


def test_a_symlink_loop(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert "leads back to itself" in refusal(tmp_path / "a")


def test_no_permission(open_to_all):
    file = open_to_all / "secret.py"
    file.write_text("x = 1")
    file.chmod(0)
    answer = as_nobody(read_text, file)
    assert isinstance(answer, TargetError)
    assert "may not be read by you" in str(answer)


def test_a_file_of_50_mb_says_both_sizes(tmp_path):
    file = tmp_path / "big.py"
    with file.open("wb") as handle:
        handle.truncate(50_000_000)
    sentence = refusal(file)
    assert "50.0 MB" in sentence
    assert "5.0 MB" in sentence


def test_a_file_at_the_limit_is_read_and_one_byte_more_is_not(tmp_path):
    file = tmp_path / "a.txt"
    line = b"0123456789abcde\n"
    file.write_bytes(line * (LARGEST_FILE // len(line)))
    assert len(read_text(file).content) == LARGEST_FILE
    file.write_bytes(line * (LARGEST_FILE // len(line)) + b"x")
    assert "MB" in refusal(file)


def test_a_line_of_2_mb(tmp_path):
    file = tmp_path / "app.min.js"
    file.write_text("x" * 2_000_000 + "\nlet y\n")
    assert "a line of 2,000,001 characters" in refusal(file)
    file.write_text("x" * (LONGEST_LINE - 1) + "\n")
    assert len(read_text(file)) == 2


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\r", b"x = 1\0\n"])
def test_a_binary_file(tmp_path, data):
    file = tmp_path / "image.png"
    file.write_bytes(data)
    assert "is a binary file" in refusal(file)


@pytest.mark.parametrize("name", ["a\0b.py", "x" * 300])
def test_an_impossible_name(tmp_path, name):
    assert "check the name" in refusal(tmp_path / name)


def test_a_name_with_a_line_break_and_a_bad_byte_stays_one_sentence(tmp_path):
    sentence = refusal(tmp_path / os.fsdecode(b"a\nb\xff.py"))
    assert "a\\nb\ufffd.py does not exist" in sentence


def test_an_empty_file(tmp_path):
    (tmp_path / "a.py").write_bytes(b"")
    assert read_text(tmp_path / "a.py").content == ""


# Listing: by rg, by git and by our own walk


def tree(root, *, repository):
    kept = ["src/a.py", "src/deep/b.js", ".github/ci.yml", "keep.log", "with space.py", "new\nline.py", "docs/c.md"]
    left_out = ["x.log", "src/made/x.py", "node_modules/m/i.js", ".venv/lib/p.py", "src/__pycache__/a.pyc"]
    left_out += [".socreates/t.jsonl", "docs/draft.md"]
    for name in kept + left_out:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x = 1\n")
    bad = os.fsencode(root) + b"/bad\xff.py"
    Path(os.fsdecode(bad)).write_text("x = 1\n")
    (root / ".gitignore").write_text("# made by a tool\n*.log\n!keep.log\nmade/\n")
    (root / "docs/.gitignore").write_text("/draft.md\n")
    (root / "src/loop").symlink_to(root, target_is_directory=True)
    (root / "src/link.py").symlink_to(root / "src/a.py")
    os.mkfifo(root / "src/pipe")
    return sorted([*kept, "bad\udcff.py", ".gitignore", "docs/.gitignore"])


def names(found, root):
    return sorted(file.relative_to(root).as_posix() for file in found.files)


@pytest.fixture(params=["rg", "git", "walk"])
def means(request, monkeypatch):
    """List by one means only."""
    wanted = request.param
    if wanted != "walk" and find_tool(wanted, None) is None:
        pytest.skip(f"{wanted} is not installed")
    real = listing.find_tool
    monkeypatch.setattr(listing, "find_tool", lambda name, root: real(name, root) if name == wanted else None)
    return wanted


def test_every_means_lists_the_same_files_of_a_repository(repository, means):
    expected = tree(repository.root, repository=True)
    assert names(list_files(repository.root), repository.root) == expected
    repository.git("add", "-A")
    repository.git("rm", "-q", "--cached", "docs/c.md")
    assert names(list_files(repository.root), repository.root) == expected


def test_every_means_lists_the_same_files_without_a_repository(tmp_path, means):
    expected = tree(tmp_path, repository=False)
    assert names(list_files(tmp_path), tmp_path) == expected


def test_files_are_absolute_and_sorted(tmp_path, monkeypatch, means):
    tree(tmp_path, repository=False)
    monkeypatch.chdir(tmp_path)
    found = list_files(Path("src"))
    assert all(file.is_absolute() for file in found.files)
    assert list(found.files) == sorted(found.files)


def test_a_file_in_the_index_that_is_gone_is_not_listed(repository, means):
    repository.commit({"a.py": "x", "b.py": "x"})
    (repository.root / "b.py").unlink()
    assert names(list_files(repository.root), repository.root) == ["a.py"]


def test_products_of_a_build_are_passed_over_beside_a_manifest_only(tmp_path, means):
    for name in ["package.json", "dist/app.js", "operations/build/wheel.py"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}")
    assert names(list_files(tmp_path), tmp_path) == ["operations/build/wheel.py", "package.json"]


def test_a_build_folder_that_git_tracks_is_listed(repository, means):
    repository.commit({"package.json": "{}", "build/rules.js": "x"})
    assert names(list_files(repository.root), repository.root) == ["build/rules.js", "package.json"]


def test_named_paths_are_taken_even_if_they_are_ignored(repository, means):
    repository.write({".gitignore": "made/\n*.gen.py\n", "made/a.py": "x", "made/deep/b.py": "x", "src/c.gen.py": "x"})
    repository.write({"src/d.py": "x"})
    root = repository.root
    found = list_files(root, [root / "made", root / "src/c.gen.py"])
    assert names(found, root) == ["made/a.py", "made/deep/b.py", "src/c.gen.py"]
    assert names(list_files(root, [root / "src"]), root) == ["src/d.py"]


def test_a_nested_repository_is_listed(repository, means):
    repository.commit({"a.py": "x"})
    inner = repository.root / "inner"
    inner.mkdir()
    repository.git("init", "-q", "inner")
    (inner / "b.py").write_text("x")
    assert names(list_files(repository.root), repository.root) == ["a.py", "inner/b.py"]


def test_a_named_path_that_is_missing(tmp_path):
    with pytest.raises(TargetError, match=r"gone does not exist: check the name\."):
        list_files(tmp_path, [tmp_path / "gone"])


def test_a_folder_that_can_not_be_entered_is_told_and_the_rest_is_listed(open_to_all):
    root = open_to_all / "project"
    for name in ["a.py", "locked/b.py", "z.py"]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    (root / "locked").chmod(0)
    try:
        found = as_nobody(list_files, root)
    finally:
        (root / "locked").chmod(0o755)
    assert names(found, root) == ["a.py", "z.py"]
    assert found.notes == ("locked could not be entered: permission denied.",)


def test_an_unreadable_folder_is_told_by_every_means(open_to_all, repository, means):
    root = repository.root
    repository.write({"a.py": "x", "locked/b.py": "x"})
    for path in [root, *root.rglob("*")]:
        os.chown(path, os.geteuid(), -1) if os.geteuid() else os.chown(path, 65534, 65534)
    (root / "locked").chmod(0)
    try:
        found = as_nobody(list_files, root)
    finally:
        (root / "locked").chmod(0o755)
    assert names(found, root) == ["a.py"]
    assert found.notes == ("locked could not be entered: permission denied.",)


# Tools


def program(folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text("#!/bin/sh\necho hostile\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


def test_a_tool_of_the_workspace_is_never_ours(tmp_path, monkeypatch):
    workspace, outside = tmp_path / "workspace", tmp_path / "bin"
    program(workspace / "bin", "rg")
    program(outside, "other")
    monkeypatch.setenv("PATH", os.pathsep.join([str(workspace / "bin"), str(outside)]))
    assert find_tool("rg", workspace) is None
    ours = program(outside, "rg")
    assert find_tool("rg", workspace) == str(ours)


def test_neither_a_link_into_the_workspace_nor_a_relative_entry_counts(tmp_path, monkeypatch):
    workspace, outside = tmp_path / "workspace", tmp_path / "bin"
    hostile = program(workspace / "bin", "rg")
    outside.mkdir()
    (outside / "rg").symlink_to(hostile)
    (tmp_path / "linked").symlink_to(workspace / "bin")
    monkeypatch.chdir(workspace / "bin")
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", str(outside), str(tmp_path / "linked")]))
    assert find_tool("rg", workspace) is None
    assert find_tool("rg", tmp_path / "elsewhere") == str(outside / "rg")


def test_a_link_in_the_workspace_to_a_program_outside_is_still_its_choice(tmp_path, monkeypatch):
    workspace = tmp_path / "workspace" / "bin"
    workspace.mkdir(parents=True)
    (workspace / "rg").symlink_to(program(tmp_path / "bin", "shell"))
    monkeypatch.setenv("PATH", str(workspace))
    assert find_tool("rg", tmp_path / "workspace") is None


def test_no_path_no_tool(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert find_tool("git", None) is None
