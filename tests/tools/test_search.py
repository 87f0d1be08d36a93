"""Searching: the same by rg and by Python, over files and open buffers, and never for long."""

from __future__ import annotations

import asyncio
import os
import re

import pytest

from socreates_lsp.tools import finding_lines, matcher
from socreates_lsp.tools.matcher import answer
from socreates_lsp.tools.search import Search
from socreates_lsp.workspace.text import Range
from socreates_lsp.workspace.tools import find_tool


@pytest.fixture(params=["rg", "python"], autouse=True)
def means(request, monkeypatch):
    if request.param == "python":
        monkeypatch.setattr(finding_lines, "find_tool", lambda *_: None)
    elif find_tool("rg", None) is None:
        pytest.skip("rg is not installed")
    return request.param


FILES = {
    "app/a.py": "def parse(text):\n    return text\n",
    "app/b.ts": "parse()\r\nx\r\nreparse()\r\n",
    ".gitignore": "ignored/\n*.log\n",
    "ignored/c.py": "parse()\n",
    "x.log": "parse()\n",
    "node_modules/d.js": "parse()\n",
    "image.png": b"parse\0\0\x01parse",
    ".env": "parse=1\n",
    "secrets/key": "parse\n",
}


async def test_the_lines_that_match(site) -> None:
    site.write(FILES)
    result = await site.call("search", pattern=r"parse\(")
    assert result.text == "app/a.py:1: def parse(text):\napp/b.ts:1: parse()\napp/b.ts:3: reparse()"
    assert result.read[1].range == Range.of(0, 0, 0, 7)
    assert result.read[0].uri.endswith("/app/a.py")


async def test_what_is_kept_from_the_model_is_neither_shown_nor_counted(site) -> None:
    site.write(FILES)
    (site.root / "alias").symlink_to("secrets")
    result = await site.call("search", pattern="parse")
    assert [line.partition(":")[0] for line in result.text.split("\n")] == ["app/a.py", "app/b.ts", "app/b.ts"]
    for path in ("secrets", ".env", "alias", "secrets/key"):
        assert "key:" not in (await site.call("search", pattern="parse", path=path)).text
        assert "=1" not in (await site.call("search", pattern="parse", path=path)).text


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        ({"glob": "*.py"}, ["app/a.py"]),
        ({"glob": "app/*.ts"}, ["app/b.ts"]),
        ({"glob": "**/*.{ts,py}"}, ["app/a.py", "app/b.ts"]),
        ({"glob": "!*.py"}, ["app/b.ts"]),
        ({"glob": "app/"}, ["app/a.py", "app/b.ts"]),
        ({"glob": "*.log"}, []),
        ({"glob": "*.ts", "path": "app"}, ["app/b.ts"]),
        ({"path": "app/a.py"}, ["app/a.py"]),
        ({"path": "ignored"}, ["ignored/c.py"]),
        ({"glob": "[", "path": "app"}, []),
        ({"glob": ""}, ["app/a.py", "app/b.ts"]),
    ],
)
async def test_path_and_glob_narrow_it(site, arguments, files) -> None:
    site.write(FILES)
    result = await site.call("search", pattern=r"parse\(", **arguments)
    assert sorted({one.uri.partition("/workspace/")[2] for one in result.read}) == files
    if not files:
        assert result.text == r"No line matches `parse\(`."


async def test_open_buffers_count_instead_of_the_disk(site) -> None:
    site.write({"a.py": "old parse\n", "b.py": "parse\n", "real.py": "old parse\n"})
    (site.root / "link.py").symlink_to("real.py")
    uri = site.open("a.py", "new\r\nparse here\r\n")
    site.open("c.py", "parse, not saved")
    site.open(".env", "parse")
    site.open("link.py", "by link: parse")
    result = await site.call("search", pattern="parse")
    assert result.text.split("\n") == [
        "a.py:2: parse here",
        "b.py:1: parse",
        "c.py:1: parse, not saved",
        "real.py:1: by link: parse",
    ]
    assert result.read[0].uri == uri
    assert "a.py:2" in (await site.call("search", pattern="parse", path="a.py")).text
    assert "c.py:1" in (await site.call("search", pattern="parse", path="c.py")).text
    assert (await site.call("search", pattern="old")).text == "No line matches `old`."


@pytest.mark.parametrize(
    ("data", "line", "text"),
    [
        (b"\xef\xbb\xbfparse\nx", 1, "parse"),
        ("x\nüber parse\n".encode("utf-16"), 2, "über parse"),
        ("some line\nparse it\n".encode("utf-16-le"), 2, "parse it"),
        ("some line\nparse it\n".encode("utf-16-be"), 2, "parse it"),
        ("x\ny parse caf\xe9\n".encode("latin-1"), 2, "y parse café"),
        (b"x\ry parse\rz", 2, "y parse"),
        ("🦉\n🦉 parse 🦉\n".encode(), 2, "🦉 parse 🦉"),
        (b"x\r\nparse\r\n", 2, "parse"),
    ],
)
async def test_every_encoding_and_line_ending(site, data, line, text) -> None:
    site.write({"a.txt": data})
    assert (await site.call("search", pattern="parse")).text == f"a.txt:{line}: {text}"
    assert (await site.call("search", pattern=r"^(.* )?parse( .*)?$")).text == f"a.txt:{line}: {text}"


async def test_letters_beyond_ascii(site) -> None:
    site.write({"a.txt": "straße\n", "b.txt": "stra\xdfe\n".encode("latin-1")})
    assert (await site.call("search", pattern="straße")).text == "a.txt:1: straße\nb.txt:1: straße"


async def test_thirty_are_shown_and_the_rest_is_counted(site) -> None:
    site.write({f"{n:02}.py": "parse\n" * 5 for n in range(15)})
    result = await site.call("search", pattern="parse")
    lines = result.text.split("\n")
    assert len(lines) == 31
    assert lines[0] == "00.py:1: parse"
    most = "3 more in 00.py, 3 more in 01.py, 3 more in 02.py"
    assert lines[-1] == f"[30 of 75 matching lines. {most}. Narrow the search with path or glob.]"
    assert len(result.read) == 30
    small = await site.call("search", pattern="parse", limit=250)
    assert len(small.read) == small.text.count("py:")
    assert f"[{len(small.read)} of 75 matching lines." in small.text


async def test_far_too_many_are_not_all_counted_and_the_first_are_always_the_same(site, monkeypatch) -> None:
    monkeypatch.setattr(finding_lines, "_MOST_BYTES", 2000)
    monkeypatch.setattr(matcher, "_MOST_HITS", 100)
    monkeypatch.setattr(finding_lines, "_by_python", in_this_process)
    site.write({f"{n:02}.py": "parse\n" * 20 for n in range(15)})
    result = await site.call("search", pattern="parse")
    assert result.text.startswith("00.py:1: parse\n00.py:2: parse\n")
    assert re.search(r"\[30 of more than \d\d+ matching lines", result.text)
    assert result == await site.call("search", pattern="parse")


def in_this_process(job, cause=None):
    found = answer({"pattern": job.pattern, "files": job.files(), "texts": {}})
    return finding_lines.Hits([finding_lines.Hit(*one) for one in found["hits"]], found["cut"])


async def test_a_long_line_is_cut_around_the_match_with_the_mark_outside(site) -> None:
    site.write({"a.js": "é" * 4000 + "NEEDLE" + "y" * 5000})
    result = await site.call("search", pattern="NEEDLE")
    found = result.read[0].range
    assert found.start.column < 4000
    assert found.end.column > 4006
    assert found.end.column - found.start.column == 240
    head = f"a.js:1 (characters {found.start.column + 1:,} to {found.end.column:,} of 9,006): "
    assert result.text.startswith(head)
    assert "NEEDLE" in result.text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
async def test_a_line_that_is_too_long_to_be_read_is_searched(site, encoding) -> None:
    site.write({"min.js": ("a\n" + "é" * 250_000 + "NEEDLE" + "y" * 50_000).encode(encoding)})
    result = await site.call("search", pattern="NEEDLE")
    assert result.text.startswith("min.js:2 (characters 249,")
    assert "NEEDLE" in result.text
    assert len(result.text) < 300
    assert (await site.call("read_file", path="min.js")).failed


async def test_what_was_not_searched_is_told_where_nothing_was_found(site) -> None:
    site.write({**FILES, "large.txt": "parse" * 1_000_001, "app/b.env": "x", "app/one.py": "find\n"})
    site.open("app/c.env", "x")
    lines = (await site.call("search", pattern="nowhere")).text.split("\n")
    assert lines == [
        "No line matches `nowhere`.",
        "[3 files not searched: policy.readDeny keeps them from you.]",
        "[1 file not searched: more than 5.0 MB.]",
    ]
    for more, notes in (({"glob": "*.py"}, []), ({"path": "app"}, ["[1 file"]), ({"glob": "*.txt"}, ["[1 file"])):
        lines = (await site.call("search", pattern="nowhere", **more)).text.split("\n")
        assert [line[:7] for line in lines[1:]] == notes
    assert (await site.call("search", pattern="find")).text == "app/one.py:1: find"
    site.open("large.txt", "now small")
    assert "5.0 MB" not in (await site.call("search", pattern="nowhere")).text


async def test_a_file_that_matches_and_can_not_be_read_is_told(site, monkeypatch) -> None:
    site.write({"a.txt": "parse\n"})
    view = site.view()
    monkeypatch.setattr(view, "text", lambda path: None)
    text = (await Search(view).run({"pattern": "parse"}, 1000)).text
    assert text == "No line matches `parse`.\n[1 file not searched: the text can't be read.]"


@pytest.mark.parametrize("pattern", ["(", "a{2,1}", "*x", "[z-a]", "(?P<n"])
async def test_an_invalid_expression_says_how_to_search_literally(site, pattern) -> None:
    site.write({"a.txt": "(call) *x [z-a] a{2,1} (?P<n\n"})
    result = await site.call("search", pattern=pattern)
    assert result.failed
    assert "is no regular expression" in result.text
    literal = result.text.rpartition("search for `")[2].removesuffix("`.")
    assert "a.txt:1" in (await site.call("search", pattern=literal)).text


async def test_what_only_python_can_search_is_searched_by_python(site) -> None:
    site.write({"a.txt": "foobar\nfoobaz\n"})
    site.open("b.txt", "foobaz")
    result = await site.call("search", pattern=r"foo(?=baz)")
    assert result.text == "a.txt:2: foobaz\nb.txt:1: foobaz"


@pytest.mark.parametrize("pattern", ["", "a\nb", "a\0b"])
async def test_patterns_that_make_no_sense_are_refused(site, pattern) -> None:
    result = await site.call("search", pattern=pattern)
    assert result.failed
    assert "pattern" in result.text


async def test_a_pattern_is_no_option(site) -> None:
    site.write({"a.txt": "--files\n-e\n"})
    assert (await site.call("search", pattern="--files")).text == "a.txt:1: --files"


async def test_where_there_is_nothing_to_search(site) -> None:
    site.write({"src/a.py": "x"})
    os.mkfifo(site.root / "pipe")
    assert "did you mean src?" in (await site.call("search", pattern="x", path="scr")).text
    assert "neither a file nor a folder" in (await site.call("search", pattern="x", path="pipe")).text
    assert "outside of the workspace" in (await site.call("search", pattern="x", path="/")).text
    assert "has no argument" in (await site.call("search", pattern="x", regex="y")).text


async def test_a_program_in_the_workspace_is_not_run(site, monkeypatch) -> None:
    site.write({"bin/rg": "#!/bin/sh\ntouch ran\n", "a.txt": "parse\n"})
    (site.root / "bin/rg").chmod(0o755)
    monkeypatch.setenv("PATH", f"{site.root}/bin:{os.environ['PATH']}")
    assert "a.txt:1" in (await site.call("search", pattern="parse")).text
    assert not (site.root / "ran").exists()


HOSTILE = r"(?=(a+)+$)(a+)+$"


async def test_a_hostile_expression_is_killed(site) -> None:
    site.write({"a.txt": "a" * 60 + "b\n"})
    result = await Search(site.view(), seconds=0.6).run({"pattern": HOSTILE}, 1000)
    assert result.failed
    assert "took longer than 0.6 seconds" in result.text


async def test_cancelling_ends_the_search_at_once(site) -> None:
    site.write({"a.txt": "a" * 60 + "b\n"})
    task = asyncio.ensure_future(Search(site.view(), seconds=60).run({"pattern": HOSTILE}, 1000))
    await until(lambda: children("socreates_lsp.tools.matcher"))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not children("socreates_lsp.tools.matcher"))


async def until(holds) -> None:
    """Wait until something holds, for 20 seconds at most."""
    for _ in range(2000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came about")


def children(word: str) -> list[str]:
    """Our own living child processes with a word in their command."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", "rb") as stat, open(f"/proc/{name}/cmdline", "rb") as line:
                state, parent = stat.read().rpartition(b")")[2].split()[:2]
                if int(parent) == os.getpid() and state != b"Z" and word.encode() in line.read():
                    found.append(name)
        except (OSError, ValueError):
            continue
    return found


async def test_a_file_that_is_gone_between_search_and_reading_is_left_out(site, monkeypatch) -> None:
    site.write({"a.txt": "parse\n", "b.txt": "parse\n"})
    view = site.view()
    real = view.text

    def text(path):
        if path == "a.txt":
            (site.root / path).unlink(missing_ok=True)
        return real(path)

    monkeypatch.setattr(view, "text", text)
    assert (await Search(view).run({"pattern": "parse"}, 1000)).text == "b.txt:1: parse"


def test_the_process_answers_for_what_it_can_read(tmp_path) -> None:
    (tmp_path / "a").write_text("x\nxx\n")
    request = {"pattern": "x$", "files": {"a": str(tmp_path / "a"), "b": str(tmp_path / "b")}, "texts": {"c": "éx"}}
    assert answer(request) == {"hits": [("c", 0, 2), ("a", 0, 0), ("a", 1, 1)], "cut": False}
    assert "invalid" in answer({**request, "pattern": "("})


async def test_errors_of_the_machine_are_told_in_a_sentence(site, monkeypatch, means) -> None:
    site.open("a.txt", "parse")

    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(finding_lines.tempfile, "TemporaryDirectory", refuse)
    monkeypatch.setattr(finding_lines.json, "dumps", refuse)
    result = await site.call("search", pattern="parse")
    assert result.failed
    assert result.text == "The tool failed on this machine (No space left on device): go on without it."


async def test_every_file_has_its_turn_when_there_are_too_many_matches(site) -> None:
    site.write({"a_test.py": "needle\n" * 50, "b.py": "needle\n" * 3, "z.py": "needle\n"})
    text = (await site.call("search", pattern="needle")).text
    lines = text.splitlines()
    assert sum(line.startswith("a_test.py:") for line in lines) == 26
    assert sum(line.startswith("b.py:") for line in lines) == 3
    assert "z.py:1: needle" in lines
    assert lines[-1] == "[30 of 54 matching lines. 24 more in a_test.py. Narrow the search with path or glob.]"
    short = (await site.call("search", pattern="needle", limit=400)).text
    assert len(short) <= 400
    assert "more in" not in short
