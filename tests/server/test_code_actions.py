"""``Ask Socreates``: when it is offered, to whom, and what it runs. Never an edit."""

from __future__ import annotations

import pytest

from tests.server.servers import scripted

LITERALS = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "x"]}}}}}
TEXT = "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"
INVOKED, AUTOMATIC = 1, 2


def span(line: int, column: int, end_line: int, end_column: int) -> dict:
    return {"start": {"line": line, "character": column}, "end": {"line": end_line, "character": end_column}}


SELECTION, CARET = span(3, 0, 5, 0), span(4, 4, 4, 4)


async def actions(client, uri: str, where: dict, **context) -> list[dict]:
    params = {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": [], **context}}
    return await client.request("textDocument/codeAction", params)


@pytest.fixture
def uri(root) -> str:
    return (root / "app.py").as_uri()


@pytest.fixture
async def editor(root, uri):
    async with scripted(rootUri=root.as_uri(), capabilities=LITERALS) as client:
        client.open(uri, TEXT)
        yield client


async def test_on_a_selection_it_asks_about_the_selection(editor, uri) -> None:
    [action] = await actions(editor, uri, SELECTION)
    assert (action["title"], action["kind"]) == ("Ask Socreates", "socreates")
    assert action["command"]["command"] == "socreates/review"
    assert action["command"]["arguments"] == [{"uri": uri, "range": SELECTION, "scope": "selection", "wait": False}]
    assert set(action) == {"title", "kind", "command"}


async def test_without_a_selection_it_asks_about_the_file(editor, uri) -> None:
    [action] = await actions(editor, uri, CARET, triggerKind=INVOKED)
    assert action["command"]["arguments"][0]["scope"] == "file"
    assert action["command"]["arguments"][0]["wait"] is False


@pytest.mark.parametrize(
    ("where", "trigger", "offered"),
    [
        (SELECTION, None, True),
        (SELECTION, INVOKED, True),
        (SELECTION, AUTOMATIC, True),
        (CARET, None, True),
        (CARET, INVOKED, True),
        (CARET, AUTOMATIC, False),
    ],
)
async def test_no_light_bulb_follows_the_caret_around(editor, uri, where, trigger, offered) -> None:
    context = {} if trigger is None else {"triggerKind": trigger}
    assert bool(await actions(editor, uri, where, **context)) == offered


@pytest.mark.parametrize(
    ("only", "offered"),
    [
        (None, True),
        ([""], True),
        (["socreates"], True),
        (["quickfix", "socreates"], True),
        (["quickfix"], False),
        (["refactor.extract"], False),
        (["socreates.ask"], False),
        (["soc"], False),
        (["socreatesque"], False),
        (["source"], False),
        (["source.fixAll"], False),
        (["source.organizeImports", "source.fixAll.ruff"], False),
        ([], False),
    ],
)
async def test_only_matches_by_prefix_and_saving_asks_nothing(editor, uri, only, offered) -> None:
    assert bool(await actions(editor, uri, SELECTION, only=only)) == offered


async def test_a_client_that_knows_commands_only_gets_a_command(root, uri) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(uri, TEXT)
        [command] = await actions(client, uri, SELECTION)
    assert command["command"] == "socreates/review"
    assert command["title"] == "Ask Socreates"
    assert command["arguments"][0]["scope"] == "selection"


async def test_it_is_offered_in_a_document_that_was_never_opened_or_is_unsaved(editor) -> None:
    assert await actions(editor, "file:///nowhere/x.py", SELECTION)
    editor.open("untitled:Untitled-1", TEXT)
    [action] = await actions(editor, "untitled:Untitled-1", CARET)
    assert action["command"]["arguments"][0]["uri"] == "untitled:Untitled-1"


async def test_the_uri_comes_back_as_the_client_spells_it(editor) -> None:
    spelled = "file:///c%3A/Work/%61pp.py"
    [action] = await actions(editor, spelled, SELECTION)
    assert action["command"]["arguments"][0]["uri"] == spelled


async def test_diagnostics_of_others_in_the_context_change_nothing(editor, uri) -> None:
    foreign = [{"range": CARET, "message": "unused", "source": "ruff", "code": 7, "data": {"fix": {"edit": 1}}}]
    assert len(await actions(editor, uri, CARET, diagnostics=foreign)) == 1


async def test_the_action_runs_as_the_client_sends_it_back(editor, uri) -> None:
    [action] = await actions(editor, uri, SELECTION)
    started = await editor.request("workspace/executeCommand", {**action["command"], "workDoneToken": "token"})
    assert started == {"started": True}
    [question] = await editor.diagnostics(uri, version=1, seconds=60)
    assert question["range"] == span(4, 4, 4, 28)
    await editor.wait_for(lambda: [one for one in editor.seen("$/progress") if one["value"]["kind"] == "end"])
