"""Where a word stands: by rg, by git and by reading, with the same answer."""

import pytest

from socreates_lsp.workspace import search
from socreates_lsp.workspace.files import find_tool
from socreates_lsp.workspace.search import Occurrence, occurrences, occurrences_of


@pytest.fixture(params=["rg", "git", "reading"])
def means(request, monkeypatch):
    wanted = request.param
    if wanted != "reading" and find_tool(wanted, None) is None:
        pytest.skip(f"{wanted} is not installed")
    real = search.find_tool
    monkeypatch.setattr(search, "find_tool", lambda name, root: real(name, root) if name == wanted else None)
    return wanted


FILES = {
    "app/a.py": "def parse(text):\n    return text\n",
    "app/b.py": "x = parse('1')\r\nparse_all()\r\ny = reparse(x)\r\nz=parse (2)\r\n",
    "with space\nand line.js": "parse()\n",
    ".github/run.yml": "run: parse\n",
    "ignored/c.py": "parse()\n",
    "node_modules/d.js": "parse()\n",
    "image.png": b"parse\0\0 parse",
    ".gitignore": "ignored/\n",
}


def test_whole_words_in_files_that_count(repository, means):
    repository.write(FILES)
    assert occurrences(repository.root, "parse", 100) == [
        Occurrence(".github/run.yml", 0, "run: parse"),
        Occurrence("app/a.py", 0, "def parse(text):"),
        Occurrence("app/b.py", 0, "x = parse('1')"),
        Occurrence("app/b.py", 3, "z=parse (2)"),
        Occurrence("with space\nand line.js", 0, "parse()"),
    ]


def test_several_words_in_one_pass(repository, means):
    repository.write(FILES)
    found = occurrences_of(repository.root, ["reparse", "parse_all"], 100)
    assert [(hit.path, hit.line) for hit in found] == [("app/b.py", 1), ("app/b.py", 2)]


def test_a_word_is_no_expression_and_no_option(repository, means):
    repository.write({"a.txt": "a.b\naxb\n--files\n-e\n"})
    assert [hit.line for hit in occurrences(repository.root, "a.b", 10)] == [0]
    assert [hit.line for hit in occurrences(repository.root, "--files", 10)] == [2]


def test_the_limit_holds(repository, means):
    repository.write({f"{number}.py": "parse\n" * 50 for number in range(20)})
    assert len(occurrences(repository.root, "parse", 30)) == 30


def test_nothing_to_find(repository, means):
    repository.write({"a.py": "x\n"})
    assert occurrences(repository.root, "parse", 10) == []
    assert occurrences(repository.root, "", 10) == []
    assert occurrences(repository.root, "a\nb", 10) == []
    assert occurrences(repository.root, "x", 0) == []


def test_a_long_line_is_cut(repository, means):
    repository.write({"a.js": "parse " + "x" * 5000 + "\n"})
    (hit,) = occurrences(repository.root, "parse", 10)
    assert len(hit.text) == 1000


def test_time_is_bounded(repository, monkeypatch):
    repository.write({"a.py": "parse\n", "b.py": "parse\n"})
    monkeypatch.setattr(search, "find_tool", lambda name, root: None)
    monkeypatch.setattr(search, "_SECONDS", -1.0)
    assert occurrences(repository.root, "parse", 10) == []
