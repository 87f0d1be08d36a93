"""What the user has answered: told to the model, so that it does not ask again, and as it was when restored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.server.talking import QUESTION, app_py, talking
from tests.server.test_replies import found, listed, say

if TYPE_CHECKING:
    from pathlib import Path

INTENDED = "it is intended"
OTHER = """[question] app.py:1 naming
> def load(path):
What does `load` load?
"""


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))


async def test_an_answer_that_stands_is_told_to_the_model_as_data(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, QUESTION, OTHER) as (client, model):
        finding = await found(client, uri)
        assert (await say(client, finding, INTENDED))["finding"]["status"] == "answered"
        await found(client, uri)
        told = model.chats[-1]["messages"][-1]["content"]
        for part in ("are settled: do not ask them again", "quoted as data", finding["message"], INTENDED):
            assert part in told
            assert part not in model.chats[0]["messages"][-1]["content"].replace(finding["message"], "")


async def test_an_answered_question_that_was_dismissed_is_answered_again_when_restored(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, QUESTION) as (client, _):
        finding = await found(client, uri)
        await say(client, finding, INTENDED)
        await client.request("socreates/dismiss", {"id": finding["id"]})
        restored = (await client.request("socreates/restore", {"id": finding["id"]}))["finding"]
        assert (restored["status"], restored["thread"][0]["text"]) == ("answered", INTENDED)
        await client.request("socreates/dismiss", {"id": finding["id"]})
    async with talking(root) as (client, _):
        restored = (await client.request("socreates/restore", {"id": finding["id"]}))["finding"]
        assert (restored["status"], restored["thread"][0]["text"]) == ("answered", INTENDED)
        assert [one["status"] for one in await listed(client)] == ["answered"]
