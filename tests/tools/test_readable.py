"""No document that policy.readDeny names is given to a model, by whatever name and on whatever way it comes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from socreates_lsp.settings.schema import READ_DENY
from socreates_lsp.tools.readable import Readable
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.workspace import Workspace


@pytest.fixture
def base(root: Path) -> Path:
    """The folder around a root with secrets and links to them, and the same outside of it."""
    outside = root.parent / "elsewhere"
    for folder in (root, outside):
        for name in (".env", "secrets/deep/token", ".ssh/config", "config/local.ini", ".git/config", "plain.py"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("KEY=1\n")
        (folder / ".socreates").mkdir()
        (folder / ".socreates" / "session.json").write_text("{}\n")
        for link, goal in {
            "config.txt": ".env", "pub": "secrets", "twice": "config.txt", "settings.ini": "config/local.ini",
            "repository": ".git", "talk": ".socreates/session.json", "copy.py": "plain.py", "loop": "loop",
            ".env.linked": "plain.py",
        }.items():  # fmt: skip
            (folder / link).symlink_to(goal)
    (root / "off.py").symlink_to(outside / "plain.py")
    (root / "away").symlink_to(outside)
    return root.parent


def refusal(base: Path, uri: str, *roots: Path) -> str | None:
    workspace = Workspace([uris.from_path(str(root)) for root in roots])
    return Readable(workspace, (*READ_DENY, "config/local.ini")).refusal(uri)


SECRET = (
    ".env", ".ENV", "sub/.Env.local", "config.txt", "twice", "pub/deep/token", "Secrets/x", ".ssh/config",
    "config/local.ini", "CONFIG/LOCAL.INI", "settings.ini", ".env.linked",
)  # fmt: skip
OURS = (".git/config", "repository/config", ".GIT/config", "sub/.git", "talk", ".socreates/session.json")


@pytest.mark.parametrize("folder", ["workspace", "elsewhere"])
@pytest.mark.parametrize("name", SECRET)
def test_what_read_deny_names_is_kept_inside_and_outside_by_name_and_by_link(base, folder, name) -> None:
    said = refusal(base, uris.from_path(str(base / folder / name)), base / "workspace")
    assert said is not None
    assert said.endswith(" is not sent to a model: policy.readDeny names it.")
    assert Path(name).name in said


@pytest.mark.parametrize("folder", ["workspace", "elsewhere"])
@pytest.mark.parametrize("name", OURS)
def test_version_control_and_our_own_folder_are_kept(base, folder, name) -> None:
    said = refusal(base, uris.from_path(str(base / folder / name)), base / "workspace")
    assert said is not None
    assert "never is." in said


@pytest.mark.parametrize("name", ["off.py", "away/plain.py", "away/not-there.py"])
def test_a_link_in_the_root_that_leads_out_of_it_is_no_target(base, name) -> None:
    uri = uris.from_path(str(base / "workspace" / name))
    said = refusal(base, uri, base / "workspace")
    assert said == f"{name} is a symbolic link out of the workspace: only what lies inside is sent to a model."
    assert refusal(base, uri, base / "workspace", base / "elsewhere") is None


@pytest.mark.parametrize(
    "name", ["workspace/plain.py", "workspace/copy.py", "workspace/new.py", "elsewhere/plain.py", "elsewhere/copy.py",
             "workspace/loop", "workspace/environment.py"],
)  # fmt: skip
def test_plain_files_are_read_also_outside(base, name) -> None:
    assert refusal(base, uris.from_path(str(base / name)), base / "workspace") is None
    assert refusal(base, uris.from_path(str(base / name))) is None


def test_a_root_that_lies_in_a_folder_with_such_a_name_is_read(tmp_path: Path) -> None:
    root = tmp_path / "secrets" / ".git" / "project"
    root.mkdir(parents=True)
    (root / "a.py").write_text("x")
    link = tmp_path / "link"
    link.symlink_to(root)
    for folder in (root, link):
        assert refusal(tmp_path, uris.from_path(str(folder / "a.py")), folder) is None
        assert refusal(tmp_path, uris.from_path(str(folder / ".env")), folder) is not None
    assert refusal(tmp_path, uris.from_path(str(root / "a.py")), link) is None
    assert refusal(tmp_path, uris.from_path(str(root / "a.py"))) is not None


@pytest.mark.parametrize(
    ("uri", "kept"),
    [
        ("untitled:Untitled-1", False),
        ("untitled:/home/me/.env", True),
        ("untitled:secrets%2Ftoken", True),
        ("git:/home/me/.env?{%22ref%22:%22HEAD%22}", True),
        ("git:/home/me/a.py?x=/.env", False),
        ("vscode-remote://host/home/me/.aws/credentials", True),
        ("file:///home/me/a%00.py", False),
        ("file:///home/me/.ssh/id%00", True),
    ],
)
def test_documents_that_are_no_files_are_judged_by_their_names(base, uri, kept) -> None:
    assert (refusal(base, uri, base / "workspace") is not None) == kept


def test_a_cell_is_judged_by_its_notebook(base) -> None:
    workspace = Workspace([uris.from_path(str(base / "workspace"))])
    notebook = uris.from_path(str(base / "workspace" / "secrets" / "book.ipynb"))
    workspace.notebooks.open(notebook, ["vscode-notebook-cell:one"])
    assert "readDeny" in (Readable(workspace, READ_DENY).refusal("vscode-notebook-cell:one") or "")
    assert not Readable(workspace, READ_DENY)("vscode-notebook-cell:one")
    assert Readable(workspace, READ_DENY)("vscode-notebook-cell:two")


def test_a_name_in_a_sentence_is_on_one_line(base) -> None:
    said = refusal(base, uris.from_path(os.path.join(str(base), "workspace", "secrets", "a\nb")), base / "workspace")
    assert said is not None
    assert "\n" not in said
