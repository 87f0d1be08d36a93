"""The project's own questions in an editor: each stands for itself, and follows its line."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from tests.server.servers import check_manners, inside

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.bare_client import BareClient

QUESTIONS = ["Which claims lack a source?", "Which page links here?", "Which page is out of date?"]
PAGE = "# Title\n\nIt is fast.\n"


@asynccontextmanager
async def asking(root: Path, questions: list[str]) -> AsyncIterator[tuple[BareClient, str]]:
    """A client of the examiner with these questions, and a page that is open as version 1."""
    path = root / "page.md"
    path.write_text(PAGE)
    table = [{"glob": "*.md", "question": question} for question in questions]
    async with inside() as client:
        await client.initialize(
            rootUri=root.as_uri(), initializationOptions={"model": {"provider": "examiner"}, "questions": table}
        )
        client.open(path.as_uri(), PAGE, version=1)
        yield client, path.as_uri()
        check_manners(client)


def messages(found: Any) -> list[str]:
    return [one["message"] for one in found]


async def test_questions_on_one_line_stay_apart_and_follow_it(root: Path) -> None:
    async with asking(root, QUESTIONS) as (client, uri):
        result = await client.request("socreates/review", {"uri": uri})
        assert messages(result["findings"]) == QUESTIONS
        assert messages(await client.diagnostics(uri, 1)) == QUESTIONS
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}}
        hover = json.dumps(await client.request("textDocument/hover", place))
        assert all(question in hover for question in QUESTIONS)
        document = {"uri": uri, "version": 2}
        change = {"textDocument": document, "contentChanges": [{"text": "New first line.\n\n" + PAGE}]}
        client.notify("textDocument/didChange", change)
        moved = await client.diagnostics(uri, 2)
        assert [(one["message"], one["range"]["start"]["line"]) for one in moved] == [(one, 2) for one in QUESTIONS]


async def test_asked_again_they_are_the_same_ones(root: Path) -> None:
    async with asking(root, QUESTIONS) as (client, uri):
        first = await client.request("socreates/review", {"uri": uri})
        again = await client.request("socreates/review", {"uri": uri})
        assert [one["id"] for one in again["findings"]] == [one["id"] for one in first["findings"]]
        assert all(one["why"].count("standing question") == 1 for one in again["findings"])
        kept = await client.request("socreates/findings", {"uri": uri})
        assert len(kept["findings"]) == len(QUESTIONS)


async def test_one_that_is_taken_out_of_the_settings_leaves(root: Path) -> None:
    async with asking(root, QUESTIONS) as (client, uri):
        await client.request("socreates/review", {"uri": uri})
        table = [{"glob": "*.md", "question": question} for question in QUESTIONS[:1]]
        client.notify(
            "workspace/didChangeConfiguration",
            {"settings": {"socreates": {"model": {"provider": "examiner"}, "questions": table}}},
        )
        result = await client.request("socreates/review", {"uri": uri})
        assert messages(result["findings"]) == QUESTIONS[:1]
        assert messages((await client.request("socreates/findings", {"uri": uri}))["findings"]) == QUESTIONS[:1]


async def test_one_that_was_dismissed_on_a_selection_stays_so_in_the_file_whatever_line_is_first(root: Path) -> None:
    async with asking(root, QUESTIONS) as (client, uri):
        lines = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 3}}
        first, *_ = (await client.request("socreates/review", {"uri": uri, "range": lines}))["findings"]
        await client.request("socreates/dismiss", {"id": first["id"]})
        result = await client.request("socreates/review", {"uri": uri})
        assert (messages(result["findings"]), result["dismissed"]) == (QUESTIONS[1:], 1)
        change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "First.\n" + PAGE}]}
        client.notify("textDocument/didChange", change)
        result = await client.request("socreates/review", {"uri": uri})
        assert (messages(result["findings"]), result["dismissed"]) == (QUESTIONS[1:], 1)
        listed = (await client.request("socreates/findings", {"uri": uri, "status": "dismissed"}))["findings"]
        assert messages(listed) == [first["message"]]
        await client.request("socreates/restore", {"id": listed[0]["id"]})
        assert messages((await client.request("socreates/review", {"uri": uri}))["findings"]) == QUESTIONS
