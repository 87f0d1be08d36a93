"""Changes as a task shows them: numbers of the new text, lines that are gone, odd names, what tells most."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.agent.attachment import Attachment
from socreates_lsp.agent.targets import Targets
from socreates_lsp.agent.telling import rank
from socreates_lsp.review.reviewer import ReviewRequest, Scope
from socreates_lsp.review.store import FindingStore
from socreates_lsp.settings import Settings
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.changed_file import ChangedFile, Status
from socreates_lsp.workspace.difference import hunks_between
from socreates_lsp.workspace.text import Text
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from socreates_lsp.agent.targets import Task

SOURCE = "".join(f"line {number}\n" for number in range(1, 201))


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def commit(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")


@pytest.fixture
def repository(root: Path) -> Path:
    git(root, "init", "-q")
    (root / "app.py").write_text(SOURCE)
    commit(root)
    return root


def task(root: Path, room: int = 20_000) -> Task:
    targets = Targets(Workspace([uris.from_path(str(root))]), FindingStore(), Settings())
    return targets.review(ReviewRequest(Scope.CHANGES, str(root)), room, [])


def shown(root: Path, room: int = 20_000) -> str:
    return task(root, room).message.content


def test_lines_that_are_gone_are_told_once_not_to_be_cited(repository: Path) -> None:
    (repository / "app.py").write_text(SOURCE.replace("line 9\n", "").replace("line 90\n", "new\n"))
    (repository / "b.py").write_text("b\n")
    content = shown(repository)
    assert content.count("Lines marked with - are gone") == 1
    assert content.index("Lines marked with -") < content.index("app.py (199 lines, modified):")
    assert "\n-      \tline 9\n" in content
    (repository / "app.py").write_text(SOURCE)
    assert "Lines marked" not in shown(repository)


NAMES = [
    "with space.py",
    "grüße.py",
    'quo"te.py',
    "tab\there.py",
    "new\nline.py",
    "日本.py",
    "-dash.py",
    "back\\slash.py",
]


@pytest.mark.parametrize("quoted", ["true", "false"])
@pytest.mark.parametrize("name", NAMES)
def test_odd_names_are_right(repository: Path, name: str, quoted: str) -> None:
    git(repository, "config", "core.quotePath", quoted)
    (repository / name).write_text("old\n")
    commit(repository)
    (repository / name).write_text("new\n")
    made = task(repository)
    plain = name.replace("\t", "\\t").replace("\n", "\\n")
    assert f"\n\n{plain} (1 lines, modified):\n-      \told\n+     1\tnew" in made.message.content
    assert [one.uri for one in made.read] == [uris.from_path(str(repository / name))]


def test_renamed_deleted_binary_and_other_files(repository: Path, tmp_path: Path) -> None:
    (repository / "old.py").write_text(SOURCE)
    (repository / "gone.py").write_text("one\n")
    (repository / "mode.sh").write_text("one\n")
    (repository / "a.bin").write_bytes(b"\0\1")
    (repository / "end.py").write_text("one\ntwo")
    (repository / "dos.py").write_bytes(b"one\r\ntwo\r\n")
    (repository / "link.py").symlink_to("app.py")
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    (other / "x").write_text("x\n")
    commit(other)
    git(repository, "submodule", "add", "-q", str(other), "sub")
    commit(repository)
    (repository / "old.py").rename(repository / "moved.py")
    (repository / "moved.py").write_text(SOURCE.replace("line 3\n", "third\n"))
    (repository / "gone.py").unlink()
    (repository / "mode.sh").chmod(0o755)
    (repository / "a.bin").write_bytes(b"\0\2")
    (repository / "end.py").write_text("one\ntwo\nthree")
    (repository / "dos.py").write_bytes(b"one\r\n2\r\n")
    (repository / "new.py").write_text("fresh\n")
    (repository / "empty.py").write_text("")
    (repository / "link.py").unlink()
    (repository / "link.py").symlink_to("end.py")
    (repository / "sub" / "x").write_text("y\n")
    (repository / "app.py").write_text("")
    content = shown(repository)
    assert (
        "moved.py (200 lines, renamed from old.py):\n      1\tline 1\n      2\tline 2\n-      \tline 3\n+     3\tthird"
        in content
    )
    assert "\n\ngone.py: deleted" in content
    assert "mode.sh" not in content
    assert "a.bin: " in content
    assert "end.py (3 lines, modified):\n      1\tone\n      2\ttwo\n+     3\tthree\n" in content
    assert "dos.py (2 lines, modified):\n      1\tone\n-      \ttwo\n+     2\t2\n" in content
    assert "new.py (1 lines, untracked):\n+     1\tfresh" in content
    assert "link.py" not in content
    assert "\tx" not in content
    assert "\r" not in content
    assert "app.py (0 lines, modified):\n-      \tline 1\n" in content


def test_the_function_that_a_hunk_is_in_is_shown_by_its_first_line(repository: Path) -> None:
    body = "".join(f"        x{number} = {number}\n" for number in range(40))
    old = (
        f"import a\n\n\nclass A:\n    rate = 1\n\n    def sell(self):\n{body}\n    def other(self):\n        return 1\n"
    )
    (repository / "shop.py").write_text(old)
    commit(repository)
    (repository / "shop.py").write_text(old.replace("x30 = 30", "x30 = 31").replace("x35 = 35", "x35 = 36"))
    made = task(repository)
    assert (
        "shop.py (50 lines, modified):\n  ...\n      4\tclass A:\n  ...\n      7\t    def sell(self):\n  ...\n"
        "     35\t        x27 = 27\n"
    ) in made.message.content
    assert made.message.content.count("def sell") == 1
    assert [(one.range.start.line, one.range.end.line) for one in made.read] == [(3, 3), (6, 6), (34, 45)]


def test_sources_come_before_what_a_program_wrote_and_what_is_left_out_is_named(repository: Path) -> None:
    (repository / "a-package-lock.json").write_text("")
    for name in ("package-lock.json", "dist/a.js", "readme.md", "z.py", "api_pb2.py"):
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text("".join(f"{name} {number}\n" for number in range(20)))
    content = shown(repository)
    places = [content.index(f"\n\n{name} (") for name in ("z.py", "readme.md", "api_pb2.py")]
    assert places == sorted(places)
    tight = task(repository, 1100)
    assert "z.py 19" in tight.message.content
    assert "package-lock.json 3" not in tight.message.content
    assert "[Not attached, as there is no room: " in tight.message.content
    assert any("package-lock.json" in sentence for sentence in tight.skipped)


def test_of_a_large_file_a_part_comes_and_small_ones_whole(repository: Path) -> None:
    (repository / "a.py").write_text("".join(f"large {number}\n" for number in range(2000)))
    (repository / "b.py").write_text("small\n")
    made = task(repository, 3000)
    content = made.message.content
    assert "+     1\tlarge 0\n" in content
    assert "+     1\tsmall" in content
    assert re.search(r"\n\[\d+ more lines of its changes have no room here: read them\.\]", content)
    last = max(one.range.end.line for one in made.read)
    assert f"\tlarge {last}\n" in content
    assert f"\tlarge {last + 1}\n" not in content


def test_notes_about_what_was_cut_take_no_more_than_the_room() -> None:
    attached = Attachment(2000)
    new = Text("l\n" * 500)
    names = [f"f{number}.py" for number in range(4)]
    attached.changes(
        (ChangedFile(name, None, Status.ADDED, hunks=hunks_between(None, new), new=new), f"file:///{name}")
        for name in names
    )
    assert attached.text.count("have no room here") == 4
    assert len(attached.text) <= 2000


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("a.py", 0), ("src/a.ts", 0), ("a.tf", 0), ("README.md", 1), ("a.yaml", 1), ("LICENSE", 1), ("uv.lock", 2),
        ("web/package-lock.json", 2), ("pnpm-lock.yaml", 2), ("go.sum", 2), ("vendor/a.go", 2), ("a.min.js", 2),
        ("x_pb2.py", 2), ("x.pb.go", 2), ("__snapshots__/a.ts", 2), ("Cargo.lock", 2), ("clock.py", 0), ("block.ts", 0),
    ],
)  # fmt: skip
def test_the_rank_of_a_file(path: str, wanted: int) -> None:
    assert rank(path, Text("x\n")) == wanted


def test_a_file_that_says_so_was_generated() -> None:
    assert rank("a.go", Text("// Code generated by protoc. DO NOT EDIT.\n")) == 2


LINES = st.lists(st.sampled_from(["a", "b", "def f():", "    x", "", "é" * 300, "x" * 1200, "- gone"]), max_size=40)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(LINES, LINES), min_size=1, max_size=5),
    st.sampled_from([0, 50, 150, 400, 1000, 3000, 100_000]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_changes_never_take_more_than_their_room_and_show_lines_as_they_are(
    texts: list[tuple[list[str], list[str]]], room: int, ending: str
) -> None:
    changed: list[tuple[ChangedFile, str]] = []
    for number, (before, after) in enumerate(texts):
        old, new = Text(ending.join(before)), Text(ending.join(after))
        hunks = hunks_between(old, new)
        change = ChangedFile(f"f{number}.py", None, Status.MODIFIED, hunks=hunks, old=old, new=new)
        changed.append((change, f"file:///f{number}.py"))
    attached = Attachment(room)
    attached.changes(changed)
    assert len(attached.text + attached.note) <= room
    for number, (change, uri) in enumerate(changed):
        new = change.new
        assert new is not None
        block = re.search(rf"\n\nf{number}\.py \(.*\):\n((?:.+\n?)*)", attached.text)
        lines = re.findall(r"^[ +] +(\d+)\t(.*)$", block[1] if block else "", re.MULTILINE)
        for at, line in lines:
            assert new.line(int(at) - 1)[:1000] == line.removesuffix(" [… cut]")
        numbers = [int(at) - 1 for at, _ in lines]
        assert numbers == sorted(set(numbers))
        assert set(numbers) == {line for one in attached.read if one.uri == uri for line in one.range.lines}
        if room == 100_000:
            added = {line for hunk in change.hunks for line in range(hunk.new_start, hunk.new_start + len(hunk.added))}
            assert added <= set(numbers)
