"""Line ends of all kinds, and the line where the parser lost its way."""

import pytest

from socreates_lsp.examiner.examination import Document, FileJob
from socreates_lsp.examiner.parsed import ParsedFile
from socreates_lsp.workspace.text import Text

FEEDS = "import requests\n\n\ndef f(u):\n    # one\n    return requests.get(u)\n"


def report(name: str, content: str):
    return FileJob(Document(f"file:///{name}", name, content), None, suppress=True)()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_read(end: str) -> None:
    read = report("feeds.py", FEEDS.replace("\n", end))
    assert read.broken is None
    assert [finding.range.start.line for finding in read.findings] == [5]


HEAD = "import a\n\n\ndef f():\n    return 1\n\n\n"


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("a.py", HEAD + "class A:\n    def m(self):\n        return 1\n\n    def n(self):\n        x = (1,\n", 12),
        ("a.py", HEAD + "x = }\n", 8),
        ("a.js", "import a from 'a';\nfunction f() {\n  return 1;\n}\nfunction g( {\n  return 2;\n}\n", 5),
        ("a.js", "class A {\n  f() {\n    return 1;\n  }\n  g() {\n    return (;\n  }\n}\n", 6),
        ("a.c", "int f(void) {\n  return 1;\n}\nint g( {\n  return 1;\n}\n", 4),
    ],
)
def test_the_line_where_it_stops_making_sense(name: str, content: str, line: int) -> None:
    assert report(name, content).broken == line - 1


def test_a_name_alone_stands_in_the_marks_of_code() -> None:
    source = "const x = new Promise(async (resolve) => { resolve(await f()); });\n"
    [finding] = report("a.js", source).findings
    assert "that this file made" in finding.message
    [finding] = report("a.js", f"function g() {{\n  {source}}}\n").findings
    assert "that `g` made" in finding.message


def test_a_lone_return_keeps_every_offset() -> None:
    file = ParsedFile("a.py", "python", Text("x = 1\ry = 'a\U0001f600'\rz = y\r"))
    last = file.range_of(list(file.root.find_all(kind="identifier"))[-1])
    assert (last.start.line, last.start.column) == (2, 4)


TSX = """\
export function A({{ html }}) {{
  return (
    <div>
      {0}
      <p dangerouslySetInnerHTML={{{{ __html: html }}}} /> {1}
    </div>
  );
}}
"""


@pytest.mark.parametrize("name", ["a.tsx", "a.jsx"])
@pytest.mark.parametrize(
    ("above", "behind", "hidden"),
    [
        ("<i />", "", 0),
        ("{/* socreates: ignore */}", "", 1),
        ("{/* socreates: ignore-file */}", "", 1),
        ("<i />", "{/* socreates: ignore */}", 1),
        ("// socreates: ignore", "", 0),
        ("// socreates: ignore-file", "// socreates: ignore", 0),
        ("/* socreates: ignore-file */", "/* socreates: ignore */", 0),
    ],
)
def test_text_between_tags_is_no_comment(name: str, above: str, behind: str, hidden: int) -> None:
    read = report(name, TSX.format(above, behind))
    assert (len(read.findings), read.suppressed) == (1 - hidden, hidden)
