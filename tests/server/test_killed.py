"""A server that is killed in the middle of a turn loses no line that was written, and the next one goes on."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
from typing import TYPE_CHECKING, Any

from socreates_lsp.app import App
from socreates_lsp.testkit.script import Reply
from socreates_lsp.testkit.server import ScriptedServer
from tests.bare_client import serving
from tests.server.servers import inside
from tests.server.talking import QUESTION, app_py, said, settings

if TYPE_CHECKING:
    from pathlib import Path

KILLS = int(os.environ.get("KILLS", "8"))
"""How often; 50 is the number of the issue, by hand: KILLS=50 pytest tests/server/test_killed.py."""

LONGEST_S = 0.6


def lines_of(root: Path) -> list[dict[str, Any]]:
    """The whole lines of the transcript."""
    path = root / ".socreates" / "session.json"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


async def test_kill_9_at_any_moment_of_a_turn(root: Path) -> None:
    uri = app_py(root)
    chance = random.Random(7)
    calls = Reply(calls=(("read_file", {"path": "app.py"}), ("list_files", {})), delay_s=0.05)
    replies = [calls, calls, Reply(text=QUESTION, delay_s=0.05, latency_s=0.01, piece=8)]
    asked = iter(range(10**6))
    with ScriptedServer(lambda _: replies[next(asked) % 3]) as model:
        before: list[dict[str, Any]] = []
        for _ in range(KILLS):
            async with serving() as client:
                await client.initialize(rootUri=root.as_uri(), initializationOptions=settings(model))
                client.begin("socreates/review", {"uri": uri})
                await asyncio.sleep(chance.uniform(0, LONGEST_S))
                client.process.send_signal(signal.SIGKILL)  # type: ignore[attr-defined]
                await client.process.wait()  # type: ignore[attr-defined]
            after = lines_of(root)
            assert after[: len(before)] == before, "a line that had been written is gone"
            before = after
    with ScriptedServer([Reply(text="Going on?")]) as model:
        async with inside(App) as client:
            await client.initialize(rootUri=root.as_uri(), initializationOptions=settings(model))
            answer = await client.request("socreates/ask", {"text": "go on"})
            assert answer["text"] == "Going on?"
            (chat,) = model.chats
    whole = lines_of(root)
    assert whole[: len(before)] == before
    turns = {line["turn"] for line in whole}
    ended = {line["turn"]: line["outcome"] for line in whole if line["line"] == "outcome"}
    assert turns == set(ended), "every turn has an outcome now"
    roles = [role for role, _ in said(chat)]
    assert roles.count("user") == 1 + sum(outcome == "answered" for outcome in list(ended.values())[:-1])
    for turn in turns:
        messages = [line for line in whole if line["turn"] == turn and line["line"] == "message"]
        called = [call["id"] for message in messages for call in message.get("calls", ())]
        assert sorted(called) == sorted(message["callId"] for message in messages if message["role"] == "tool")
