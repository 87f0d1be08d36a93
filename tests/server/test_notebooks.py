"""Notebooks: a question lands in its cell, and goes where the cell goes. One test starts the real executable."""

from __future__ import annotations

import json

import pytest

from tests.bare_client import serving
from tests.server.servers import scripted, settled

SYNC = {"notebookDocument": {"synchronization": {}}}
PYTHON = "import requests\n\ndef fetch(url):\n    return requests.get(url)\n"
GO = "package x\n"
TEXTS = {"c1": ("markdown", "# Title\n"), "c2": ("python", PYTHON), "c3": ("go", GO), "c4": ("python", PYTHON)}
OPTIONS = {"model": {"provider": "examiner"}}
PUBLISHED = "textDocument/publishDiagnostics"


def cell(name: str) -> str:
    return f"vscode-notebook-cell:/w/book.ipynb#{name}"


def item(name: str, language: str | None = None, text=None) -> dict:
    known = TEXTS.get(name, ("python", PYTHON))
    text = known[1] if text is None else text
    return {"uri": cell(name), "languageId": language or known[0], "version": 1, "text": text}


def cells(*names: str) -> list[dict]:
    return [{"kind": 1 if TEXTS.get(name, "p")[0] == "markdown" else 2, "document": cell(name)} for name in names]


def saved(file) -> None:
    """The notebook as Jupyter writes it."""
    kinds = {name: "markdown" if language == "markdown" else "code" for name, (language, _) in TEXTS.items()}
    ran = {"execution_count": 1, "outputs": [{"data": {"image/png": "x" * 300_000}}]}
    found = [
        {
            "cell_type": kinds[name],
            "metadata": {},
            **(ran if kinds[name] == "code" else {}),
            "source": text.splitlines(keepends=True),
        }
        for name, (_, text) in TEXTS.items()
    ]
    notebook = {"cells": found, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(notebook, indent=1, sort_keys=True) + "\n")


class Notebook:
    """A notebook that is open in the editor."""

    def __init__(self, client, root, names=tuple(TEXTS), texts=None) -> None:
        self.client, self.uri, self.version = client, (root / "sub" / "book.ipynb").as_uri(), 1
        self.names = names
        self.open(texts)

    def open(self, texts: dict[str, str] | None = None) -> None:
        document = {"uri": self.uri, "notebookType": "jupyter-notebook", "version": 1, "cells": cells(*self.names)}
        items = [item(name, text=(texts or {}).get(name)) for name in self.names]
        self.client.notify("notebookDocument/didOpen", {"notebookDocument": document, "cellTextDocuments": items})

    def close(self, uri: str | None = None) -> None:
        closed = [{"uri": cell(name)} for name in self.names]
        document = {"uri": uri or self.uri}
        self.client.notify("notebookDocument/didClose", {"notebookDocument": document, "cellTextDocuments": closed})

    def change(self, **cells) -> None:
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        self.client.notify("notebookDocument/didChange", {"notebookDocument": document, "change": {"cells": cells}})

    def edit(self, name: str, *changes: dict, version: int = 2) -> None:
        self.change(textContent=[{"document": {"uri": cell(name), "version": version}, "changes": list(changes)}])

    async def review(self, name: str) -> dict:
        return await self.client.request("socreates/review", {"uri": cell(name), "workDoneToken": name}, 60)

    def title(self, name: str) -> str:
        """How a review of a cell called it."""
        begun = [one for one in self.client.seen("$/progress") if one["token"] == name]
        return begun[-1 if len(begun) == 1 else 0]["value"]["title"]


@pytest.fixture
async def book(root):
    async with scripted(rootUri=root.as_uri(), capabilities=SYNC, initializationOptions=OPTIONS) as client:
        sync = client.initialized["capabilities"]["notebookDocumentSync"]
        assert sync == {"notebookSelector": [{"notebook": "*"}], "save": True}
        yield Notebook(client, root)


async def test_a_client_without_notebooks_is_told_of_none(root) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities={"notebookDocument": None}) as client:
        assert "notebookDocumentSync" not in client.initialized["capabilities"]


async def test_a_question_lands_in_its_cell(book) -> None:
    result = await book.review("c2")
    assert [one["uri"] for one in result["findings"]] == [cell("c2")]
    assert book.title("c2") == "Socreates reads sub/book.ipynb#cell 2"
    [shown] = await book.client.diagnostics(cell("c2"), version=1)
    assert shown["range"]["start"] == {"line": 3, "character": 4}
    assert {one["uri"] for one in book.client.seen(PUBLISHED)} == {cell("c2")}
    position = {"textDocument": {"uri": cell("c2")}, "position": {"line": 3, "character": 5}}
    assert await book.client.request("textDocument/hover", position)
    other = await book.review("c4")
    assert [one["uri"] for one in other["findings"]] == [cell("c4")]
    assert other["findings"][0]["id"] != result["findings"][0]["id"], "the same code in another cell"


async def test_each_cell_is_read_in_its_own_language(book) -> None:
    assert (await book.review("c3"))["examined"][0]["rules"] > 0
    nothing = await book.review("c1")
    assert nothing["findings"] == []
    assert "markdown" in str(nothing["skipped"])


async def test_an_edit_in_a_cell_moves_its_question(book) -> None:
    await book.review("c2")
    top = {"line": 0, "character": 0}
    book.edit("c2", {"range": {"start": top, "end": top}, "text": "# one\n# two\n"})
    [shown] = await book.client.diagnostics(cell("c2"), version=2)
    assert shown["range"]["start"]["line"] == 5
    book.edit("c2", {"text": "pass\n"}, version=3)
    [stale] = await book.client.diagnostics(cell("c2"), version=3)
    assert stale["message"].startswith("Stale: ")


async def test_cells_that_come_and_go_change_the_numbers_and_take_their_questions_along(book) -> None:
    for name in ("c2", "c4"):
        await book.review(name)
        await book.client.diagnostics(cell(name), version=1)
    array = {"start": 1, "deleteCount": 2, "cells": cells("c5")}
    closed = [{"uri": cell(name)} for name in ("c2", "c3")]
    book.change(structure={"array": array, "didOpen": [item("c5")], "didClose": closed})
    assert (await book.review("c5"))["findings"][0]["uri"] == cell("c5")
    assert book.title("c5") == "Socreates reads sub/book.ipynb#cell 2"
    await settled(book.client)
    assert await book.client.diagnostics(cell("c2")) == []
    held = (await book.client.request("socreates/findings"))["findings"]
    assert [one["uri"] for one in held] == [cell("c4"), cell("c5")]
    refused = await book.client.answer_to("socreates/review", {"uri": cell("c2")})
    assert refused["error"]["code"] == -32803


async def test_a_cell_that_is_moved_keeps_its_question(book) -> None:
    found = (await book.review("c2"))["findings"][0]["id"]
    moved = {"array": {"start": 1, "deleteCount": 3, "cells": cells("c3", "c4", "c2")}}
    book.change(structure={**moved, "didOpen": [item("c2")], "didClose": [{"uri": cell("c2")}]})
    assert [one["id"] for one in (await book.review("c2"))["findings"]] == [found]


async def test_a_copy_of_a_cell_put_above_it_has_a_question_of_its_own(book) -> None:
    """It now has the number under which the first one's question was born."""
    first = (await book.review("c2"))["findings"][0]["id"]
    book.change(structure={"array": {"start": 1, "deleteCount": 0, "cells": cells("c5")}, "didOpen": [item("c5")]})
    second = (await book.review("c5"))["findings"][0]["id"]
    assert second != first
    held = (await book.client.request("socreates/findings"))["findings"]
    assert [(one["id"], one["uri"]) for one in held] == [(first, cell("c2")), (second, cell("c5"))]


async def test_a_notebook_that_is_closed_has_no_cells_any_more(book) -> None:
    await book.review("c2")
    assert await book.client.diagnostics(cell("c2"), version=1)
    document = {"notebookDocument": {"uri": book.uri}}
    book.client.notify("notebookDocument/didSave", document)
    book.client.notify("notebookDocument/didClose", {**document, "cellTextDocuments": [{"uri": cell("c2")}]})
    await settled(book.client)
    assert await book.client.diagnostics(cell("c2")) == []
    assert [one[1:3] for one in await kept(book)] == [(book.uri, "stale")], "there is no such file on disk"
    for name in TEXTS:
        assert "error" in await book.client.answer_to("socreates/review", {"uri": cell(name)})
    book.open()
    assert len((await book.review("c2"))["findings"]) == 1


async def test_what_cannot_be_read_is_left_out_and_puts_its_cell_out_of_step(book) -> None:
    book.change(textContent=[{"document": {"uri": cell("c2"), "version": 2}, "changes": [{"text": None}]}, None])
    refused = await book.client.answer_to("socreates/review", {"uri": cell("c2")})
    assert refused["error"]["message"].startswith("sub/book.ipynb#cell 2 cannot be read: ")
    assert len((await book.review("c4"))["findings"]) == 1
    for change in (None, 5, {"cells": {"structure": {"array": {"start": None}}}}, {"cells": {"structure": []}}):
        document = {"uri": book.uri, "version": 9}
        book.client.notify("notebookDocument/didChange", {"notebookDocument": document, "change": change})
    for params in (None, {}, {"notebookDocument": {"uri": None}}, {"notebookDocument": {"uri": "x", "cells": 5}}):
        for method in ("didOpen", "didChange", "didSave", "didClose"):
            book.client.notify(f"notebookDocument/{method}", params)
    assert len((await book.review("c4"))["findings"]) == 1
    assert book.title("c4") == "Socreates reads sub/book.ipynb#cell 4"


async def found_in(book, name: str) -> str:
    """Review a cell; the id of its one question."""
    [finding] = (await book.review(name))["findings"]
    return finding["id"]


async def kept(book) -> list[tuple[str, str, str, int]]:
    """What the server has: id, cell, status and line of each finding."""
    held = (await book.client.request("socreates/findings"))["findings"]
    return [(one["id"], one["uri"], one["status"], one["range"]["start"]["line"]) for one in held]


def structure(start: int, deleted: int, *names: str, opened=(), closed=()) -> dict:
    """A change of the order of cells; ``opened`` are whole items."""
    array = {"start": start, "deleteCount": deleted, "cells": cells(*names)}
    return {"array": array, "didOpen": list(opened), "didClose": [{"uri": cell(name)} for name in closed]}


async def test_a_deleted_cell_resolves_its_question_and_an_undo_brings_it_back(book) -> None:
    found = await found_in(book, "c2")
    book.change(structure=structure(1, 1, closed=["c2"]))
    assert await kept(book) == [(found, cell("c2"), "resolved", 3)]
    book.change(structure=structure(1, 0, "c2", opened=[item("c2")]))
    assert len(await book.client.diagnostics(cell("c2"), version=1)) == 1
    assert await kept(book) == [(found, cell("c2"), "open", 3)]


async def test_an_undo_that_brings_the_cell_under_another_name(book) -> None:
    found = await found_in(book, "c2")
    book.change(structure=structure(1, 1, closed=["c2"]))
    book.change(structure=structure(0, 0, "c7", opened=[item("c7")]))
    assert await kept(book) == [(found, cell("c7"), "open", 3)]


@pytest.mark.parametrize("edit_first", [True, False])
async def test_a_split_takes_the_question_into_the_new_cell_and_its_undo_back(book, edit_first: bool) -> None:
    found = await found_in(book, "c2")
    head, tail = PYTHON.split("def")
    steps = [
        lambda: book.edit("c2", {"text": head}),
        lambda: book.change(structure=structure(2, 0, "c8", opened=[item("c8", text="def" + tail)])),
    ]
    for step in steps if edit_first else reversed(steps):
        step()
    assert await kept(book) == [(found, cell("c8"), "open", 1)]
    book.edit("c2", {"text": PYTHON}, version=3)
    book.change(structure=structure(2, 1, closed=["c8"]))
    assert await kept(book) == [(found, cell("c2"), "open", 3)]


async def test_a_merge_takes_the_question_into_the_cell_above(book) -> None:
    found = await found_in(book, "c4")
    book.edit("c2", {"text": "x = 1\n" + PYTHON})
    book.change(structure=structure(3, 1, closed=["c4"]))
    assert await kept(book) == [(found, cell("c4"), "resolved", 3)], "c2 had these lines before, and nothing came"
    book.change(structure=structure(3, 0, "c4", opened=[item("c4")]))
    book.edit("c3", {"text": GO + PYTHON})
    book.change(structure=structure(3, 1, closed=["c4"]))
    assert await kept(book) == [(found, cell("c3"), "open", 4)]


async def test_an_id_does_not_depend_on_the_number_of_the_cell(book) -> None:
    book.edit("c4", {"text": "pass\n"})
    found = await found_in(book, "c2")
    book.close()
    book.names = ("c3", "c9", "c2")
    texts = {"c9": "y = 2\n"}
    book.open(texts)
    await book.client.request("socreates/clear", {})
    assert await found_in(book, "c2") == found


async def test_a_question_stays_on_a_notebook_that_is_closed_and_comes_back_with_it(book, root) -> None:
    saved(root / "sub" / "book.ipynb")
    found = [await found_in(book, "c2"), await found_in(book, "c4")]
    book.close()
    lines = (root / "sub" / "book.ipynb").read_text().split("\n")
    on_file = await kept(book)
    assert [(one[0], one[1], one[2]) for one in on_file] == [(one, book.uri, "open") for one in found]
    assert ["requests.get(url)" in lines[line] for *_, line in on_file] == [True, True]
    assert on_file[0][3] < on_file[1][3]
    book.open()
    assert await kept(book) == [(found[0], cell("c2"), "open", 3), (found[1], cell("c4"), "open", 3)]


@pytest.mark.parametrize("order", ["close open rename", "rename close open", "open close rename", "rename open close"])
async def test_a_renamed_notebook_keeps_its_questions(book, root, order: str) -> None:
    """VS Code closes it and opens it under the new name; when it tells the new name is not said anywhere."""
    found = [await found_in(book, "c2"), await found_in(book, "c4")]
    old, new = book.uri, (root / "sub" / "new.ipynb").as_uri()
    names = {name: cell(name).replace("book", "new") for name in TEXTS}

    def opened() -> None:
        document = {"uri": new, "notebookType": "jupyter-notebook", "version": 1}
        items = [{**item(name), "uri": names[name]} for name in TEXTS]
        document["cells"] = [{"kind": 2, "document": names[name]} for name in TEXTS]
        book.client.notify("notebookDocument/didOpen", {"notebookDocument": document, "cellTextDocuments": items})

    steps = {
        "close": lambda: book.close(old),
        "open": opened,
        "rename": lambda: book.client.notify("workspace/didRenameFiles", {"files": [{"oldUri": old, "newUri": new}]}),
    }
    for step in order.split():
        steps[step]()
    assert await kept(book) == [(found[0], names["c2"], "open", 3), (found[1], names["c4"], "open", 3)]
    assert len(await book.client.diagnostics(names["c2"], version=1)) == 1


async def test_what_was_dismissed_in_a_notebook_stays_so_across_a_restart(book, root) -> None:
    saved(root / "sub" / "book.ipynb")
    found = await found_in(book, "c2")
    await book.client.request("socreates/dismiss", {"id": found})
    async with scripted(rootUri=root.as_uri(), capabilities=SYNC, initializationOptions=OPTIONS) as client:
        again = Notebook(client, root, ("c1", "c3", "c2", "c9", "c4"), {"c9": GO})
        second = await again.review("c2")
        assert (second["findings"], second["dismissed"]) == ([], 1)
        assert len((await again.review("c4"))["findings"]) == 1, "the same code in another cell"
        again.close()
        closed = await client.request("socreates/review", {"uri": again.uri}, 60)
        assert (len(closed["findings"]), closed["dismissed"]) == (1, 1), "and in the file"


async def status_of(book, found: str) -> str:
    held = (await book.client.request("socreates/findings"))["findings"]
    return next(one["status"] for one in held if one["id"] == found)


async def test_an_answer_that_cites_a_cell_knows_it_by_its_lines_across_a_restart(book, root) -> None:
    """The cell above it holds the same lines; by then the cells have other numbers."""
    saved(root / "sub" / "book.ipynb")
    found = await found_in(book, "c4")
    said = {"id": found, "text": "The import on line 1 brings what this needs."}
    assert (await book.client.request("socreates/reply", said))["finding"]["status"] == "answered"
    [entry] = json.loads((root / ".socreates" / "threads.json").read_text())["threads"]
    assert [(one["path"], one["quote"]) for one in entry["anchors"]] == [("sub/book.ipynb", "import requests")]
    top = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
    book.edit("c2", {"range": top, "text": "import httpx\n"})
    assert await status_of(book, found) == "answered", "that was the twin"
    book.edit("c4", {"range": top, "text": "import httpx\n"})
    assert await status_of(book, found) == "open"
    [shown] = (await book.client.request("socreates/findings", {"uri": cell("c4")}))["findings"]
    assert [(one["uri"], one["range"]["start"]["line"]) for one in shown["related"]] == [(cell("c4"), 0)]
    book.edit("c4", {"range": top, "text": "import requests\n"}, version=3)
    assert await status_of(book, found) == "answered"
    async with scripted(rootUri=root.as_uri(), capabilities=SYNC, initializationOptions=OPTIONS) as client:
        await settled(client)
        again = Notebook(client, root, ("c1", "c9", "c3", "c2", "c4"), {"c9": "y = 2\n"})
        await settled(client)
        assert await status_of(again, found) == "answered"
        again.edit("c2", {"range": top, "text": "import httpx\n"})
        assert await status_of(again, found) == "answered"
        again.change(structure=structure(1, 1, closed=["c9"]))
        assert await status_of(again, found) == "answered"
        again.edit("c4", {"range": top, "text": "import httpx\n"})
        assert await status_of(again, found) == "open"


async def test_a_saved_notebook_is_read_as_its_code_and_asked_about_on_the_lines_of_the_file(root) -> None:
    file = root / "sub" / "book.ipynb"
    saved(file)
    async with scripted(rootUri=root.as_uri(), initializationOptions=OPTIONS) as client:
        result = await client.request("socreates/review", {"uri": file.as_uri()}, 60)
        assert [one["quote"] for one in result["findings"]] == ["return requests.get(url)"] * 2
        lines = [one["range"]["start"]["line"] for one in result["findings"]]
        assert ["requests.get(url)" in file.read_text().split("\n")[line] for line in lines] == [True, True]
        assert [one["range"]["start"]["line"] for one in await client.diagnostics(file.as_uri())] == lines


async def test_over_a_real_pipe_a_question_lands_in_its_cell_and_moves_with_it(root) -> None:
    async with serving() as client:
        await client.initialize(rootUri=root.as_uri(), capabilities=SYNC, initializationOptions=OPTIONS)
        book = Notebook(client, root)
        found = await found_in(book, "c2")
        assert len(await client.diagnostics(cell("c2"), version=1)) == 1
        top = {"line": 0, "character": 0}
        book.edit("c2", {"range": {"start": top, "end": top}, "text": "# one\n"})
        book.change(structure=structure(1, 1, "c9", opened=[item("c9", text="x = 1\n")], closed=["c2"]))
        assert await kept(book) == [(found, cell("c2"), "resolved", 4)]
