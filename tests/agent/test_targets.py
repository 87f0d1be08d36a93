"""The newest message: which lines come along, what it says, what is never sent."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.agent.targets import Targets
from socreates_lsp.agent.task import _STANDING
from socreates_lsp.agent.workspace_summary import summary_of_workspace
from socreates_lsp.errors import TargetError
from socreates_lsp.review.finding import Category, Finding, Kind, Source
from socreates_lsp.review.reviewer import Question, ReviewRequest, Scope
from socreates_lsp.review.store import FindingStore
from socreates_lsp.settings import from_table, resolve
from socreates_lsp.settings.sources import Source as Origin
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Range
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = "".join(f"line {number}\n" for number in range(1, 201))
LONG = "".join(f"line {number}\n" for number in range(1, 901))


class Here:
    """A workspace, with the targets in it."""

    def __init__(self, root: Path, **table: object) -> None:
        self.root = root
        self.workspace = Workspace([uris.from_path(str(root))])
        self.store = FindingStore()
        table = {"review": {"leads": False}, **table}
        settings = resolve([from_table(table, Origin.CONFIG)]).settings
        self.targets = Targets(self.workspace, self.store, settings)

    def uri(self, name: str) -> str:
        return uris.from_path(str(self.root / name))

    def file(self, name: str, content: str) -> str:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(content)
        return self.uri(name)

    def request(
        self, scope: Scope, name: str | None = None, span: Range | None = None, **rest: object
    ) -> ReviewRequest:
        uri = None if name is None else self.uri(name)
        return ReviewRequest(scope, str(self.root), uri, span, **rest)  # type: ignore[arg-type]


def spans(task: object) -> list[tuple[int, int]]:
    return [(one.range.start.line, one.range.end.line) for one in task.read]  # type: ignore[attr-defined]


@pytest.fixture
def here(root: Path) -> Here:
    return Here(root)


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def test_a_file_comes_along_with_its_numbers(here: Here) -> None:
    here.file("src/app.py", "first\nsecond\n")
    task = here.targets.review(here.request(Scope.FILE, "src/app.py"), 1000, [])
    assert task.message.content == "Review src/app.py.\n\nsrc/app.py (2 lines):\n    1\tfirst\n    2\tsecond"
    assert spans(task) == [(0, 1)]


def test_an_open_buffer_comes_along_as_the_editor_shows_it(here: Here) -> None:
    uri = here.file("app.py", "on disk\n")
    here.workspace.buffers.open(uri, "python", 1, "in the editor\n")
    content = here.targets.review(here.request(Scope.FILE, "app.py"), 1000, []).message.content
    assert "in the editor" in content
    assert "on disk" not in content


def test_a_long_file_is_cut_and_says_how_to_go_on(here: Here) -> None:
    here.file("app.py", SOURCE)
    task = here.targets.review(here.request(Scope.FILE, "app.py"), 500, [])
    last = spans(task)[0][1]
    assert task.message.content.endswith(f"[{199 - last} more lines. Read them with start={last + 2}.]")
    assert f"{last + 1}\tline {last + 1}\n" in task.message.content
    assert len(task.message.content) < 620


def test_a_selection_comes_with_what_is_around_it(here: Here) -> None:
    here.file("app.py", LONG)
    task = here.targets.review(here.request(Scope.SELECTION, "app.py", Range.of(99, 0, 104, 3)), 10_000, [])
    assert "app.py, lines 100-105 (the developer selected them" in task.message.content
    assert spans(task) == [(39, 164)]
    here.file("app.py", SOURCE)
    task = here.targets.review(here.request(Scope.SELECTION, "app.py", Range.of(99, 0, 104, 3)), 10_000, [])
    assert spans(task) == [(0, 199)]


def test_a_selection_past_the_end_is_refused_in_one_sentence(here: Here) -> None:
    here.file("app.py", "one\n")
    with pytest.raises(TargetError, match=r"app\.py has 1 line; the selection starts at line 6"):
        here.targets.review(here.request(Scope.SELECTION, "app.py", Range.of(5, 0, 6, 0)), 1000, [])


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_file_is_refused(here: Here, content: str) -> None:
    here.file("app.py", content)
    with pytest.raises(TargetError, match=r"app\.py is empty"):
        here.targets.review(here.request(Scope.FILE, "app.py"), 1000, [])


@pytest.mark.parametrize(
    "name", [".env", "config/.ENV.local", "prod.env", ".envrc", "secrets/a.txt", "deploy/id_rsa", "x.pem"]
)
def test_what_may_not_be_read_is_not_sent(here: Here, name: str) -> None:
    here.file(name, "KEY=1\n")
    with pytest.raises(TargetError, match=r"policy\.readDeny"):
        here.targets.review(here.request(Scope.FILE, name), 1000, [])
    with pytest.raises(TargetError, match=r"policy\.readDeny"):
        here.targets.question(Question("what?", str(here.root), here.uri(name)), 1000, [])


@pytest.mark.parametrize("name", ["config.txt", "pub/token", "off.py", ".git/config"])
def test_a_link_to_what_may_not_be_read_is_not_sent_nor_its_buffer(here: Here, name: str) -> None:
    for kept in (".env", "secrets/token", ".git/config", "../outside.py"):
        here.file(kept, "KEY=1\n")
    for link, goal in {"config.txt": ".env", "pub": "secrets", "off.py": "../outside.py"}.items():
        (here.root / link).symlink_to(goal)
    for _ in range(2):
        for scope in (Scope.FILE, Scope.SELECTION):
            with pytest.raises(TargetError, match="sent to a model"):
                here.targets.review(here.request(scope, name), 1000, [])
        with pytest.raises(TargetError, match="sent to a model"):
            here.targets.question(Question("what?", str(here.root), here.uri(name)), 1000, [])
        paths = (str(here.root / name),)
        task = here.targets.review(here.request(Scope.WORKSPACE, paths=paths), 1000, [])
        assert "KEY" not in task.message.content
        assert len(task.skipped) == 1
        here.workspace.buffers.open(here.uri(name), "plaintext", 1, "KEY=2\n")


@pytest.mark.parametrize("name", [".env", ".ssh/config", "link.txt"])
def test_outside_of_every_root_names_count_as_well(here: Here, name: str) -> None:
    folder = here.root.parent / "home"
    for kept in (".env", ".ssh/config", "plain.py"):
        here.file(f"../home/{kept}", "KEY=1\n")
    (folder / "link.txt").symlink_to(".env")
    with pytest.raises(TargetError, match=r"policy\.readDeny"):
        here.targets.review(ReviewRequest(Scope.FILE, None, uris.from_path(str(folder / name))), 1000, [])
    with pytest.raises(TargetError, match=r"policy\.readDeny"):
        here.targets.question(Question("what?", None, uris.from_path(str(folder / name))), 1000, [])
    plain = here.targets.question(Question("what?", None, uris.from_path(str(folder / "plain.py"))), 1000, [])
    assert "KEY=1" in plain.message.content


def test_changes_of_what_may_not_be_read_are_not_sent_by_another_name(here: Here) -> None:
    git(here.root, "init", "-q")
    here.file("a.py", "a\n")
    here.file(".env", "KEY=1\nPLAIN=2\nMORE=3\n")
    git(here.root, "add", "-A", "-f")
    git(here.root, "commit", "-qm", "x")
    (here.root / ".env").unlink()
    here.file("sample.txt", "KEY=\nPLAIN=2\nMORE=3\n")
    here.file("secrets/token", "KEY=4\n")
    (here.root / "pub").symlink_to("secrets")
    here.workspace.buffers.open(here.uri("pub/token"), "plaintext", 1, "KEY=5\n")
    here.file("a.py", "b\n")
    task = here.targets.review(here.request(Scope.CHANGES), 10_000, [])
    assert "+     1\tb" in task.message.content
    assert "KEY=" not in task.message.content
    assert "pub/token" in task.message.content


def test_changes_come_as_hunks_with_new_numbers_and_removed_lines(here: Here) -> None:
    git(here.root, "init", "-q")
    here.file("app.py", SOURCE)
    here.file(".env", "KEY=1\n")
    git(here.root, "add", "-A", "-f")
    git(here.root, "commit", "-qm", "x")
    here.file("app.py", SOURCE.replace("line 50\n", "changed 50\nand more\n").replace("line 150\n", ""))
    here.file(".env", "KEY=2\n")
    here.file("new.py", "new\n")
    here.workspace.buffers.open(here.file("open.py", ""), "python", 1, "only in the editor\n")
    task = here.targets.review(here.request(Scope.CHANGES), 10_000, [])
    content = task.message.content
    assert "what changed against HEAD" in content
    assert "-      \tline 50\n+    50\tchanged 50\n+    51\tand more\n     52\tline 51\n" in content
    assert "-      \tline 150\n    151\tline 151\n" in content
    assert "+     1\tnew" in content
    assert "+     1\tonly in the editor" in content
    assert "KEY" not in content
    assert ".env" in content
    assert task.skipped == (".env: its changes were not attached.",)
    assert spans(task)[0] == (46, 53)


def test_changes_that_do_not_fit_are_named(here: Here) -> None:
    git(here.root, "init", "-q")
    here.file("a.py", SOURCE)
    here.file("b.py", "b\n")
    task = here.targets.review(here.request(Scope.CHANGES), 300, [])
    assert "[Not attached, as there is no room: a.py.]" in task.message.content
    assert "+     1\tb" in task.message.content


def test_no_changes_and_no_folder_are_said(here: Here, tmp_path: Path) -> None:
    git(here.root, "init", "-q")
    with pytest.raises(TargetError, match="no changes against HEAD"):
        here.targets.review(here.request(Scope.CHANGES), 300, [])
    bare = Targets(Workspace(), FindingStore(), resolve([]).settings)
    for scope in (Scope.CHANGES, Scope.WORKSPACE):
        with pytest.raises(TargetError, match="no folder is open"):
            bare.review(ReviewRequest(scope), 300, [])


def test_files_named_on_the_command_line_come_along_and_folders_are_named(here: Here) -> None:
    here.file("src/a.py", "a = 1\n")
    here.file("lib/b.py", "b = 1\n")
    paths = (str(here.root / "src/a.py"), str(here.root / "lib"), str(here.root / "gone.py"))
    task = here.targets.review(here.request(Scope.WORKSPACE, paths=paths), 1000, [])
    assert task.message.content.startswith("Review src/a.py, lib, gone.py.")
    assert "    1\ta = 1" in task.message.content
    assert "b = 1" not in task.message.content
    assert len(task.skipped) == 1


def test_the_task_says_what_the_user_set_and_what_stands(root: Path) -> None:
    here = Here(
        root,
        rules=["No prints."],
        questions=[{"question": "Is it thread safe?", "glob": "src/**"}, {"question": "Is it fast?", "glob": "lib/**"}],
    )
    uri = here.file("src/app.py", "value = 1\n")
    finding = Finding(
        "0" * 16, Kind.QUESTION, Category.CORRECTNESS, uri, Range.of(0, 0, 0, 9), "Why 1?", "", "value = 1", 0.8,
        Source.MODEL,
    )  # fmt: skip
    here.store.add(finding, root=str(root), version=None, text=None)
    content = here.targets.review(here.request(Scope.FILE, "src/app.py", ask="Who calls it?"), 1000, ["b.py"])
    assert content.message.content.split("\n\n")[:6] == [
        "Review src/app.py.",
        "The developer asks, and wants an answer before all else: Who calls it?",
        "Rules of this house; a breach is worth a point:\n- No prints.",
        f"{_STANDING}\n- [SQ1] Is it thread safe?",
        "These stand already; raise one again only if it still holds:\n- src/app.py:1 Why 1?",
        "Read lately: b.py.",
    ]


def test_a_question_is_about_a_file_lines_or_nothing(here: Here) -> None:
    uri = here.file("app.py", "value = 1\nother = 2\n")
    whole = here.targets.question(Question("Why?", str(here.root), uri), 1000, []).message.content
    assert whole.startswith("The developer asks you: Why?\n\nIt is about app.py.\n\napp.py (2 lines):")
    line = here.targets.question(Question("Why?", str(here.root), uri, Range.of(1, 0, 1, 3)), 1000, [])
    assert "It is about app.py, line 2." in line.message.content
    bare = here.targets.question(Question("Why?", str(here.root)), 1000, [])
    assert bare.message.content == "The developer asks you: Why?"


def test_a_line_without_end_is_cut(here: Here) -> None:
    here.file("app.js", "x" * 5000 + "\nnext\n")
    content = here.targets.review(here.request(Scope.FILE, "app.js"), 4000, []).message.content
    assert "[… cut]" in content
    assert "    2\tnext" in content


def test_the_summary_of_a_workspace_is_bounded_and_names_what_matters(here: Here) -> None:
    git(here.root, "init", "-q", "-b", "feature")
    here.file("pyproject.toml", "")
    here.file("src/app.py", "")
    for number in range(39):
        here.file(f"data/{number}.gif", "")
    here.file("data/readme.txt", "")
    for number in range(200):
        here.file(f"deep/{number}/x.py", "")
    summary = summary_of_workspace(str(here.root), 1500)
    assert len(summary) < 1560
    assert "On the git branch feature." in summary
    assert "Manifests: pyproject.toml." in summary
    assert "data/: readme.txt (39 .gif)" in summary
    assert "src/: app.py" in summary
    assert "more folders" in summary
    assert summary_of_workspace(str(here.root / "gone"), 500).startswith("The workspace gone: 0 files.")


def test_a_worktree_has_a_branch_and_a_detached_head_has_none(here: Here, tmp_path: Path) -> None:
    git(here.root, "init", "-q")
    here.file("a.py", "a\n")
    git(here.root, "add", "-A")
    git(here.root, "commit", "-qm", "x")
    git(here.root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    assert "On the git branch side." in summary_of_workspace(str(tmp_path / "side"), 500)
    git(here.root, "checkout", "-q", "--detach")
    assert "branch" not in summary_of_workspace(str(here.root), 500)
