"""Older turns as a summary: when it is made, what is sent for it and after it, and that it survives a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.testkit.script import Reply
from tests.server.talking import said, talking

if TYPE_CHECKING:
    from pathlib import Path

ASKED = "[What was said before this is left out. What follows is its summary, which you wrote.]"
READS = Reply(calls=(("list_files", {}),))


def settings(most: int, **more: Any) -> dict[str, Any]:
    return {"history": {"summariseAfterMessages": most, **more}}


async def asked(client: Any, *texts: str) -> None:
    for text in texts:
        result = await client.request("socreates/ask", {"text": text}, seconds=60)
        assert result["stop"] == "answered", result


def users(chat: Any) -> list[str]:
    return [
        content.split("\n")[0].removeprefix("The developer asks you: ")
        for role, content in said(chat)
        if role == "user"
    ]


async def test_beyond_so_many_messages_the_older_ones_become_a_summary(root: Path) -> None:
    replies = [READS, "One?", READS, "Two?", "It was about one.", "Three?"]
    async with talking(root, *replies, options=settings(7)) as (client, model):
        await asked(client, "First", "Second", "Third")
        # Eight messages stood before the third question: two turns of a call, its result and an answer each.
        summary, third = model.chats[4:6]
        assert summary.get("tools", []) == []
        ((role, content),) = said(summary)
        assert role == "user"
        assert "The developer: The developer asks you: First" in content
        assert "You called list_files" in content
        assert "Result of list_files: " in content
        assert "You: One?" in content
        assert "Second" not in content
        assert said(third)[0] == ("user", ASKED)
        assert said(third)[1] == ("assistant", "[Summary of 4 earlier messages]\nIt was about one.")
        assert [role for role, _ in said(third)[2:]] == ["user", "assistant", "tool", "assistant", "user"]
        assert users(third)[1:] == ["Second", "Third"]
        assert third["messages"][0] == model.chats[0]["messages"][0]


async def test_a_summary_survives_a_restart(root: Path) -> None:
    replies = [READS, "One?", READS, "Two?", "In short.", "Three?"]
    async with talking(root, *replies, options=settings(7)) as (client, _):
        await asked(client, "First", "Second", "Third")
        await client.request("shutdown")
    async with talking(root, "Four?", options=settings(60)) as (client, model):
        await asked(client, "Fourth")
        (chat,) = model.chats
        assert said(chat)[:2] == [("user", ASKED), ("assistant", "[Summary of 4 earlier messages]\nIn short.")]
        assert users(chat)[1:] == ["Second", "Third", "Fourth"]


async def test_a_summary_that_fails_is_done_without_and_not_tried_at_once_again(root: Path) -> None:
    broken = Reply(status=400, error="no")
    async with talking(root, READS, "One?", READS, "Two?", broken, "Three?", "Four?", options=settings(7)) as (
        client,
        model,
    ):
        await asked(client, "First", "Second", "Third", "Fourth")
        assert users(model.chats[-2]) == ["First", "Second", "Third"]
        assert len(model.chats) == 7


async def test_it_is_off_at_zero(root: Path) -> None:
    async with talking(root, *["Yes?"] * 5, options=settings(0)) as (client, model):
        await asked(client, *"abcde")
        assert len(model.chats) == 5
        assert users(model.chats[-1]) == [*"abcde"]


async def test_beyond_the_budget_they_become_one_as_well_but_cheap_passes_come_first(root: Path) -> None:
    (root / "long.txt").write_text("word word\n" * 2000)
    # Without usage, as the counts of a script would teach what a token is.
    calls = tuple(("read_file", {"path": "long.txt", "start": start}) for start in (1, 500, 1000))
    reads = Reply(calls=calls, prompt_tokens=None)
    texts = ["One?", "Two?", "much " * 2000 + "?", "In short.", "Four?"]
    replies = [Reply(text=text, prompt_tokens=None) for text in texts]
    options = {**settings(60, maxTokens=2000), "model": {"contextTokens": 32_000}}
    async with talking(root, reads, *replies, options=options) as (client, model):
        await asked(client, "First", "Second", "Third", "Fourth")
        # After the first turn the old result was cut, and that was enough; after the third only a summary was.
        assert "more characters were here" in said(model.chats[2])[2][1]
        assert users(model.chats[2]) == ["First", "Second"]
        assert len(model.chats) == 6
        assert users(model.chats[5])[0] == ASKED
        assert users(model.chats[5])[-1] == "Fourth"


async def test_a_second_summary_takes_up_the_first(root: Path) -> None:
    replies = [READS, "1?", READS, "2?", "Sum one.", READS, "3?", "Sum two.", "4?"]
    async with talking(root, *replies, options=settings(7)) as (client, model):
        await asked(client, "First", "Second", "Third", "Fourth")
        again = said(model.chats[7])[0][1]
        assert "[Summary of 4 earlier messages]\nSum one." in again
        assert "Second" in again
        assert said(model.chats[-1])[1][1].endswith("\nSum two.")
        assert users(model.chats[-1])[1:] == ["Third", "Fourth"]
