"""Places related to a question: one whose text changed is left out, and is back when the text is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.server.servers import ask, find, scripted, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.bare_client import BareClient

APP = "def save(row):\n    rows.append(row)\n"
DB = "import threading\n\nLOCK = threading.Lock()\n"
RELATED = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}


@pytest.fixture
async def client(root: Path) -> AsyncIterator[BareClient]:
    async with scripted(rootUri=root.as_uri(), capabilities=RELATED) as client:
        yield client


@pytest.fixture
def db(root: Path) -> str:
    (root / "db.py").write_text(DB)
    return (root / "db.py").as_uri()


@pytest.fixture
async def app(client: BareClient, root: Path, db: str) -> str:
    """A document with a question that a line of db.py and one of its own belong to."""
    (root / "app.py").write_text(APP)
    uri = (root / "app.py").as_uri()
    client.open(uri, APP)
    related = [
        {"uri": db, "line": 2, "end": 23, "message": "the lock"},
        {"uri": uri, "line": 0, "message": "the caller"},
    ]
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1, related=related))})
    await until(lambda: published(client, uri) == [("db.py", 2), ("app.py", 0)])
    return uri


def published(client: BareClient, uri: str) -> list[tuple[str, int]]:
    """Files and lines of the places with the newest diagnostic."""
    newest = [one for one in client.seen("textDocument/publishDiagnostics") if one["uri"] == uri][-1:]
    found: list[dict[str, Any]] = newest[0]["diagnostics"][0].get("relatedInformation") or [] if newest else []
    places = [one["location"] for one in found]
    return [(one["uri"].rpartition("/")[2], one["range"]["start"]["line"]) for one in places]


def edit(client: BareClient, uri: str, version: int, line: int, text: str, lines: int = 1) -> None:
    span = {"start": {"line": line, "character": 0}, "end": {"line": line + lines, "character": 0}}
    change = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": span, "text": text}]}
    client.notify("textDocument/didChange", change)


async def test_a_place_whose_line_is_edited_or_deleted_comes_back_by_undo_where_it_was(client, app, db) -> None:
    client.open(db, DB)
    edit(client, db, 2, 2, "LOCK = None\n")
    await until(lambda: published(client, app) == [("app.py", 0)])
    edit(client, db, 3, 0, "", lines=1)
    edit(client, db, 4, 1, "LOCK = threading.Lock()\n")
    await until(lambda: published(client, app) == [("db.py", 1), ("app.py", 0)])
    edit(client, db, 5, 1, "")
    await until(lambda: published(client, app) == [("app.py", 0)])
    edit(client, db, 6, 1, "LOCK = threading.Lock()\n", lines=0)
    await until(lambda: published(client, app) == [("db.py", 1), ("app.py", 0)])


async def test_a_place_in_a_file_that_another_program_changes_is_checked(client, app, db, root) -> None:
    def changed(text: str | None) -> None:
        (root / "db.py").unlink() if text is None else (root / "db.py").write_text(text)
        changes = [{"uri": db, "type": 3 if text is None else 2}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    changed(f"# Above.\n{DB}")
    await until(lambda: published(client, app) == [("db.py", 3), ("app.py", 0)])
    for gone in (DB.replace("Lock()", "RLock()"), None):
        changed(gone)
        await until(lambda: published(client, app) == [("app.py", 0)])
        changed(DB)
        await until(lambda: published(client, app) == [("db.py", 2), ("app.py", 0)])


async def test_a_place_in_a_closed_file_is_checked_when_the_question_is_published(client, app, db, root) -> None:
    (root / "db.py").write_text("import threading\n")
    edit(client, app, 2, 0, "\n", lines=0)
    await until(lambda: published(client, app) == [("app.py", 1)])
    client.open(db, DB)
    await until(lambda: published(client, app) == [("db.py", 2), ("app.py", 1)])
