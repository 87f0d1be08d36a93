"""Reading: numbers, ranges, open buffers, every encoding, and what was really shown."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.tools.read_file import result_of
from socreates_lsp.tools.view import Document
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Range, Text

if TYPE_CHECKING:
    from pathlib import Path


async def test_lines_are_numbered_from_1_and_the_range_is_told(site) -> None:
    site.write({"a.py": "one\ntwo\n\nfour\n"})
    result = await site.call("read_file", path="a.py")
    assert result.text == "[a.py, 4 lines]\n1\tone\n2\ttwo\n3\t\n4\tfour"
    assert [(one.uri, one.range) for one in result.read] == [
        (uris.from_path(str(site.root / "a.py")), Range.of(0, 0, 3, 4))
    ]


async def test_a_range_and_the_hint_to_go_on(site) -> None:
    site.write({"a.py": "".join(f"line {n}\n" for n in range(1, 651))})
    result = await site.call("read_file", path="a.py", start=498, end=500)
    assert result.text == (
        "[a.py, 650 lines]\n498\tline 498\n499\tline 499\n500\tline 500\n[150 more lines. Use start=501 to continue.]"
    )
    assert result.read[0].range == Range.of(497, 0, 499, 8)
    whole = await site.call("read_file", path="a.py")
    assert whole.text.endswith("[150 more lines. Use start=501 to continue.]")
    assert (await site.call("read_file", path="a.py", end=649)).text.endswith(
        "[1 more line. Use start=650 to continue.]"
    )


@pytest.mark.parametrize(
    ("start", "end", "shown", "words"),
    [
        (0, 1, [1], "start=0 was taken as 1"),
        (-5, None, [1, 2, 3], "start=-5 was taken as 1"),
        (9, None, [3], "has only 3 lines, so start=9 was taken as 3"),
        (2, 99, [2, 3], "so end=99 was taken as 3"),
        (3, 1, [3], "end=1 is before start=3"),
    ],
)
async def test_a_range_outside_is_clamped_with_a_note(site, start, end, shown, words) -> None:
    site.write({"a.py": "x\ny\nz"})
    result = await site.call("read_file", path="a.py", start=start, end=end)
    assert words in result.text
    assert [int(one) for one in re.findall(r"^ *(\d+)\t", result.text, re.MULTILINE)] == shown
    assert not result.failed


async def test_the_open_buffer_counts_before_the_disk(site) -> None:
    site.write({"a.py": "disk"})
    uri = site.open("a.py", "buffer\nof two")
    result = await site.call("read_file", path="./a.py")
    assert "buffer\n2\tof two" in result.text
    assert result.read[0].uri == uri


async def test_a_buffer_that_is_no_file_yet_can_be_read(site) -> None:
    site.open("new.py", "soon")
    assert "soon" in (await site.call("read_file", path="new.py")).text
    site.workspace.buffers.open("untitled:Untitled-1", "python", 1, "sketch")
    for name in ("Untitled-1", "untitled:Untitled-1"):
        result = await site.call("read_file", path=name)
        assert "sketch" in result.text
        assert result.read[0].uri == "untitled:Untitled-1"
    site.write({"Untitled-1": "a file"})
    assert "a file" in (await site.call("read_file", path="Untitled-1")).text


async def test_a_buffer_is_found_through_a_link_and_in_another_case_where_that_is_the_same_file(site) -> None:
    site.write({"real.py": "disk"})
    (site.root / "link.py").symlink_to("real.py")
    (site.root / "REAL.PY").hardlink_to(site.root / "real.py")
    uri = site.open("real.py", "buffer")
    for name in ("link.py", "REAL.PY"):
        result = await site.call("read_file", path=name)
        assert "buffer" in result.text
        assert result.read[0].uri == uri


async def test_another_file_in_another_case_is_another_file(site) -> None:
    site.write({"a.py": "small", "A.py": "large"})
    site.open("a.py", "buffer")
    assert "large" in (await site.call("read_file", path="A.py")).text


async def test_an_old_revision_in_the_editor_is_not_what_a_file_holds(site) -> None:
    site.workspace.buffers.open("git:/x/old.py", "python", 1, "old")
    assert (await site.call("read_file", path="git:/x/old.py")).failed


@pytest.mark.parametrize("name", [".env", "Secrets/key", "link"])
async def test_what_is_kept_is_kept_also_when_it_is_open(site, name) -> None:
    site.write({".env": "TOKEN=1", "Secrets/key": "TOKEN=1"})
    (site.root / "link").symlink_to(".env")
    site.open(name, "TOKEN=1")
    result = await site.call("read_file", path=name)
    assert result.failed
    assert "TOKEN" not in result.text
    assert "policy.readDeny" in result.text
    assert result.read == ()


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\rb", ["a", "b"]),
        (b"\xef\xbb\xbfa\nb", ["a", "b"]),
        ("héllo\nwörld €\n".encode("utf-16"), ["héllo", "wörld €"]),
        ("hello\nworld\n".encode("utf-16-le"), ["hello", "world"]),
        ("hello\nworld\n".encode("utf-16-be"), ["hello", "world"]),
        ("emoji 🦉\nzwei\n".encode(), ["emoji 🦉", "zwei"]),
        ("caf\xe9 ist gut\n".encode("latin-1"), ["café ist gut"]),
        (b"form\x0cfeed\xc2\x85still\n", ["form\x0cfeed\x85still"]),
    ],
)
async def test_every_encoding_and_line_ending(site, data, lines) -> None:
    site.write({"a.txt": data})
    result = await site.call("read_file", path="a.txt")
    numbered = "\n".join(f"{number}\t{line}" for number, line in enumerate(lines, 1))
    assert result.text == f"[a.txt, {len(lines)} line{'s' * (len(lines) > 1)}]\n{numbered}"
    assert result.read[0].range == Range.of(0, 0, len(lines) - 1, len(lines[-1]))


async def test_an_empty_file_is_said_to_be_empty(site) -> None:
    site.write({"a.py": "", "b.py": "\n"})
    assert (await site.call("read_file", path="a.py")).text == "[a.py is empty.]"
    assert (await site.call("read_file", path="b.py")).text == "[b.py, 1 line]\n1\t"


async def test_what_can_not_be_read_is_told_by_its_own_name(site) -> None:
    site.write({"b.png": b"\x89PNG\0\0\0", "big.log": b"x\n" * 2_600_000, "wide.js": b"x" * 300_000, "d/x": ""})
    os.mkfifo(site.root / "pipe")
    (site.root / "loop").symlink_to("loop")
    for name, words in {
        "b.png": "binary file",
        "big.log": "more than the 5.0 MB",
        "wide.js": "generated or minified",
        "pipe": "is a pipe",
        "loop": "leads back to itself",
        "d": "d is a folder",
        ".": "is a folder",
        "x" * 300: "does not exist",
    }.items():
        result = await site.call("read_file", path=name)
        assert result.failed
        assert words in result.text
        assert str(site.root) not in result.text


async def test_a_file_that_may_not_be_read(site, monkeypatch) -> None:
    site.write({"a.py": "x"})

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert "may not be read" in (await site.call("read_file", path="a.py")).text


async def test_a_missing_file_names_the_nearest_but_none_that_is_kept(site) -> None:
    site.write({"src/app.py": "x", "src/.env": "x", "other/.env.py": "x"})
    site.open("src/fresh.py", "x")
    assert "did you mean src/app.py?" in (await site.call("read_file", path="app.py")).text
    assert "did you mean src/fresh.py?" in (await site.call("read_file", path="src/fresher.py")).text
    result = await site.call("read_file", path="src/env.py")
    assert ".env" not in result.text
    assert (await site.call("read_file", path="zzzz")).text == "zzzz does not exist: list_files shows what there is."


async def test_long_lines_are_cut_with_the_mark_outside_of_the_content(site) -> None:
    site.write({"a.js": "short\n" + "x" * 5000 + "\nshort\n"})
    result = await site.call("read_file", path="a.js")
    assert f"\n2 (characters 1 to 1,000 of 5,000)\t{'x' * 1000}\n3\tshort" in result.text
    assert [one.range for one in result.read] == [Range.of(0, 0, 1, 1000), Range.of(2, 0, 2, 5)]


async def test_wrong_arguments_are_told(site) -> None:
    assert "needs the argument path" in (await site.call("read_file")).text
    assert "must be a whole number" in (await site.call("read_file", path="a", start="one")).text


@settings(max_examples=200, deadline=None)
@given(
    lines=st.lists(st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=60), max_size=30),
    start=st.none() | st.integers(-2, 40),
    end=st.none() | st.integers(-2, 40),
    limit=st.integers(0, 900),
)
def test_no_result_is_too_long_and_it_says_exactly_which_lines_it_shows(lines, start, end, limit) -> None:
    text = Text("\n".join(lines))
    result = result_of(Document("a.py", "file:///a.py", text), start, end, limit)
    assert len(result.text) <= limit
    for read in result.read:
        for number in read.range.lines:
            first = read.range.start.column if number == read.range.start.line else 0
            last = read.range.end.column if number == read.range.end.line else len(text.line(number))
            assert f"\t{text.line(number)[first:last]}" in result.text
            assert re.search(rf"(?:^|\n) *{number + 1}(?: \(characters [^)]*\))?\t", result.text)
    shown = {number for read in result.read for number in read.range.lines}
    rest = re.search(r"\[(\d+) more lines?\. Use start=(\d+)", result.text)
    if shown and rest:
        assert max(shown) + 2 == int(rest[2])
        assert max(shown) + 1 + int(rest[1]) == text.last_line + 1
    elif shown:
        assert max(shown) == text.last_line


def test_one_line_that_does_not_fit_is_cut_to_what_does() -> None:
    text = Text("y" * 900)
    result = result_of(Document("a.py", "file:///a.py", text), None, None, 400)
    assert len(result.text) <= 400
    assert result.read[0].range.end.column > 100
    assert f"\t{'y' * result.read[0].range.end.column}" in result.text


async def test_a_root_that_is_a_link_keeps_its_own_spelling(site, tmp_path: Path) -> None:
    site.write({"a.py": "x"})
    link = tmp_path / "link"
    link.symlink_to(site.root)
    site.root = link
    result = await site.call("read_file", path="a.py")
    assert result.read[0].uri == uris.from_path(f"{link}/a.py")


async def test_no_tool_reads_what_list_files_passes_over_as_ours_or_of_version_control(site) -> None:
    site.write({".git/config": "KEY=1", ".socreates/session.json": "KEY=1", "sub/.git": "KEY=1", "a.py": "a"})
    site.open(".git/COMMIT_EDITMSG", "KEY=1")
    site.open(".socreates/session.json", "KEY=1")
    (site.root / "log.txt").symlink_to(".socreates/session.json")
    for path in (".git/config", ".git/COMMIT_EDITMSG", ".socreates/session.json", "sub/.git", "log.txt", ".Git/x"):
        result = await site.call("read_file", path=path)
        assert result.failed
        assert re.fullmatch(r"\S+ is kept from you, as all in \.\w+ is: go on without it\.", result.text, re.IGNORECASE)
    for path in (".git", ".socreates", ".", "log.txt", "sub"):
        for tool, more in (("list_files", {}), ("search", {"pattern": "KEY"})):
            result = await site.call(tool, path=path, **more)
            assert "KEY=1" not in result.text
            assert "config" not in result.text
