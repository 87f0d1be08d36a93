"""What comes along of a selection: its function, the imports, and where it is called from."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from socreates_lsp.agent import callers
from socreates_lsp.agent.targets import Targets
from socreates_lsp.review.reviewer import Question, ReviewRequest, Scope
from socreates_lsp.review.store import FindingStore
from socreates_lsp.settings import from_table, resolve
from socreates_lsp.settings.sources import Source as Origin
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Range
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from socreates_lsp.agent.targets import Task
    from socreates_lsp.workspace.search import Occurrence

FILLING = "".join(f"x{number} = {number}\n" for number in range(600))
SHOP = (
    "import os\nfrom decimal import (\n    Decimal,\n)\n" + FILLING + "class Shop:\n    rate = 1\n\n"
    "    def sell(self, what):\n        price = Decimal(what)\n        return price * self.rate\n\n"
    "    def other(self):\n        return 1\n"
)
SELL = 608
"""The line (from 0) of ``price = Decimal(what)``."""


class Here:
    """A workspace, with the targets in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.workspace = Workspace([uris.from_path(str(root))])
        settings = resolve([from_table({"review": {"leads": False}}, Origin.CONFIG)]).settings
        self.targets = Targets(self.workspace, FindingStore(), settings)

    def file(self, name: str, content: str) -> str:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, newline="")
        return uris.from_path(str(path))

    def task(self, uri: str, first: int, last: int, room: int = 20_000) -> Task:
        request = ReviewRequest(Scope.SELECTION, str(self.root), uri, Range.of(first, 0, last, 3))
        return self.targets.review(request, room, [])

    def shown(self, uri: str, first: int, last: int, room: int = 20_000) -> str:
        return self.task(uri, first, last, room).message.content


@pytest.fixture
def here(root: Path) -> Here:
    return Here(root)


def test_of_a_long_file_the_function_its_class_and_the_imports_come(here: Here) -> None:
    uri = here.file("shop.py", SHOP)
    content = here.shown(uri, SELL, SELL)
    assert "    1\timport os\n    2\tfrom decimal import (\n    3\t    Decimal,\n    4\t)\n  ...\n" in content
    assert "  605\tclass Shop:\n" in content
    assert "  608\t    def sell(self, what):\n  609\t        price = Decimal(what)\n  610\t" in content
    assert "x100 = 100" not in content


def test_the_selection_comes_first_then_its_function_then_the_imports(here: Here) -> None:
    uri = here.file("shop.py", SHOP)
    here.file("use.py", "shop.sell(1)\n")
    rooms = {room: here.shown(uri, SELL, SELL, room) for room in range(60, 700, 10)}

    def first_with(text: str) -> int:
        return next(room for room, content in rooms.items() if text in content)

    order = ["price = Decimal(what)", "def sell", "from decimal", "use.py:1"]
    needed = [first_with(text) for text in order]
    assert needed == sorted(needed)
    assert needed[0] < needed[1] < needed[2] < needed[3]


def test_the_callers_are_named_with_their_lines_which_count_as_read(here: Here) -> None:
    uri = here.file("pkg/shop.py", SHOP)
    near = here.file("pkg/near.py", "from shop import sell\n\n\ndef go(shop):\n    return shop.sell(1)\n")
    here.file("far/away/x.py", "shop.sell(2)\nhandler = shop.sell\n")
    here.file("far/own.py", "def sell(x):\n    pass\n\n\nresell(1)\n")
    here.file("CHANGELOG.md", "- `sell(2)` is quicker.\n")
    here.file("vendor/other.py", "sell(3)\n")
    task = here.task(uri, SELL, SELL)
    _, _, sites = task.message.content.partition("Where sell is called or named elsewhere (3 lines):\n")
    assert sites.split("\n") == [
        "pkg/near.py:5:     return shop.sell(1)",
        "far/away/x.py:1: shop.sell(2)",
        "far/away/x.py:2: handler = shop.sell",
    ]
    assert [one.range.start.line for one in task.read if one.uri == near] == [4]


def test_callers_are_of_the_same_language_and_those_that_import_the_file_come_first(here: Here) -> None:
    uri = here.file("pkg/shop.py", SHOP)
    here.file("pkg/a.py", "other.sell(1)\n")
    here.file("far/away/b.py", "from pkg import shop\n\nshop.sell(2)\n")
    here.file("pkg/A.java", "class A {\n  public int sell(int x) {\n    return this.sell(x - 1);\n  }\n}\n")
    content = here.shown(uri, SELL, SELL)
    _, _, sites = content.partition("Where sell is called or named elsewhere (2 lines):\n")
    assert sites.split("\n") == [
        "far/away/b.py:3: shop.sell(2)",
        "pkg/a.py:1: other.sell(1)",
    ]


def test_callers_of_another_language_are_shown_where_there_are_no_others(here: Here) -> None:
    uri = here.file("pkg/shop.py", SHOP)
    here.file("pkg/A.java", "class A {\n  public int sell(int x) {\n    return this.sell(x - 1);\n  }\n}\n")
    _, _, sites = here.shown(uri, SELL, SELL).partition("Where sell is called or named elsewhere (1 line):\n")
    assert sites == "pkg/A.java:3:     return this.sell(x - 1);"


def test_of_callers_in_other_languages_there_are_few(here: Here) -> None:
    uri = here.file("pkg/shop.py", SHOP)
    for number in range(5):
        here.file(f"pkg/a{number}.rs", "    shop.sell(2);\n")
    content = here.shown(uri, SELL, SELL)
    assert "elsewhere (3 of 5 lines):" in content
    assert content.count(".rs:1:") == 3


def test_calls_in_the_file_itself_come_with_its_own_lines(here: Here) -> None:
    uri = here.file("shop.py", SHOP + FILLING.replace("x7 = 7\n", "shop.sell(7)\n"))
    content = here.shown(uri, SELL, SELL)
    assert re.search(r"\n +\d+\tshop\.sell\(7\)$", content)
    assert "elsewhere" not in content


def test_callers_are_those_of_the_editor_and_what_may_not_be_read_is_not_shown(here: Here) -> None:
    uri = here.file("shop.py", SHOP)
    use = here.file("use.py", "on_disk.sell(1)\n")
    here.workspace.buffers.open(use, "python", 1, "\n\nin_the_editor.sell(2)\n")
    here.workspace.buffers.open(here.file("same.py", "same.sell(3)\n"), "python", 1, "same.sell(3)\n")
    here.file(".env", "KEY=sell(1)\n")
    here.file("secrets/a.py", "hidden.sell(1)\n")
    (here.root / "link.py").symlink_to("secrets/a.py")
    here.workspace.buffers.open(here.file("secrets/b.py", ""), "python", 1, "hidden.sell(1)\n")
    content = here.shown(uri, SELL, SELL)
    assert "use.py:3: in_the_editor.sell(2)" in content
    assert "on_disk" not in content
    assert "elsewhere (2 lines)" in content
    assert content.count("same.py:1:") == 1
    assert "KEY" not in content
    assert "hidden" not in content


def test_files_of_any_encoding_and_line_ending_show_the_line_that_it_is(here: Here) -> None:
    uri = here.file("shop.py", SHOP)
    here.file("cr.py", "a\rb\rshop.sell(1)\r")
    (here.root / "latin.py").write_bytes(b"caf\xe9\nshop.sell('\xe9')\n")
    content = here.shown(uri, SELL, SELL)
    for path, line, text in re.findall(r"\n([\w.]+):(\d+): (.*)", content):
        lines = here.workspace.text(uris.from_path(str(here.root / path))).lines
        assert lines[int(line) - 1].rstrip("\r\n") == text
    assert "latin.py:2: shop.sell('é')" in content


def test_a_common_name_is_left_out_with_a_sentence(here: Here) -> None:
    uri = here.file("shop.py", SHOP)
    here.file("use.py", "shop.sell(1)\n" * 500)
    content = here.shown(uri, SELL, SELL)
    assert "sell stands on more than 400 lines: search for how it is called." in content
    assert "use.py:" not in content


def test_of_many_callers_a_dozen_are_shown_and_all_counted(here: Here) -> None:
    uri = here.file("shop.py", SHOP)
    for number in range(10):
        here.file(f"use{number}.py", "shop.sell(1)\n" * 5)
    content = here.shown(uri, SELL, SELL)
    assert "elsewhere (12 of 50 lines):" in content
    assert len(set(re.findall(r"\n(use\d\.py):", content))) == 4


def test_a_name_for_its_own_file_is_not_looked_for_in_others(here: Here) -> None:
    uri = here.file("a.py", "def _own():\n    return 1\n")
    here.file("b.py", "_own()\n")
    assert "b.py" not in here.shown(uri, 1, 1)


def test_a_search_that_takes_too_long_is_left_out(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    uri = here.file("shop.py", SHOP)
    here.file("use.py", "shop.sell(1)\n")

    shown = threading.Event()

    def slow(*_: object) -> list[Occurrence]:
        assert shown.wait(60)
        return []

    monkeypatch.setattr(callers, "occurrences_of", slow)
    monkeypatch.setattr(callers, "SECONDS", 0.05)
    content = here.shown(uri, SELL, SELL)
    shown.set()
    assert "def sell" in content
    assert "use.py" not in content


def test_a_question_about_lines_brings_the_same(here: Here) -> None:
    uri = here.file("shop.py", SHOP)
    here.file("use.py", "shop.sell(1)\n")
    question = Question("Why?", str(here.root), uri, Range.of(SELL, 0, SELL, 4))
    content = here.targets.question(question, 20_000, []).message.content
    assert "def sell" in content
    assert "use.py:1: shop.sell(1)" in content


def test_a_small_file_comes_whole(here: Here) -> None:
    uri = here.file("a.py", "import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n")
    task = here.task(uri, 4, 4)
    assert [(one.range.start.line, one.range.end.line) for one in task.read] == [(0, 8)]


def test_a_selection_with_no_room_is_cut_and_says_so(here: Here) -> None:
    uri = here.file("shop.py", SHOP)
    content = here.shown(uri, 100, 300, 600)
    assert "  101\tx96 = 96\n" in content
    assert re.search(r"\n\[\d+ more lines\. Read them with start=\d+\.\]$", content)


LINES = st.sampled_from(
    [
        "def sell(x):", "    return sell(1)", "class A:", "    def b(self):", "        pass", "", "import os",
        "x" * 1500, "sell(2)", "é = 'ü'", "if x:", "}",
    ]
)  # fmt: skip


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LINES, min_size=1, max_size=60), st.data(), st.sampled_from([0, 40, 100, 300, 1000, 5000, 50_000]))
def test_it_never_takes_more_than_its_room_and_shows_lines_as_they_are(
    here: Here, lines: list[str], data: st.DataObject, room: int
) -> None:
    times = data.draw(st.sampled_from([1, 20]))
    text = "\n".join(lines * times)
    if not text.strip():
        return
    uri = here.file("a.py", text)
    here.file("b.py", "sell(1)\nb(2)\n")
    first = data.draw(st.integers(0, max(len(lines) * times - 2, 0)))
    last = data.draw(st.integers(first, len(lines) * times - 1))
    task = here.task(uri, first, last, room)
    content = task.message.content
    attached = content[content.find("\n\n") :] if "\n\n" in content else ""
    assert len(attached) <= room
    known = {"a.py": here.workspace.text(uri)}
    for number, line in re.findall(r"^ {0,4}(\d+)\t(.*)$", attached, re.MULTILINE):
        assert known["a.py"].line(int(number) - 1)[:1000] == line.removesuffix(" [… cut]")
    numbers = {int(number) - 1 for number in re.findall(r"^ {0,4}(\d+)\t", attached, re.MULTILINE)}
    own = [one.range for one in task.read if one.uri == uri]
    assert numbers == {line for span in own for line in span.lines}


def test_the_lines_of_other_files_take_their_room_from_the_rest_of_this_one(here: Here) -> None:
    uri = here.file("a.py", "def sell():\n    return 1\n\n\n" + FILLING[:3000])
    here.file("b.py", "sell(1)\n" * 12)
    for room in range(300, 1200, 60):
        content = here.shown(uri, 1, 1, room)
        assert len(content[content.find("\n\n") :]) <= room
    assert "b.py:1: sell(1)" in content
