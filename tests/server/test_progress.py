"""Progress: whose token is used, when it begins, and that every begin has its end."""

from __future__ import annotations

import pytest

from tests.bare_client import NEVER, Failure
from tests.server.servers import ask, find, read, scripted, settled, until

TEXT = "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"
WINDOW = {"window": {"workDoneProgress": True}}


@pytest.fixture
def uri(root) -> str:
    return (root / "app.py").as_uri()


def values(client, token=None) -> list[dict]:
    return [one["value"] for one in client.seen("$/progress") if token is None or one["token"] == token]


@pytest.mark.parametrize("token", [1, 0, "a token", ""])
@pytest.mark.parametrize("capabilities", [{}, WINDOW])
async def test_a_token_of_the_client_is_always_used(root, uri, token, capabilities) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities=capabilities) as client:
        client.open(uri, TEXT)
        steps = ask(read(uri, 0, 4), find(uri, 4))
        await client.request("socreates/review", {"uri": uri, "workDoneToken": token, "ask": steps})
        begin, report, end = values(client, token)
        assert client.seen("window/workDoneProgress/create") == []
        assert len(client.seen("$/progress")) == 3
    assert begin == {"kind": "begin", "title": "Socreates reads app.py", "cancellable": True}
    assert (report["kind"], report["message"]) == ("report", "reading app.py")
    assert end == {"kind": "end", "message": "1 question"}


async def test_the_token_of_a_command_is_used_too(client, uri) -> None:
    client.open(uri, TEXT)
    arguments = [{"uri": uri, "ask": ask()}]
    params = {"command": "socreates/review", "arguments": arguments, "workDoneToken": "mine"}
    await client.request("workspace/executeCommand", params)
    assert [one["kind"] for one in values(client, "mine")] == ["begin", "end"]


async def test_without_a_token_one_is_made_and_begun_once_it_is_accepted(root, uri, gate) -> None:
    wait = gate("a")
    async with scripted(rootUri=root.as_uri(), capabilities=WINDOW) as client:
        client.answers["window/workDoneProgress/create"] = NEVER
        client.open(uri, TEXT)
        _, answer = client.begin("socreates/review", {"uri": uri, "ask": ask(wait.step, read(uri, 0, 4))})
        await wait.reached()
        await client.wait_for(lambda: client.seen("window/workDoneProgress/create"))
        assert values(client) == []
        [create] = [one for one in client.messages if one.get("method") == "window/workDoneProgress/create"]
        client.answer(create["id"], None)
        await client.wait_for(lambda: values(client))
        wait.open()
        await answer
        assert isinstance(create["params"]["token"], str)
        assert [one["kind"] for one in values(client, create["params"]["token"])] == ["begin", "report", "end"]


@pytest.mark.parametrize("refusal", [Failure(), NEVER])
async def test_a_token_that_is_refused_or_never_accepted_is_never_used(root, uri, refusal) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities=WINDOW) as client:
        client.answers["window/workDoneProgress/create"] = refusal
        client.open(uri, TEXT)
        result = await client.request("socreates/review", {"uri": uri, "ask": ask(read(uri, 0, 4), find(uri, 4))})
        assert len(result["findings"]) == 1
        await settled(client)
        assert len(client.seen("window/workDoneProgress/create")) == 1
        assert values(client) == []


async def test_a_token_accepted_after_the_end_is_never_begun(root, uri) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities=WINDOW) as client:
        client.answers["window/workDoneProgress/create"] = NEVER
        client.open(uri, TEXT)
        await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 4))})
        [create] = [one for one in client.messages if one.get("method") == "window/workDoneProgress/create"]
        client.answer(create["id"], None)
        await settled(client)
        assert values(client) == []


async def test_a_client_without_progress_gets_none(client, uri) -> None:
    client.open(uri, TEXT)
    await client.request("socreates/review", {"uri": uri, "ask": ask(read(uri, 0, 4), find(uri, 4))})
    assert client.seen("window/workDoneProgress/create") == []
    assert client.seen("$/progress") == []


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([{"fail": "The lamp went out."}], "The lamp went out."),
        ([], "No questions: the script read it"),
    ],
)
async def test_every_begin_has_its_end_however_a_review_ends(client, uri, steps, message) -> None:
    client.open(uri, TEXT)
    await client.answer_to("socreates/review", {"uri": uri, "workDoneToken": 1, "ask": ask(*steps)})
    assert values(client, 1)[-1] == {"kind": "end", "message": message}


@pytest.mark.usefixtures("errors_are_meant")
async def test_a_begin_has_its_end_after_a_fault_of_our_own(client, uri) -> None:
    client.open(uri, TEXT)
    await client.answer_to("socreates/review", {"uri": uri, "workDoneToken": 1, "ask": ask({"crash": "secret"})})
    assert values(client, 1)[-1] == {"kind": "end", "message": "Stopped."}


async def test_the_end_says_what_was_found_or_what_was_read_in_vain(client, uri) -> None:
    client.open(uri, TEXT)
    kinds = ({"kind": "warning"}, {"kind": "question"}, {"kind": "question"})
    steps = ask(*(find(uri, line, **kind) for line, kind in zip((0, 3, 4), kinds, strict=True)))
    await client.request("socreates/review", {"uri": uri, "workDoneToken": 1, "ask": steps})
    assert values(client, 1)[-1]["message"] == "2 questions and 1 warning"
    client.open(uri, "x = 1\n" * 42, version=2)
    result = await client.request("socreates/review", {"uri": uri, "workDoneToken": 2}, 60)
    assert values(client, 2)[-1]["message"] == f"No questions: 42 lines, {result['examined'][0]['rules']} rules"


async def test_many_files_show_how_far_it_is(client, root) -> None:
    for number in range(4):
        (root / f"f{number}.py").write_text("x = 1\n")
    await client.request("socreates/review", {"scope": "workspace", "workDoneToken": "w"}, 60)
    begin, *reports, end = values(client, "w")
    assert begin["title"] == "Socreates reads the workspace"
    assert reports[0]["message"].startswith("reading f")
    percentages = [one["percentage"] for one in reports]
    assert percentages == sorted(percentages)
    assert all(0 < one <= 100 for one in percentages)
    assert end["message"].startswith("No questions: 4 files, 4 lines, ")


async def test_an_unanswered_create_does_not_hold_the_end_of_the_server(root, uri) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities=WINDOW) as client:
        client.answers["window/workDoneProgress/create"] = NEVER
        client.open(uri, TEXT)
        await client.request("socreates/review", {"uri": uri, "wait": False, "ask": ask(find(uri, 4))})
        await until(lambda: client.seen("window/workDoneProgress/create"))
        assert await client.request("shutdown") is None
