"""The tree: what counts, in what order, how deep, and how long."""

from __future__ import annotations

import os

import pytest

from socreates_lsp.tools.tree import human, lines_of, tree_of
from socreates_lsp.workspace import files as files_module


@pytest.fixture(params=["rg", "walk"])
def means(request, monkeypatch):
    """By rg, and where there is none, by our own walk."""
    if request.param == "walk":
        monkeypatch.setattr(files_module, "find_tool", lambda *_: None)


FILES = {
    "b.py": "12345",
    "a/x.py": "1",
    "a/deep/y.py": "22",
    ".gitignore": "ignored/\n",
    "ignored/z.py": "z",
    "node_modules/m.js": "m",
    ".env": "TOKEN",
    "secrets/k": "TOKEN",
    "Z.txt": "x" * 1500,
}


@pytest.mark.usefixtures("means")
async def test_the_tree_has_what_counts_in_order(site) -> None:
    site.write(FILES)
    result = await site.call("list_files")
    assert result.text == (
        "./ (5 files, 1.5 kB)\n"
        "a/\n  deep/\n    y.py (2 B)\n  x.py (1 B)\n.gitignore (9 B)\nZ.txt (1.5 kB)\nb.py (5 B)\n"
        "[2 files left out: policy.readDeny keeps them from you.]"
    )
    assert result.read == ()
    assert result == await site.call("list_files")


@pytest.mark.usefixtures("means")
async def test_depth_and_path(site) -> None:
    site.write(FILES)
    assert "\na/ (2 files, 3 B)\n" in (await site.call("list_files", depth=1)).text
    assert "\n  deep/ (1 file, 2 B)\n  x.py" in (await site.call("list_files", depth=2)).text
    assert (await site.call("list_files", path="a")).text == "a/ (2 files, 3 B)\ndeep/\n  y.py (2 B)\nx.py (1 B)"
    assert (await site.call("list_files", path="a/x.py")).text == "a/x.py is a file of 1 B: read it with read_file."
    assert "z.py" in (await site.call("list_files", path="ignored")).text
    assert "at least 1" in (await site.call("list_files", depth=0)).text
    secret = await site.call("list_files", path="secrets")
    assert secret.text == (
        "secrets/ (0 files, 0 B)\n[No files, or only ignored ones.]\n"
        "[1 file left out: policy.readDeny keeps them from you.]"
    )


async def test_open_buffers_that_are_no_files_yet_and_their_sizes(site) -> None:
    site.write({"a.py": "1"})
    site.open("a.py", "äääää")
    site.open("new/b.py", "12")
    site.open(".env", "TOKEN")
    result = await site.call("list_files")
    assert result.text == "./ (2 files, 12 B)\nnew/\n  b.py (2 B)\na.py (10 B)"
    assert "b.py" in (await site.call("list_files", path="new")).text


async def test_the_default_depth_is_what_fits(site) -> None:
    site.write({f"d{n}/e{m}/f{k}.py": "" for n in range(4) for m in range(4) for k in range(4)})
    assert "f3.py" in (await site.call("list_files", limit=4000)).text
    middle = await site.call("list_files", limit=900)
    assert "  e3/ (4 files, 0 B)" in middle.text
    assert "f3.py" not in middle.text
    assert "d3/ (16 files, 0 B)" in (await site.call("list_files", limit=260)).text


async def test_more_than_fits_is_counted(site) -> None:
    site.write({f"file{n:03}.py": "" for n in range(300)})
    result = await site.call("list_files", limit=1000)
    shown = result.text.count(".py (0 B)")
    assert shown > 10
    assert f"[{300 - shown} more lines. List a folder by its path to see them.]" in result.text
    assert "file000.py" in result.text
    deep = await site.call("list_files", limit=1000, depth=5)
    assert deep.text == result.text


async def test_a_large_folder_is_summed_up_unless_it_was_asked_for(site) -> None:
    site.write({f"data/{n:03}.csv": "12" for n in range(150)})
    assert "  [130 more files in this folder, 260 B]" in (await site.call("list_files")).text
    assert "149.csv" in (await site.call("list_files", path="data")).text


async def test_what_is_not_there_or_not_allowed(site) -> None:
    site.write({"src/app.py": ""})
    missing = await site.call("list_files", path="scr")
    assert missing.failed
    assert missing.text == "scr does not exist: did you mean src?"
    assert (await site.call("list_files", path="..")).failed
    assert "has no argument" in (await site.call("list_files", folder="x")).text
    assert (await site.call("list_files", limit=0)).text == ""


async def test_an_empty_root(site) -> None:
    assert (await site.call("list_files")).text == "./ (0 files, 0 B)\n[No files, or only ignored ones.]"


@pytest.mark.usefixtures("means")
async def test_links_pipes_and_strange_names(site) -> None:
    site.write({"a.py": "", "with\nbreak.py": "", "🦉.py": ""})
    (site.root / "loop").symlink_to("loop")
    (site.root / "self").symlink_to(".")
    os.mkfifo(site.root / "pipe")
    result = await site.call("list_files")
    assert result.text == "./ (3 files, 0 B)\na.py (0 B)\nwith\\nbreak.py (0 B)\n🦉.py (0 B)"


async def test_a_folder_through_a_link_inside(site) -> None:
    site.write({"real/a.py": "", "real/.env": ""})
    (site.root / "link").symlink_to("real")
    assert "a.py" in (await site.call("list_files", path="link")).text
    assert "1 file left out" in (await site.call("list_files", path="link")).text


async def test_a_folder_that_may_not_be_entered_is_told(site, monkeypatch) -> None:
    site.write({"a.py": "", "closed/b.py": ""})
    monkeypatch.setattr(files_module, "find_tool", lambda *_: None)
    real = os.scandir

    def scandir(path):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    result = await site.call("list_files")
    assert "[closed could not be entered: permission denied.]" in result.text
    assert "a.py" in result.text


async def test_a_file_that_vanishes_while_it_is_listed(site, monkeypatch) -> None:
    site.write({"a.py": "123", "b.py": "1"})
    real = os.lstat

    def lstat(path, *rest, **more):
        if str(path).endswith("a.py"):
            raise FileNotFoundError(path)
        return real(path, *rest, **more)

    monkeypatch.setattr("socreates_lsp.tools.view.os.lstat", lstat)
    assert "b.py (1 B)" in (await site.call("list_files")).text


def test_sizes_for_people() -> None:
    assert [human(size) for size in (0, 999, 1000, 1_500_000)] == ["0 B", "999 B", "1.0 kB", "1.5 MB"]


def test_folders_come_first() -> None:
    tree = tree_of([("a.py", 1), ("b/c.py", 2), ("b/d/e.py", 3)])
    assert list(lines_of(tree, 9)) == ["b/", "  d/", "    e.py (3 B)", "  c.py (2 B)", "a.py (1 B)"]
    assert tree.height == 3
    assert (tree.count, tree.size) == (3, 6)
