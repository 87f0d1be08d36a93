"""Talks that nobody needs any more leave their file, after a review; those that a review meets stay."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from socreates_lsp.memory import own
from tests.server.servers import ask, find, read, scripted, until

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.bare_client import BareClient

LINES = ("a = 1", "b = 2", "c = 3")


async def reviewed(client: BareClient, uri: str, *lines: int) -> list[dict[str, Any]]:
    steps = ask(read(uri, 0, 2), *(find(uri, line) for line in lines))
    return (await client.request("socreates/review", {"uri": uri, "ask": steps}))["findings"]


async def test_old_talks_are_forgotten_and_what_is_met_stays(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))
    (root / "app.py").write_text("\n".join(LINES) + "\n")
    uri, file = (root / "app.py").as_uri(), root / ".socreates" / "threads.json"

    def kept() -> dict[str, str]:
        return {one["quote"]: one["at"] for one in json.loads(file.read_text())["threads"]}

    async with scripted(rootUri=root.as_uri()) as client:
        for finding in await reviewed(client, uri, 0, 1, 2):
            await client.request("socreates/reply", {"id": finding["id"], "text": "it is intended"})
    assert set(kept()) == set(LINES)
    # A year has passed, for all but the last one; they are the user's own still.
    content = json.loads(file.read_text())
    for entry in content["threads"]:
        if entry["quote"] != LINES[2]:
            entry["at"] = entry["thread"][0]["at"] = "2020-01-01T00:00:00.000Z"
    foreign = {**content["threads"][0], "id": "f" * 16, "quote": "d = 4"}
    (record,) = (tmp_path / "state").rglob("own-threads.json")
    digests = {own.digest_of(entry): "2020-01-01T00:00:00.000Z" for entry in content["threads"]}
    record.write_text(json.dumps({"version": 1, "own": digests}))
    file.write_text(json.dumps({**content, "threads": [*content["threads"], foreign]}))
    async with scripted(rootUri=root.as_uri()) as client:
        assert await reviewed(client, uri, 0) == []
        await until(lambda: LINES[1] not in kept())
        assert set(kept()) == {LINES[0], LINES[2], "d = 4"}, "what was met, what is new, what others wrote"
        assert kept()[LINES[0]] > "2026"
        await until(lambda: len(json.loads(record.read_text())["own"]) == 2)
    async with scripted(rootUri=root.as_uri()) as client:
        assert len(await reviewed(client, uri, 0, 1, 2)) == 1
