"""``socreates/findings``, ``socreates/clear`` and ``socreates/status``."""

from __future__ import annotations

import pytest

from tests.server.servers import ask, find, scripted, until

TEXT = "a()\nb()\n"
PUBLISHED = "textDocument/publishDiagnostics"


@pytest.fixture
def uri(root) -> str:
    return (root / "app.py").as_uri()


def edit(client, uri: str, version: int, text: str) -> None:
    params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
    client.notify("textDocument/didChange", params)


async def listed(client, **params) -> list[dict]:
    return (await client.request("socreates/findings", params))["findings"]


async def test_findings_are_those_of_the_review_of_one_document_or_of_all(client, root, uri) -> None:
    other = (root / "other.py").as_uri()
    assert await listed(client) == []
    client.open(uri, TEXT)
    client.open(other, TEXT)
    steps = ask(find(uri, 0), find(other, 1), find(uri, 1))
    result = await client.request("socreates/review", {"scope": "workspace", "ask": steps})
    everything = await listed(client)
    assert sorted(one["id"] for one in everything) == sorted(one["id"] for one in result["findings"])
    assert [one["uri"] for one in everything] == [uri, uri, other]
    assert [one["uri"] for one in await listed(client, uri=other)] == [other]
    assert await listed(client, uri=(root / "none.py").as_uri()) == []
    assert await listed(client, status="stale") == []
    assert len(await listed(client, status="open", uri=uri)) == 2


async def test_findings_stand_where_they_stand_now(client, uri) -> None:
    client.open(uri, TEXT)
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1))})
    edit(client, uri, 2, "x()\ny()\na()\nb()\n")
    assert (await listed(client))[0]["range"]["start"]["line"] == 3
    edit(client, uri, 3, "x()\n")
    [gone] = await listed(client, status="resolved")
    assert gone["range"]["end"]["line"] <= 1
    edit(client, uri, 4, TEXT)
    assert [one["status"] for one in await listed(client)] == ["open"]


async def test_a_finding_in_a_file_that_was_deleted_is_stale_and_leaves_the_editor(client, root, uri) -> None:
    (root / "app.py").write_text(TEXT)
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1))})
    assert len(await client.diagnostics(uri)) == 1
    (root / "app.py").unlink()
    assert [one["status"] for one in await listed(client)] == ["stale"]
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    await until(lambda: client.seen(PUBLISHED)[-1] == {"uri": uri, "diagnostics": []})
    (root / "app.py").write_text(f"x()\n{TEXT}")
    [again] = await listed(client)
    assert (again["status"], again["range"]["start"]["line"]) == ("open", 2)


async def test_clear_empties_the_editor_and_counts(client, root, uri) -> None:
    other = (root / "other.py").as_uri()
    client.open(uri, TEXT)
    (root / "other.py").write_text(TEXT)
    steps = ask(find(uri, 0), find(uri, 1), find(other, 1))
    await client.request("socreates/review", {"scope": "workspace", "ask": steps})
    await client.diagnostics(other)
    assert await client.request("socreates/clear", {"uri": uri}) == {"cleared": 2}
    await until(lambda: client.seen(PUBLISHED)[-1] == {"uri": uri, "version": 1, "diagnostics": []})
    assert await client.request("socreates/clear", {"uri": uri}) == {"cleared": 0}
    assert await client.request("socreates/clear") == {"cleared": 1}
    await until(lambda: client.seen(PUBLISHED)[-1] == {"uri": other, "diagnostics": []})
    assert await listed(client) == []
    assert (
        await client.request(
            "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        )
        is None
    )


async def test_nothing_of_what_was_cleared_is_remembered(client, uri) -> None:
    client.open(uri, TEXT)
    first = await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 0))})
    await client.request("socreates/clear")
    again = await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 0))})
    assert again["findings"] == first["findings"]


async def test_clear_takes_any_spelling_of_the_uri(client, root, uri) -> None:
    client.open(uri, TEXT)
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 0))})
    assert await client.request("socreates/clear", {"uri": f"{root.as_uri()}/./%61pp.py"}) == {"cleared": 1}


async def test_status_says_who_reviews_and_why_and_where_settings_come_from(root) -> None:
    async with scripted(rootUri=root.as_uri(), initializationOptions={"review": {"maxFindings": 3}}) as client:
        status = await client.request("socreates/status")
    assert status["reviewer"]["provider"] == "examiner"
    assert status["reviewer"]["why"].endswith(".")
    assert status["settings"]["review.maxFindings"] == {"value": 3, "source": "initializationOptions"}
    assert status["settings"]["review.maxSteps"] == {"value": 10, "source": "default"}
    assert status["problems"] == []
    assert status["roots"] == [str(root)]
    assert set(status["tools"]) == {"git", "rg"}
    assert status["findings"] == {}
    assert status["running"] == 0
    assert status["positionEncoding"] == "utf-16"
    assert status["endpoint"] is None


async def test_status_counts_findings_and_running_reviews(client, uri, gate) -> None:
    wait = gate("a")
    client.open(uri, TEXT)
    _, answer = client.begin("socreates/review", {"uri": uri, "ask": ask(find(uri, 0), wait.step)})
    await wait.reached()
    status = await client.request("socreates/status")
    assert (status["findings"], status["running"]) == ({"open": 1}, 1)
    wait.open()
    await answer
