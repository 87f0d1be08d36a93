"""One file, one URI inside; the client's own spelling outside."""

from __future__ import annotations

import os

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from socreates_lsp.workspace import uris
from socreates_lsp.workspace.workspace import Workspace

SEGMENT = st.text(st.characters(exclude_characters="/\x00", exclude_categories=["Cs"]), min_size=1, max_size=8)
PATHS = st.lists(SEGMENT.filter(lambda part: part not in {".", ".."}), min_size=1, max_size=4).map(
    lambda parts: "/" + "/".join(parts)
)


@pytest.mark.skipif(os.name == "nt", reason="paths of POSIX")
@given(PATHS)
@example("/a b/ü#?%25.py")
@example("/w/c%3A/x.py")
def test_a_path_survives_the_way_through_its_uri(path: str) -> None:
    uri = uris.from_path(path)
    assert uri.isascii()
    assert uris.to_path(uri) == path
    assert uris.canonical(uri) == uri


@pytest.mark.skipif(os.name == "nt", reason="paths of POSIX")
@given(
    st.binary(min_size=1, max_size=8).filter(lambda name: not {0, ord("/")} & set(name) and name not in {b".", b".."})
)
def test_a_name_that_is_no_utf8_survives_too(name: bytes) -> None:
    path = os.fsdecode(b"/w/" + name)
    assert uris.to_path(uris.from_path(path)) == path


@given(st.text())
@example("file:///\ud800")
@example("untitled:\ud800")
@example("file://%ff%fe/%00")
@example("file:")
@example(":")
def test_whatever_a_client_sends_has_one_canonical_form_and_a_name(uri: str) -> None:
    canonical = uris.canonical(uri)
    assert uris.canonical(canonical) == canonical
    assert isinstance(uris.name_of(uri), str)


@pytest.mark.parametrize(
    "spelling",
    [
        "file:///c%3A/My%20Code/x.py",
        "file:///C:/My%20Code/x.py",
        "file:///c:/My Code/x.py",
        "file:///C%3a/My Code/x.py",
    ],
)
def test_a_drive_has_many_spellings_and_is_one(spelling: str) -> None:
    assert uris.canonical(spelling) == "file:///c:/My%20Code/x.py"


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///w/a.py", "/w/a.py"),
        ("file:/w/a.py", "/w/a.py"),
        ("FILE://localhost/w/a.py", "/w/a.py"),
        ("file:///w/a%23b%3Fc.py", "/w/a#b?c.py"),
        ("file:///w/a#b?c.py", "/w/a#b?c.py"),
        ("file://host/share/a.py", "//host/share/a.py"),
        ("untitled:Untitled-1", None),
        ("vscode-notebook-cell:/w/a.ipynb#X", None),
        ("git:/w/a.py", None),
    ],
)
def test_only_a_file_has_a_path(uri: str, path: str | None) -> None:
    found = uris.to_path(uri)
    assert (found if found is None else found.replace("\\", "/")) == path


def test_dots_and_double_slashes_name_the_same_file() -> None:
    assert uris.canonical("file:///w/./a/../b//c.py") == "file:///w/b/c.py"


@pytest.mark.parametrize(
    ("uri", "name"),
    [("file:///w/a%20b.py", "a b.py"), ("untitled:Untitled-1", "Untitled-1"), ("vscode-vfs://x/y/z.py", "z.py")],
)
def test_the_last_part_is_the_name(uri: str, name: str) -> None:
    assert uris.name_of(uri) == name


# The workspace, which gives the client its own spelling back


def test_files_below_a_root_are_spelled_as_the_client_spells_the_root() -> None:
    workspace = Workspace(["file:///c%3A/Work/"])
    assert workspace.spelled("file:///c:/Work/a/b.py") == "file:///c%3A/Work/a/b.py"
    assert workspace.spelled("file:///d:/other.py") == "file:///d:/other.py"


def test_an_open_document_is_spelled_as_it_was_opened() -> None:
    workspace = Workspace(["file:///w"])
    workspace.buffers.open("file:///w/%61.py", "python", 1, "")
    assert workspace.buffers.get("file:///w/a.py") is not None
    assert workspace.spelled("file:///w/a.py") == "file:///w/%61.py"
    assert workspace.buffers.close("file:///w/a.py")
    assert workspace.spelled("file:///w/a.py") == "file:///w/a.py"


def test_a_document_belongs_to_the_nearest_root() -> None:
    workspace = Workspace(["file:///w", "file:///w/inner", "file:///w2"])
    assert workspace.root_of("file:///w/inner/a.py") == "/w/inner"
    assert workspace.root_of("file:///w/innermost/a.py") == "/w"
    assert workspace.root_of("file:///w2/a.py") == "/w2"
    assert workspace.root_of("file:///elsewhere/a.py") is None
    assert workspace.root_of("untitled:x") == "/w"
    assert workspace.root_of(None) == "/w"
    workspace.remove_root("file:///w/inner/")
    assert workspace.root_of("file:///w/inner/a.py") == "/w"
    assert Workspace().root_of(None) is None


def test_people_read_paths_below_the_root() -> None:
    workspace = Workspace(["file:///w"])
    assert workspace.display_path("file:///w/a/b.py") == "a/b.py"
    assert workspace.display_path("file:///elsewhere/b.py") == "/elsewhere/b.py"
    assert workspace.display_path("untitled:Untitled-1") == "Untitled-1"
    assert Workspace(["file:///"]).display_path("file:///a/b.py") == "a/b.py"
