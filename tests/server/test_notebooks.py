"""Notebooks: a question lands in its cell, and goes where the cell goes. Over stdio."""

from __future__ import annotations

import pytest

from tests.bare_client import serving
from tests.server.servers import settled

SYNC = {"notebookDocument": {"synchronization": {}}}
PYTHON = "import requests\n\ndef fetch(url):\n    return requests.get(url)\n"
GO = "package x\n"
TEXTS = {"c1": ("markdown", "# Title\n"), "c2": ("python", PYTHON), "c3": ("go", GO), "c4": ("python", PYTHON)}
PUBLISHED = "textDocument/publishDiagnostics"


def cell(name: str) -> str:
    return f"vscode-notebook-cell:/w/book.ipynb#{name}"


def item(name: str, language: str | None = None, text=None) -> dict:
    known = TEXTS.get(name, ("python", PYTHON))
    text = known[1] if text is None else text
    return {"uri": cell(name), "languageId": language or known[0], "version": 1, "text": text}


def cells(*names: str) -> list[dict]:
    return [{"kind": 1 if TEXTS.get(name, "p")[0] == "markdown" else 2, "document": cell(name)} for name in names]


class Notebook:
    """A notebook that is open in the editor."""

    def __init__(self, client, root) -> None:
        self.client, self.uri, self.version = client, (root / "sub" / "book.ipynb").as_uri(), 1
        self.open()

    def open(self) -> None:
        document = {"uri": self.uri, "notebookType": "jupyter-notebook", "version": 1, "cells": cells(*TEXTS)}
        params = {"notebookDocument": document, "cellTextDocuments": [item(name) for name in TEXTS]}
        self.client.notify("notebookDocument/didOpen", params)

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
    options = {"model": {"provider": "examiner"}}
    async with serving() as client:
        found = await client.initialize(rootUri=root.as_uri(), capabilities=SYNC, initializationOptions=options)
        sync = found["capabilities"]["notebookDocumentSync"]
        assert sync == {"notebookSelector": [{"notebook": "*"}], "save": True}
        yield Notebook(client, root)


async def test_a_client_without_notebooks_is_told_of_none(root) -> None:
    async with serving() as client:
        found = await client.initialize(rootUri=root.as_uri(), capabilities={"notebookDocument": None})
        assert "notebookDocumentSync" not in found["capabilities"]


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


async def test_a_notebook_that_is_closed_takes_all_its_cells_along(book) -> None:
    await book.review("c2")
    assert await book.client.diagnostics(cell("c2"), version=1)
    document = {"notebookDocument": {"uri": book.uri}}
    book.client.notify("notebookDocument/didSave", document)
    book.client.notify("notebookDocument/didClose", {**document, "cellTextDocuments": [{"uri": cell("c2")}]})
    await settled(book.client)
    assert await book.client.diagnostics(cell("c2")) == []
    assert (await book.client.request("socreates/findings"))["findings"] == []
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
