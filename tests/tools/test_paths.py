"""No path that a model names leads out of the root, or to what policy.readDeny keeps from it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from socreates_lsp.settings.schema import READ_DENY
from socreates_lsp.tools import paths as module
from socreates_lsp.tools.paths import Paths, nearest
from socreates_lsp.tools.refusal import ToolRefusalError


@pytest.fixture(scope="module")
def house():
    """A root with links of all kinds, and secrets around it."""
    with tempfile.TemporaryDirectory() as base:
        root = Path(base, "top")
        (root / "pkg" / "deep").mkdir(parents=True)
        (root / "secrets").mkdir()
        for kept in (".git/config", ".socreates/session.json"):
            (root / kept).parent.mkdir()
            (root / kept).write_text("x")
        for name in ("pkg/a.py", ".env", "secrets/token", "pkg/deep/b.py", "odd\\name.py"):
            (root / name).write_text("x")
        Path(base, "top-twin").mkdir()
        Path(base, "top-twin", "c.py").write_text("x")
        Path(base, "outside.txt").write_text("x")
        for name, goal in {
            "out": base,
            "out.txt": f"{base}/outside.txt",
            "up": "..",
            "pkg/up": "../..",
            "in": "pkg/deep",
            "loop": "loop",
            "one": "two",
            "two": "one",
            "envlink": ".env",
            "hidden": "secrets",
            "twin": f"{base}/top-twin",
            "dangling": "nowhere",
            "chain": "up/top/pkg",
            "history": ".git",
            "talk": ".socreates/session.json",
        }.items():
            (root / name).symlink_to(goal)
        yield root


PARTS = st.sampled_from(
    [
        *("..", ".", "", "pkg", "a.py", "deep", "out", "out.txt", "up", "in", "loop", "one", "twin", "chain", "top"),
        *("top-twin", "C:", "c:", "~", "..\\..", "\\\\server", "etc", "passwd", ".env", "secrets", "PKG", "..."),
        *("%2e%2e", "a\0b", "x" * 300, "\ud800", "\u202e", "dangling", "envlink", "hidden", "history", "odd\\name.py"),
        *("file:", ".git"),
    ]
)
NAMES = st.one_of(
    st.text(max_size=40),
    st.tuples(st.sampled_from(["", "/", "\\", "//", "./", "C:\\", "../"]), st.lists(PARTS, max_size=8)).flatmap(
        lambda one: st.sampled_from(["/", "\\", "//"]).map(lambda slash: one[0] + slash.join(one[1]))
    ),
)


@settings(max_examples=400, deadline=None)
@given(name=NAMES, absolute=st.booleans())
@example(name="./pkg/../../../etc/passwd", absolute=False)
@example(name="/etc/passwd", absolute=False)
@example(name="..\\..\\etc\\passwd", absolute=False)
@example(name="pkg\\..\\..\\outside.txt", absolute=False)
@example(name="../top-twin/c.py", absolute=True)
@example(name="up/outside.txt", absolute=False)
@example(name="chain/../../outside.txt", absolute=False)
@example(name="\\\\?\\C:\\Windows", absolute=False)
def test_no_path_leads_out_of_the_root(house: Path, name: str, absolute: bool) -> None:
    resolver = Paths(str(house), READ_DENY)
    try:
        place = resolver.resolve(f"{house}/{name}" if absolute else name)
    except ToolRefusalError as error:
        said = str(error)
    else:
        said = ""
    assert "\n" not in said
    assert len(said) < 400
    if said:
        return
    real = os.path.realpath(place.path)
    assert real == place.real
    assert Path(real).is_relative_to(os.path.realpath(house))
    assert Path(os.path.normpath(place.path)).is_relative_to(house)
    assert not place.relative.startswith(("/", "..")) or place.relative.startswith("...")
    assert Path(real).name != ".env"
    assert not {".git", ".socreates"}.intersection(Path(real).relative_to(os.path.realpath(house)).parts)
    assert "secrets" not in Path(real).relative_to(os.path.realpath(house)).parts[:-1]


@pytest.mark.parametrize(
    ("name", "relative"),
    [
        ("pkg/a.py", "pkg/a.py"),
        ("./pkg//a.py", "pkg/a.py"),
        ("pkg\\a.py", "pkg/a.py"),
        ("pkg\\deep/..\\a.py", "pkg/a.py"),
        (".\\pkg", "pkg"),
        ("", ""),
        (".", ""),
        ("pkg/..", ""),
        ("odd\\name.py", "odd\\name.py"),
        ("in/b.py", "in/b.py"),
        ("pkg/up/top/pkg/a.py", "pkg/up/top/pkg/a.py"),
        ("new/file.py", "new/file.py"),
        ("~", "~"),
    ],
)
def test_a_path_inside_is_taken(house: Path, name: str, relative: str) -> None:
    assert Paths(str(house), ()).resolve(name).relative == relative


def test_an_absolute_path_inside_is_taken_also_through_a_link_to_the_root(house: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(house)
    for root in (str(house), str(link)):
        paths = Paths(root, ())
        assert paths.resolve(f"{root}/pkg/a.py").relative == "pkg/a.py"
        assert paths.resolve(f"{os.path.realpath(house)}/pkg/a.py").relative == "pkg/a.py"
        assert paths.resolve(root).relative == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("/etc/passwd", "outside of the workspace"),
        ("../x", "outside of the workspace"),
        ("..\\x", "outside of the workspace"),
        ("C:\\x.py", "outside of the workspace"),
        ("c:/x.py", "outside of the workspace"),
        ("\\\\server\\share\\x", "outside of the workspace"),
        ("//server/share", "outside of the workspace"),
        ("out.txt", "symbolic link out of the workspace"),
        ("out/x", "symbolic link out of the workspace"),
        ("twin/c.py", "symbolic link out of the workspace"),
        ("a\0b", "no name that a file can have"),
        ("\ud800", "no name that a file can have"),
        (".env", "policy.readDeny"),
        (".ENV", "policy.readDeny"),
        ("sub/.env.local", "policy.readDeny"),
        ("envlink", "policy.readDeny"),
        ("hidden/token", "policy.readDeny"),
        ("Secrets/token", "policy.readDeny"),
        ("in/../secrets/x", "policy.readDeny"),
        ("pkg/up/top/.env", "policy.readDeny"),
        (".git/config", "kept from you, as all in .git is"),
        (".git", "kept from you, as all in .git is"),
        (".GIT/config", "kept from you"),
        ("pkg/.git/config", "kept from you"),
        (".socreates/session.json", "kept from you, as all in .socreates is"),
        ("history/config", "kept from you, as all in .git is"),
        ("talk", "kept from you, as all in .socreates is"),
        ("in/../.hg/hgrc", "kept from you"),
    ],
)
def test_a_refusal_says_why(house: Path, name: str, words: str) -> None:
    with pytest.raises(ToolRefusalError, match=words):
        Paths(str(house), READ_DENY).resolve(name)


def test_a_refusal_is_the_same_whether_the_file_is_there_or_not(house: Path) -> None:
    paths = Paths(str(house), READ_DENY)
    said = []
    for name in ("secrets/token", "secrets/nowhere"):
        with pytest.raises(ToolRefusalError) as caught:
            paths.resolve(name)
        said.append(str(caught.value).replace(name, "x"))
    assert said[0] == said[1]


def test_names_that_windows_takes_for_others_are_none_there(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WINDOWS", True)
    for name in (".env::$DATA", ".env.", ".env ", "pkg/a.py:stream", "CON. /x"):
        with pytest.raises(ToolRefusalError, match="no name"):
            Paths(str(house), ()).resolve(name)


def test_the_nearest_names_are_the_same_name_elsewhere_then_similar_ones() -> None:
    names = ["src/app.py", "src/deep/app.py", "src/apple.py", "README.md", "docs/readme.txt"]
    assert nearest("app.py", names)[0] == "src/app.py"
    assert nearest("src/APP.py", names)[0] == "src/app.py"
    assert nearest("README.rst", names) == ("README.md", "docs/readme.txt")
    assert nearest("src/aple.py", names)[0] == "src/apple.py"
    assert nearest("zzzzzz", names) == ()


def test_a_root_at_the_top_of_the_file_system_holds_everything() -> None:
    assert Paths("/", ()).resolve("/etc").relative == "etc"
    assert Paths("/", ()).resolve("etc").path == "/etc"
