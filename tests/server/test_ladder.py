"""``review.reveal: ladder`` from outside: only the question, then rung by rung, by the code action."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest

from tests.server.servers import ask, find, scripted, settled

TEXT = "a()\nb(\n    c,\n)\na\nd()\n"
LADDER = {"review": {"reveal": "ladder"}}
ACTIONS = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}}


@pytest.fixture
def uri(root) -> str:
    return (root / "app.py").as_uri()


async def hover(client, uri: str, line: int = 0) -> list[str]:
    params = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 0}}
    return (await client.request("textDocument/hover", params))["contents"]["value"].split("\n")


async def actions(client, uri: str) -> list[dict]:
    place = {"line": 0, "character": 0}
    params = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
    return [one for one in await client.request("textDocument/codeAction", params) if one["kind"] == "quickfix"]


@asynccontextmanager
async def climbing(root, uri: str, **rest):
    related = {"textDocument": {**ACTIONS["textDocument"], "publishDiagnostics": {"relatedInformation": True}}}
    async with scripted(rootUri=root.as_uri(), capabilities=related, initializationOptions=LADDER) as client:
        client.open(uri, TEXT)
        await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 0, rule="py-x", **rest))})
        yield client


async def test_each_tell_me_more_opens_one_rung(root, uri) -> None:
    places = [{"uri": uri, "line": 5, "message": "its twin"}]
    origin = "Question on correctness, asked by the examiner."
    narrower = "For which input would `a` not do what is meant?"
    async with climbing(root, uri, related=places) as client:
        told = [await hover(client, uri)]
        steps = []
        while offered := [one for one in await actions(client, uri) if one["command"]["command"] == "socreates/more"]:
            run = offered[0]["command"]
            answer = await client.request("workspace/executeCommand", run)
            steps.append((answer["step"], answer["more"]))
            told.append(await hover(client, uri))
        assert told == [
            ["What if it fails?", origin],
            ["What if it fails?", narrower, origin],
            ["What if it fails?", narrower, "app.py:6: its twin", origin],
            ["What if it fails?", narrower, "app.py:6: its twin", "It can.", origin[:-1] + ", rule py-x."],
        ]
        assert steps == [("narrower", True), ("elsewhere", True), ("why", False)]
        assert (await client.request("socreates/more", run["arguments"][0]))["step"] is None


async def test_the_editor_is_told_of_related_places_when_they_are_open(root, uri) -> None:
    async with climbing(root, uri, related=[{"uri": uri, "line": 5, "message": "its twin"}]) as client:
        [shown] = await client.diagnostics(uri)
        assert "relatedInformation" not in shown
        for _ in range(2):
            await client.request("socreates/more", {"id": shown["data"]["id"]})
        await settled(client)
        [shown] = await client.diagnostics(uri)
        assert shown["relatedInformation"][0]["message"] == "its twin"


async def test_a_rung_stays_open_through_edits_and_a_second_review(root, uri) -> None:
    async with climbing(root, uri) as client:
        [shown] = await client.diagnostics(uri)
        await client.request("socreates/more", {"id": shown["data"]["id"]})
        place = {"line": 0, "character": 0}
        edit = [{"range": {"start": place, "end": place}, "text": "\n"}]
        client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": edit})
        await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1, rule="py-x"))})
        assert len(await hover(client, uri, 1)) == 3


async def test_with_all_there_is_nothing_more_and_a_change_of_the_setting_counts_at_once(root, uri) -> None:
    async with climbing(root, uri) as client:
        assert "It can." not in await hover(client, uri)
        client.notify("workspace/didChangeConfiguration", {"settings": {"review": {"reveal": "all"}}})
        assert "It can." in await hover(client, uri)
        assert "socreates/more" not in [one["command"]["command"] for one in await actions(client, uri)]


async def test_more_of_nothing_is_refused(client) -> None:
    assert (await client.answer_to("socreates/more", {"id": "none"}))["error"]["code"] == -32602
    assert (await client.answer_to("socreates/more", {}))["error"]["code"] == -32602


async def test_a_client_with_a_view_of_its_own_is_told_what_is_open(root, uri) -> None:
    places = [{"uri": uri, "line": 5, "message": "its twin"}]
    ours = {"experimental": {"socreates": {"findings": True}}}
    async with scripted(rootUri=root.as_uri(), capabilities=ours, initializationOptions=LADDER) as client:
        client.open(uri, TEXT)
        await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 0, rule="py-x", related=places))})

        def told() -> dict:
            [told] = client.seen("socreates/didChangeFindings")[-1]["told"].values()
            return told

        await client.wait_for(lambda: client.seen("socreates/didChangeFindings"))
        assert told() == {"before": [], "places": [], "after": [], "named": False, "more": True}
        [finding] = client.seen("socreates/didChangeFindings")[-1]["findings"]
        for rung in ("narrower", "elsewhere", "why"):
            assert (await client.request("socreates/more", {"id": finding["id"]}))["step"] == rung
        await client.wait_for(lambda: not told()["more"])
        assert [one["message"] for one in told()["places"]] == ["its twin"]
        assert (told()["after"], told()["named"]) == (["It can."], True)
