"""What can be done about a finding from its diagnostic: which findings are meant, and what the action runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.server.servers import ask, find, scripted, settled
from tests.server.test_code_actions import LITERALS, actions, span

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.bare_client import BareClient

TEXT = "import os\n\n\ndef load(path):\n    return open(path).read()\n\n\ndef save(path):\n    os.remove(path)\n"
LOAD, SAVE = 4, 8
LONG = "Who closes what open opens\nin load when read raises and nobody is there?"
CARET = span(LOAD, 6, LOAD, 6)
AUTOMATIC = 2


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))


@pytest.fixture
def uri(root: Path) -> str:
    return (root / "app.py").as_uri()


@pytest.fixture
async def editor(root: Path, uri: str) -> AsyncIterator[BareClient]:
    """An editor with three findings, two of them on one line."""
    async with scripted(rootUri=root.as_uri(), capabilities=LITERALS) as client:
        client.open(uri, TEXT)
        steps = [
            find(uri, LOAD, message=LONG),
            find(uri, LOAD, category="security", message="Whose path is it?"),
            find(uri, SAVE, message="What if it is gone?"),
        ]
        await client.request("socreates/review", {"uri": uri, "ask": ask(*steps)})
        yield client


async def fixes(
    client: BareClient, uri: str, where: dict[str, Any], *, to: str = "dismiss", **context: Any
) -> list[dict[str, Any]]:
    """The quick fixes of one command."""
    found = [one for one in await actions(client, uri, where, **context) if one.get("kind") == "quickfix"]
    return [one for one in found if one["command"]["command"] == f"socreates/{to}"]


async def diagnostic(client: BareClient, uri: str, message: str) -> dict[str, Any]:
    return next(one for one in await client.diagnostics(uri) if one["message"] == message)


async def test_a_diagnostic_of_ours_can_be_dismissed(editor: BareClient, uri: str) -> None:
    shown = await diagnostic(editor, uri, "What if it is gone?")
    (action,) = await fixes(editor, uri, span(SAVE, 4, SAVE, 4), diagnostics=[shown], triggerKind=AUTOMATIC)
    assert action == {
        "title": "Socreates: dismiss",
        "kind": "quickfix",
        "diagnostics": [shown],
        "command": {
            "title": "Socreates: dismiss",
            "command": "socreates/dismiss",
            "arguments": [{"id": shown["data"]["id"]}],
        },
    }
    answer = await editor.request(
        "workspace/executeCommand", {key: action["command"][key] for key in ("command", "arguments")}
    )
    assert answer["finding"]["status"] == "dismissed"
    await settled(editor)
    assert len(await editor.diagnostics(uri)) == 2
    assert await fixes(editor, uri, span(SAVE, 4, SAVE, 4), diagnostics=[shown]) == []


async def test_the_ids_tell_which_of_several_on_a_line_is_meant(editor: BareClient, uri: str) -> None:
    shown = await diagnostic(editor, uri, "Whose path is it?")
    other = {"range": shown["range"], "message": "unused", "source": "lint", "data": {"id": "x"}}
    (action,) = await fixes(editor, uri, CARET, diagnostics=[other, shown])
    assert action["diagnostics"] == [shown]
    assert action["command"]["arguments"] == [{"id": shown["data"]["id"]}]


@pytest.mark.parametrize("where", [CARET, span(LOAD, 0, LOAD + 1, 0), span(3, 0, LOAD, 2)])
async def test_without_ids_the_lines_tell_and_titles_end_in_the_question(
    editor: BareClient, uri: str, where: dict[str, Any]
) -> None:
    shown = [{key: value for key, value in one.items() if key != "data"} for one in await editor.diagnostics(uri)]
    given = [one for one in shown if one["range"]["start"]["line"] == LOAD]
    found = await fixes(editor, uri, where, diagnostics=given)
    assert sorted(action["title"] for action in found) == [
        "Socreates: dismiss: Who closes what open opens in load when ",
        "Socreates: dismiss: Whose path is it?",
    ]
    assert {action["diagnostics"][0]["message"] for action in found} == {LONG, "Whose path is it?"}
    assert all(len(action["diagnostics"]) == 1 for action in found)
    assert len(await fixes(editor, uri, where)) == 2
    assert "diagnostics" not in (await fixes(editor, uri, where))[0]


async def test_elsewhere_there_is_nothing_to_do(editor: BareClient, uri: str) -> None:
    assert await fixes(editor, uri, span(0, 0, 0, 0)) == []
    assert await fixes(editor, uri, span(0, 0, LOAD, 0)) == []
    assert await fixes(editor, (uri + "x"), CARET) == []


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (["quickfix"], {"quickfix"}),
        ([""], {"quickfix", "socreates"}),
        (["socreates"], {"socreates"}),
        (["quickfix.all"], set()),
        (["refactor", "source.fixAll"], set()),
        (["refactor", "quickfix"], {"quickfix"}),
    ],
)
async def test_only_what_is_asked_for_is_offered(
    editor: BareClient, uri: str, only: list[str], kinds: set[str]
) -> None:
    assert {one["kind"] for one in await actions(editor, uri, CARET, only=only)} == kinds


async def test_a_client_without_literals_gets_commands(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(uri, TEXT)
        await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, LOAD))})
        found = await actions(client, uri, CARET)
        assert [one["command"] for one in found] == [*["socreates/reply"] * 3, "socreates/dismiss", "socreates/review"]


async def test_the_common_replies_need_no_typing(editor: BareClient, uri: str) -> None:
    shown = await diagnostic(editor, uri, "What if it is gone?")
    offered = await fixes(editor, uri, span(SAVE, 4, SAVE, 4), to="reply", diagnostics=[shown])
    assert {one["title"]: one["command"]["arguments"][0]["text"] for one in offered} == {
        "Socreates: it is intended": "It is intended.",
        "Socreates: I changed it, look again": "I changed it, look again.",
        "Socreates: tell me more": "Tell me more.",
    }
    assert all(one["command"]["arguments"][0]["wait"] is False for one in offered)
    for action, status in ((offered[2], "open"), (offered[0], "answered")):
        command = {key: action["command"][key] for key in ("command", "arguments")}
        assert await editor.request("workspace/executeCommand", command) == {"started": True}
        await settled(editor)
        (now,) = [one for one in await listed(editor) if one["id"] == shown["data"]["id"]]
        assert now["status"] == status
    assert await fixes(editor, uri, span(SAVE, 4, SAVE, 4), to="reply") == []
    assert [reply["author"] for reply in now["thread"]] == ["user", "examiner", "user"]


async def listed(client: BareClient) -> list[dict[str, Any]]:
    return (await client.request("socreates/findings"))["findings"]


async def test_a_stale_finding_can_be_dismissed_too(editor: BareClient, uri: str) -> None:
    change = {"range": span(SAVE, 0, SAVE, 19), "text": "    pass"}
    editor.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]})
    shown = await editor.wait_for(
        lambda: [
            one for one in editor.seen("textDocument/publishDiagnostics")[-1]["diagnostics"] if one["severity"] == 4
        ]
    )
    bare = {key: value for key, value in shown[0].items() if key != "data"}
    (action,) = await fixes(editor, uri, span(SAVE, 4, SAVE, 4), diagnostics=[bare])
    assert action["diagnostics"] == [bare]


async def test_the_kinds_are_announced(root: Path) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities=LITERALS) as client:
        provider = client.initialized["capabilities"]["codeActionProvider"]  # type: ignore[attr-defined]
        assert provider["codeActionKinds"] == ["quickfix", "socreates"]
