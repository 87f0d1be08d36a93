"""Citations: what a text cites, in every spelling that models and tools use, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.review.citations import find_citations
from socreates_lsp.review.file_index import FileIndex
from tests.cases import read_cases

CASES = [*read_cases("citations"), *read_cases("citations-more")]

FILES = {
    "src/app.py": 120,
    "src/util.py": 30,
    "lib/util.py": 44,
    "tests/test_app.py": 60,
    "README.md": 25,
    "Makefile": 14,
    "docs/my notes.md": 9,
    "src/naïve.py": 20,
    "src/__init__.py": 50,
    "my dir/sub (x)/a b.py": 50,
    "bin/test": 20,
    "Dockerfile": 8,
}


def cited(text: str, files: FileIndex, current: str | None) -> list[tuple[str, int, int]]:
    """The places as people write them, lines from 1."""
    return [(one.path, one.start + 1, one.end + 1) for one in find_citations(text, files, current)]


@pytest.mark.parametrize("root", ["/home/me/my project", "C:\\Users\\me\\ws", "/w"])
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_case_holds(case: dict, root: str) -> None:
    text = case["text"].replace("{root}", root)
    expected = [(one["path"], one["start"], one["end"]) for one in case["expect"]]
    assert cited(text, FileIndex.of(case["files"], root), case["current"]) == expected


SPELLINGS: list[tuple[str, str | None, str]] = [
    ("See src/app.py:42, 50, and 60.", None, "src/app.py:42-42, src/app.py:50-50, src/app.py:60-60"),
    ("Lines 10, 12, and 14", "src/app.py", "src/app.py:10-10, src/app.py:12-12, src/app.py:14-14"),
    ("src/app.py:42:7-45:9", None, "src/app.py:42-45"),
    ("src/app.py:42:7-9", None, "src/app.py:42-42"),
    ("src/app.py:L42-L45", None, "src/app.py:42-45"),
    ("src/app.py#L42C3-L45C9", None, "src/app.py:42-45"),
    ("src/app.py(42,7): error", None, "src/app.py:42-42"),
    ("src/app.py (42)", None, "src/app.py:42-42"),
    ("src/app.py (42-45)", None, "src/app.py:42-45"),
    ("src/app.py (12, 14)", None, "src/app.py:12-12, src/app.py:14-14"),
    ("src/app.py line 42", None, "src/app.py:42-42"),
    ("src/app.py at line 42 does", None, "src/app.py:42-42"),
    ("src/app.py on lines 42-45", None, "src/app.py:42-45"),
    ("src/app.py - line 42", None, "src/app.py:42-42"),
    ("src/app.py — line 42", None, "src/app.py:42-42"),
    ("src/app.py: line 42", None, "src/app.py:42-42"),
    ("src/app.py: L42", None, "src/app.py:42-42"),
    ("`src/app.py`: `42`", None, "src/app.py:42-42"),
    ("`src/app.py` (line 42)", None, "src/app.py:42-42"),
    ("`src/app.py`, lines `42`-`45`", None, "src/app.py:42-45"),
    ("**File:** `src/app.py`\n**Line:** 42\nWhy?", None, "src/app.py:42-42"),
    ("File: src/app.py, Lines: 42-45", None, "src/app.py:42-45"),
    ('{"path": "src/app.py", "line": 42, "end_line": 45}', None, "src/app.py:42-45"),
    ('<file path="src/app.py" line="42">', None, "src/app.py:42-42"),
    ("line 42 of src/app.py", None, "src/app.py:42-42"),
    ("Line 42 in the file `src/app.py`", None, "src/app.py:42-42"),
    ("lines 10, 12 and 14-16 of src/app.py", None, "src/app.py:10-10, src/app.py:12-12, src/app.py:14-16"),
    ("lines 42 through 45 in src/app.py", None, "src/app.py:42-45"),
    ("lines 42..45 of src/app.py", None, "src/app.py:42-45"),
    ("src/app.py:42..45", None, "src/app.py:42-45"),
    ("src/app.py:42—45", None, "src/app.py:42-45"),
    ("src/app.py:42 - 45 is unreachable", None, "src/app.py:42-45"),
    ("src/app.py:42 and 50 differ", None, "src/app.py:42-42, src/app.py:50-50"),
    ("src/app.py:42 and :50 differ", None, "src/app.py:42-42, src/app.py:50-50"),
    ("src/app.py:42 and 3 others", None, "src/app.py:42-42"),
    ("src/app.py:42 and 60 tests fail", None, "src/app.py:42-42"),
    ("src/app.py lines 42 and 50", None, "src/app.py:42-42, src/app.py:50-50"),
    ("between lines 10 and 12", "src/app.py", "src/app.py:10-12"),
    ("from line 42 to line 45", "src/app.py", "src/app.py:42-45"),
    ("the 42nd line of src/app.py", None, "src/app.py:42-42"),
    ("In src/app.py the handler on line 42 swallows", None, "src/app.py:42-42"),
    ("In src/app.py the handler on line 42 swallows", "src/util.py", "src/app.py:42-42"),
    ("src/app.py:42 opens, line 50 closes", None, "src/app.py:42-42, src/app.py:50-50"),
    ("### src/app.py\n- Line 42: why?\n- Line 50: how?", None, "src/app.py:42-42, src/app.py:50-50"),
    ("### src/app.py\n\n1. **Line 42**: why?\n\n2. Lines 50-52 how?", None, "src/app.py:42-42, src/app.py:50-52"),
    ("Zeile 42 in src/app.py", None, "src/app.py:42-42"),
    ("Zeilen 42 bis 45 von `src/app.py`", None, "src/app.py:42-45"),
    ("src/app.py, Zeile 42", None, "src/app.py:42-42"),
    ("à la ligne 42 du fichier src/app.py", None, "src/app.py:42-42"),
    ("la línea 42 de src/app.py", None, "src/app.py:42-42"),
    ("src/app.py の 42 行目", None, "src/app.py:42-42"),
    ("src/app.py 第42行", None, "src/app.py:42-42"),
    ("第42行", "src/app.py", "src/app.py:42-42"),
    ("第42-45行", "src/app.py", "src/app.py:42-45"),
    ("第 42 行到第 45 行", "src/app.py", "src/app.py:42-45"),
    ("42行目", "src/app.py", "src/app.py:42-42"),
    ("42번째 줄", "src/app.py", "src/app.py:42-42"),
    ("src/app.py의 42번째 줄", None, "src/app.py:42-42"),
    ("строка 42 в src/app.py", None, "src/app.py:42-42"),
    ("в строке 42", "src/app.py", "src/app.py:42-42"),
    ("+++ b/src/app.py\n@@ -10,7 +12,9 @@", None, "src/app.py:12-20"),
    ("src\\_x", None, ""),
    ("src/\\_\\_init\\_\\_.py:42 is", None, "src/__init__.py:42-42"),
    ("tests/test\\_app.py:12", None, "tests/test_app.py:12-12"),
    ("__src/app.py:42__ x", None, "src/app.py:42-42"),
    ("_src/app.py:42_ x", None, "src/app.py:42-42"),
    ("src/__init__.py:42", None, "src/__init__.py:42-42"),
    ("__init__.py:42", None, "src/__init__.py:42-42"),
    ("my dir/sub (x)/a b.py:42", None, "my dir/sub (x)/a b.py:42-42"),
    ("see my dir/sub (x)/a b.py, line 42", None, "my dir/sub (x)/a b.py:42-42"),
    ("file:///ws/docs/my%20notes.md:3", None, "docs/my notes.md:3-3"),
    ("[n](docs/my%20notes.md#L3)", None, "docs/my notes.md:3-3"),
    ("[n](file:///ws/docs/my%20notes.md#L3-L4)", None, "docs/my notes.md:3-4"),
    ("/ws/src/app.py:42", None, "src/app.py:42-42"),
    ("/other/src/app.py:42", None, ""),
    ("/ws2/src/app.py:42", None, ""),
    ("ws/src/app.py:42", None, "src/app.py:42-42"),
    ("a/src/app.py:42", None, "src/app.py:42-42"),
    ("src/../src/app.py:42", None, "src/app.py:42-42"),
    ("x/../../src/app.py:42", None, ""),
    ("https://github.com/o/r/blob/main/src/app.py#L42", None, ""),
    ("http://h/src/app.py:42", None, ""),
    ("| File | Line | Q |\n|---|---|---|\n| src/app.py | 42 | why |", None, "src/app.py:42-42"),
    ("| File | Findings | Q |\n|---|---|---|\n| src/app.py | 42 | why |", None, ""),
    ("(src/app.py, 42)", None, "src/app.py:42-42"),
    ("src/app.py :42", None, "src/app.py:42-42"),
    ("src/app.py: 42-45", None, "src/app.py:42-45"),
    ("src/app.py: 3-4 functions", None, ""),
    ("src/app.py: 42", None, ""),
    ("src/app.py has 3 lines", None, ""),
    ("src/app.py.bak:3", None, ""),
    ("mysrc/app.py:3", None, ""),
    ("my-app.py:3", None, ""),
    ("foo.app.py:3", None, ""),
    ("user@app.py:3", None, ""),
    ("xtest_app.py:3", None, ""),
    ("L2 cache", "src/app.py", ""),
    ("L42", "src/app.py", "src/app.py:42-42"),
    ("L42-L45", "src/app.py", "src/app.py:42-45"),
    ("`L42`", "src/app.py", "src/app.py:42-42"),
    ("(L42)", "src/app.py", "src/app.py:42-42"),
    ("XL42", "src/app.py", ""),
    ("pipeline 3 and online 4", "src/app.py", ""),
    ("It has 42 lines", "src/app.py", ""),
    ("The line 1.5 is", "src/app.py", ""),
    ("on line 42 a 404 is returned", "src/app.py", "src/app.py:42-42"),
    ("Ln 42, Col 7", "src/app.py", "src/app.py:42-42"),
    ("line 42, column 7", "src/app.py", "src/app.py:42-42"),
    ("line 42:7", "src/app.py", "src/app.py:42-42"),
    ("lines 42:45", "src/app.py", "src/app.py:42-45"),
    ("lines 10,12", "src/app.py", "src/app.py:10-10, src/app.py:12-12"),
    ("line 42 and line 50", "src/app.py", "src/app.py:42-42, src/app.py:50-50"),
    ("lines 42 and 50", "src/app.py", "src/app.py:42-42, src/app.py:50-50"),
    ("lines 42/50", "src/app.py", "src/app.py:42-42, src/app.py:50-50"),
    ("at app.py:42", None, "src/app.py:42-42"),
    ("python src/app.py 42", None, ""),
    ("issue #42 in src/app.py", None, ""),
    ("src/app.py #42", None, ""),
    ("README.md#3-install", None, ""),
    ("README.md:2024-01-05", None, ""),
    ("Version 2.1:3, src/app.py", None, ""),
    ("src/app.py::test_x:3", None, ""),
    ("“src/app.py”:42", None, "src/app.py:42-42"),
    ("«src/app.py:42»", None, "src/app.py:42-42"),
    ("'src/app.py':42", None, "src/app.py:42-42"),
    ("<src/app.py:42>", None, "src/app.py:42-42"),
    ("[src/app.py:42]", None, "src/app.py:42-42"),
    ("[`src/app.py`](src/app.py#L42)", None, "src/app.py:42-42"),
    ("[L42](src/app.py)", None, "src/app.py:42-42"),
    ("[question] src/app.py:42-45 error-handling", None, "src/app.py:42-45"),
    ("...src/app.py:42", None, "src/app.py:42-42"),
    (".../app.py:42", None, "src/app.py:42-42"),
    ("C:\\ws\\src\\app.py:42", None, ""),
    ("src/app.py:42ff", None, "src/app.py:42-42"),
    ("src/app.py:42abc", None, ""),
    ("src/app.py:42+", None, "src/app.py:42-42"),
    ("src/app.py:42,", None, "src/app.py:42-42"),
    ("src/app.py:42;src/util.py:7", None, "src/app.py:42-42, src/util.py:7-7"),
    ("src/app.py:42, src/util.py:7", None, "src/app.py:42-42, src/util.py:7-7"),
    ("src/app.py:42, 12 and 50", None, "src/app.py:42-42"),
    ("src/app.py:42/50", None, "src/app.py:42-42, src/app.py:50-50"),
    ('File "src/app.py", line 42, in main\n  File "src/util.py", line 7', None, "src/app.py:42-42, src/util.py:7-7"),
    ("at Foo.bar(app.py:42)", None, "src/app.py:42-42"),
    ("@src/app.py:42", None, "src/app.py:42-42"),
    ("src/app.py@L42", None, "src/app.py:42-42"),
    ("src/app.py [42-45]", None, "src/app.py:42-45"),
    ("src/app.py [1]", None, ""),
    ("In the test on line 12, x", "src/app.py", "src/app.py:12-12"),
    ("Unlike Makefile:3, line 42 fails", "src/app.py", "Makefile:3-3, src/app.py:42-42"),
    ("Dockerfile line 3", None, "Dockerfile:3-3"),
    ("the lines 42-45", "src/app.py", "src/app.py:42-45"),
    ("lines 42–45", "src/app.py", "src/app.py:42-45"),
    ("lines 42 - 45", "src/app.py", "src/app.py:42-45"),
    ("Lines 42—45", "src/app.py", "src/app.py:42-45"),
    ("line 1000", "src/app.py", ""),
    ("lines 118-130", "src/app.py", "src/app.py:118-120"),
    ("src/app.py:42\u200b", None, "src/app.py:42-42"),
    ("src/nai\u0308ve.py:10", None, "src/naïve.py:10-10"),
    ("src/app.py, around line 42", None, "src/app.py:42-42"),
    ("src/app.py (near line 42)", None, "src/app.py:42-42"),
    ("src/app.py, function `f`, line 42", None, "src/app.py:42-42"),
    ("`f` (src/app.py, lines 42-45)", None, "src/app.py:42-45"),
    ("line 42 (src/app.py)", None, "src/app.py:42-42"),
    ("line 42, src/app.py", None, "src/app.py:42-42"),
    ("line 42 of app.py and line 7 of src/util.py", None, "src/app.py:42-42, src/util.py:7-7"),
    ("１２行目", "src/app.py", "src/app.py:12-12"),
    ("src/app.py:４２", None, "src/app.py:42-42"),
    ("line forty", "src/app.py", ""),
    ("src/app.py:１", None, "src/app.py:1-1"),
    ("src/app.py:-3", None, ""),
    ("src/app.py:42--45", None, "src/app.py:42-45"),
    ("src/app.py:42~45", None, "src/app.py:42-45"),
    ("src/app.py:42 to 45", None, "src/app.py:42-45"),
    ("src/app.py from line 42 to 45", None, "src/app.py:42-45"),
    ("src/app.py lines 42 to line 45", None, "src/app.py:42-45"),
    ("src/app.py#42", None, "src/app.py:42-42"),
    ("src/app.py?plain=1#L42", None, "src/app.py:42-42"),
    ("src/app.py:42 (and 50)", None, "src/app.py:42-42"),
    ("src/app.py:007", None, "src/app.py:7-7"),
    ("src/app.py:[42]", None, "src/app.py:42-42"),
    (
        "diff --git a/src/app.py b/src/app.py\n--- a/src/app.py\n+++ b/src/app.py\n@@ -1,2 +3,4 @@ def f",
        None,
        "src/app.py:3-6",
    ),
]


@pytest.mark.parametrize(("text", "current", "expected"), SPELLINGS)
def test_spellings(text: str, current: str | None, expected: str) -> None:
    found = cited(text, FileIndex.of(FILES, "/ws"), current)
    assert ", ".join(f"{path}:{start}-{end}" for path, start, end in found) == expected


def test_the_place_of_a_citation_holds_its_path_and_its_numbers() -> None:
    text = "First `src/app.py:42-45`, then lines 3 and 5 of (src/util.py)."
    files = FileIndex.of(FILES)
    pieces = [text[one.begin : one.finish] for one in find_citations(text, files)]
    assert pieces == ["src/app.py:42-45", "lines 3", "5 of (src/util.py"]


def test_escapes_of_markdown_leave_the_places_where_they_are() -> None:
    text = r"\*See\* src/\_\_init\_\_.py:7 \[x\]"
    (found,) = find_citations(text, FileIndex.of(FILES))
    assert text[found.begin : found.finish] == r"src/\_\_init\_\_.py:7"


def test_lines_are_counted_once_and_only_of_files_that_are_cited() -> None:
    asked: list[str] = []

    def count(path: str) -> int | None:
        asked.append(path)
        return None if path == "README.md" else 50

    files = FileIndex(FILES, count)
    text = "src/app.py:3, src/app.py:4, README.md:2 and lib/util.py without a number"
    assert cited(text, files, None) == [("src/app.py", 3, 3), ("src/app.py", 4, 4)]
    assert sorted(asked) == ["README.md", "src/app.py"]


@pytest.mark.parametrize(
    ("written", "root", "expected"),
    [
        ("src/app.py", None, "src/app.py"),
        ("./src//./app.py", None, "src/app.py"),
        ("src/x/../app.py", None, "src/app.py"),
        ("../ws/src/app.py", "/ws", None),
        ("src\\app.py", None, "src/app.py"),
        (".\\src\\app.py", None, "src/app.py"),
        ("a/src/app.py", None, "src/app.py"),
        ("w/src/app.py", None, "src/app.py"),
        ("ws/src/app.py", "/home/ws", "src/app.py"),
        ("/home/ws/src/app.py", "/home/ws/", "src/app.py"),
        ("/home/ws2/src/app.py", "/home/ws", None),
        ("/src/app.py", "/home/ws", "src/app.py"),
        ("//src/app.py", "/home/ws", None),
        ("/etc/passwd", "/home/ws", None),
        ("file:///home/ws/src/app.py", "/home/ws", "src/app.py"),
        ("file://localhost/home/ws/src/app.py", "/home/ws", "src/app.py"),
        ("file:///home/ws/docs/my%20notes.md", "/home/ws", "docs/my notes.md"),
        ("file:///home/my%20ws/src/app.py", "/home/my ws", "src/app.py"),
        ("file:///c%3A/ws/src/app.py", "C:\\ws", "src/app.py"),
        ("file:///C:/ws/src/app.py", "c:\\ws", "src/app.py"),
        ("c:/WS/src\\app.py", "C:\\ws", "src/app.py"),
        ("D:\\ws\\src\\app.py", "C:\\ws", None),
        ("app.py", None, "src/app.py"),
        ("util.py", None, None),
        ("lib/util.py", None, "lib/util.py"),
        ("x/src/app.py", None, None),
        ("pp.py", None, None),
        ("src/nai\u0308ve.py", None, "src/naïve.py"),
        ("src/na%C3%AFve.py", None, "src/naïve.py"),
        ("src/na%FFve.py", None, None),
        ("", None, None),
        ("/", None, None),
        (".", None, None),
        ("..", None, None),
    ],
)
def test_what_is_written_means_one_file_or_none(written: str, root: str | None, expected: str | None) -> None:
    assert FileIndex.of(FILES, root).resolve(written) == expected


def test_a_real_folder_called_b_is_no_diff_prefix() -> None:
    files = FileIndex.of({"b/x.py": 9, "x.py": 9})
    assert (files.resolve("b/x.py"), files.resolve("a/x.py")) == ("b/x.py", "x.py")


def test_a_name_of_several_files_means_the_one_under_review() -> None:
    files = FileIndex.of(FILES)
    assert files.resolve("util.py", "lib/util.py") == "lib/util.py"
    assert files.resolve("util.py", "src/app.py") is None


def test_a_heading_names_the_file_of_the_lines_below_until_the_next() -> None:
    text = "### src/app.py\n- Line 3: a?\n\n### `lib/util.py`\n\n- Line 4: b?\n\n## Else\n\nLine 5."
    files = FileIndex.of(FILES)
    assert cited(text, files, "src/util.py") == [("src/app.py", 3, 3), ("lib/util.py", 4, 4), ("src/util.py", 5, 5)]


PIECES = [
    *("1", ":", "/", "\\", "[", "(", "line ", "lines 1, ", "src/app.py", ":42", "-45", "#L", "L42 ", "`", "**", "\n"),
    *(
        "42行目",
        "第",
        "%20",
        "file:///",
        "{root}",
        "\\_",
        "a/",
        "../",
        "app.py ",
        "|",
        "- ",
        "# ",
        " of ",
        "@@ -1 +1 @@",
    ),
    *("my dir/", "é", "한", "１", "\ud800", "\u0308", "…", "—", "...", "and ", ",", "\r\n", "\x00", "Why:", "> "),
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.sampled_from([None, "src/app.py", "nowhere"]))
@settings(max_examples=400, deadline=None)
def test_whatever_is_written_every_citation_is_a_place_that_exists(text: str, current: str | None) -> None:
    files = FileIndex.of(FILES, "/ws")
    found = find_citations(text, files, current)
    for one in found:
        assert one.path in FILES
        assert 0 <= one.start <= one.end < FILES[one.path]
        assert 0 <= one.begin < one.finish <= len(text)
    assert len({(one.path, one.start, one.end) for one in found}) == len(found)


@given(st.text(max_size=200), st.sampled_from([None, "/", "C:\\", "", "/ws"]))
@settings(max_examples=200, deadline=None)
def test_no_text_and_no_path_makes_it_raise(text: str, root: str | None) -> None:
    files = FileIndex.of({**FILES, text or "x": 3}, root)
    find_citations(f"{text}:1 {text}", files, "src/app.py")
    files.resolve(text)


LONG = 1_000_000
MANY = {f"pkg{number}/mod{number % 50}/__init__.py": 9 for number in range(3000)} | FILES
MANY_FILES = FileIndex.of(MANY, "/ws")
