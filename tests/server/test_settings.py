"""Settings from every source, what wins, and what is told of what is wrong."""

from __future__ import annotations

import pytest

from tests.bare_client import NEVER, Failure
from tests.server.servers import ask, find, inside, scripted, settled, until

ASKS = {"workspace": {"configuration": True}}


async def value(client, name: str):
    """A setting in force, and where it came from."""
    found = (await client.request("socreates/status"))["settings"][name]
    return found["value"], found["source"]


def told(client) -> list[str]:
    return [one["message"] for one in client.seen("window/showMessage")]


def limit(number) -> dict:
    return {"review": {"maxFindings": number}}


# workspace/configuration


async def test_the_editors_settings_are_asked_for_by_section_and_win_over_the_options(root) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities=ASKS, initializationOptions=limit(3)) as client:
        client.answers["workspace/configuration"] = [limit(5)]
        await client.wait_for(lambda: client.seen("workspace/configuration"))
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        await until(lambda: len(client.seen("workspace/configuration")) == 2)
        await settled(client)
        assert client.seen("workspace/configuration")[0] == {"items": [{"section": "socreates"}]}
        assert await value(client, "review.maxFindings") == (5, "editor settings")


@pytest.mark.parametrize(
    "answer", [[None], [{}], [], None, {}, "text", 7, Failure(), Failure(-32601, "unknown"), NEVER]
)
async def test_whatever_is_answered_or_nothing_the_rest_stays_in_force(root, answer) -> None:
    async with scripted(capabilities=ASKS, rootUri=root.as_uri(), initializationOptions=limit(3)) as client:
        client.answers["workspace/configuration"] = answer
        client.notify("workspace/didChangeConfiguration", {"settings": {}})
        await until(lambda: len(client.seen("workspace/configuration")) == 2)
        await settled(client)
        assert await value(client, "review.maxFindings") == (3, "initializationOptions")
        assert told(client) == []


async def test_a_late_answer_counts_when_it_comes_and_does_not_undo_a_newer_one(root) -> None:
    asked: list[int] = []

    def late(_params):
        asked.append(1)
        return NEVER

    async with scripted(rootUri=root.as_uri()) as plain:
        assert plain.seen("workspace/configuration") == []
    async with scripted(rootUri=root.as_uri(), capabilities=ASKS) as client:
        client.answers["workspace/configuration"] = late
        client.notify("workspace/didChangeConfiguration", {})
        client.notify("workspace/didChangeConfiguration", {})
        await until(lambda: len(client.seen("workspace/configuration")) >= 3)
        first, second, third = (one["id"] for one in client.messages if one.get("method") == "workspace/configuration")
        client.answer(third, [limit(7)])
        client.answer(second, [limit(6)])
        await settled(client)
        assert await value(client, "review.maxFindings") == (7, "editor settings")
        client.answer(first, [limit(5)])
        await settled(client)
        assert await value(client, "review.maxFindings") == (7, "editor settings")


async def test_an_answer_that_changes_how_findings_show_shows_when_it_comes(root) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities=ASKS) as client:
        client.answers["workspace/configuration"] = NEVER
        uri = (root / "a.py").as_uri()
        client.open(uri, "a()\n")
        await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 0))})
        await settled(client)
        [asked] = [one["id"] for one in client.messages if one.get("method") == "workspace/configuration"]
        client.answer(asked, [{"diagnostics": {"question": "off"}}])
        await until(lambda: client.seen("textDocument/publishDiagnostics")[-1]["diagnostics"] == [])


async def test_nothing_waits_for_a_client_that_never_answers(root) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities=ASKS) as client:
        client.answers["workspace/configuration"] = NEVER
        uri = (root / "a.py").as_uri()
        client.open(uri, "x = 1\n")
        assert (await client.request("socreates/review", {"uri": uri}, 60))["stop"] == "answered"


async def test_it_registers_for_changes_only_where_the_client_can(root) -> None:
    dynamic = {
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    }
    async with scripted(rootUri=root.as_uri(), capabilities={"workspace": dynamic}) as client:
        await client.wait_for(lambda: client.seen("client/registerCapability"))
        [params] = client.seen("client/registerCapability")
        methods = [one["method"] for one in params["registrations"]]
        assert methods == ["workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"]
        assert params["registrations"][0]["registerOptions"] == {"section": "socreates"}
        assert params["registrations"][1]["registerOptions"]["watchers"] == [{"globPattern": "**/*"}]
    async with scripted(rootUri=root.as_uri()) as client:
        await settled(client)
        assert client.seen("client/registerCapability") == []


# didChangeConfiguration with the settings in it


@pytest.mark.parametrize(
    "settings",
    [
        {"socreates": limit(4)},
        limit(4),
        {"socreates.review.maxFindings": 4},
        {"socreates": {"review.maxFindings": 4}, "other": {"review": 1}},
    ],
)
async def test_a_client_that_sends_settings_may_send_them_in_any_form(client, settings) -> None:
    client.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert await value(client, "review.maxFindings") == (4, "editor settings")
    assert told(client) == []


async def test_a_later_change_replaces_the_earlier_one_and_null_means_default(client) -> None:
    client.notify("workspace/didChangeConfiguration", {"settings": {"socreates": limit(4)}})
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    assert await value(client, "review.maxFindings") == (4, "editor settings")
    client.notify("workspace/didChangeConfiguration", {"settings": {"socreates": limit(None)}})
    assert await value(client, "review.maxFindings") == (12, "default")


# Variables and files


async def test_a_variable_wins_over_the_editor(root, monkeypatch) -> None:
    monkeypatch.setenv("SOCREATES_REVIEW__MAX_FINDINGS", "2")
    async with scripted(rootUri=root.as_uri(), initializationOptions=limit(3)) as client:
        assert await value(client, "review.maxFindings") == (2, "variable SOCREATES_REVIEW__MAX_FINDINGS")


async def test_the_users_file_counts_and_the_editor_wins_over_it(root, monkeypatch, tmp_path) -> None:
    (tmp_path / "config.toml").write_text("[review]\nmax_findings = 8\nmax_steps = 4\n")
    monkeypatch.setenv("SOCREATES_CONFIG_DIR", str(tmp_path))
    async with scripted(rootUri=root.as_uri(), initializationOptions=limit(3)) as client:
        assert await value(client, "review.maxFindings") == (3, "initializationOptions")
        assert await value(client, "review.maxSteps") == (4, "config.toml")


async def test_the_workspace_tightens_and_cannot_loosen(root) -> None:
    toml = '[limits]\nreview_seconds = 5\nday_tokens = 99999999999\n[model]\nbase_url = "https://evil.example.org"\n'
    (root / "socreates.toml").write_text(toml)
    async with scripted(rootUri=root.as_uri()) as client:
        assert await value(client, "limits.reviewSeconds") == (5, "socreates.toml of the workspace")
        assert (await value(client, "limits.dayTokens"))[1] == "default"
        assert (await value(client, "model.baseUrl"))[0] is None
        [message] = told(client)
        assert "limits.dayTokens" in message
        assert "model.baseUrl" in message
        assert (await client.request("socreates/status"))["problems"]


async def test_every_root_of_the_workspace_tightens(root, tmp_path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (root / "socreates.toml").write_text("[limits]\nreview_seconds = 50\n")
    (other / "socreates.toml").write_text("[limits]\nreview_seconds = 5\n")
    folders = [{"uri": root.as_uri(), "name": "a"}, {"uri": other.as_uri(), "name": "b"}]
    async with scripted(workspaceFolders=folders) as client:
        assert (await value(client, "limits.reviewSeconds"))[0] == 5
        event = {"removed": [folders[1]], "added": []}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        assert (await value(client, "limits.reviewSeconds"))[0] == 50


@pytest.mark.parametrize("how", ["saved", "watched", "folder"])
async def test_a_change_of_the_workspaces_file_is_taken_up_and_its_faults_are_told(client, root, how) -> None:
    (root / "socreates.toml").write_text("[limits]\nreview_seconds = 5\nnonsense = 1\n")
    uri = (root / "socreates.toml").as_uri()
    match how:
        case "saved":
            client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        case "watched":
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 1}]})
        case _:
            client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}})
    assert (await value(client, "limits.reviewSeconds"))[0] == 5
    assert "nonsense" in told(client)[0]


async def test_a_workspace_that_is_not_trusted_has_no_say(root) -> None:
    (root / "socreates.toml").write_text("[limits]\nreview_seconds = 5\n")
    async with scripted(rootUri=root.as_uri(), initializationOptions={"trusted": False}) as client:
        assert (await value(client, "limits.reviewSeconds"))[1] == "default"


# What is wrong is told by name, once


async def test_a_wrong_key_and_a_wrong_type_are_told_by_name_and_the_rest_holds(root) -> None:
    options = {"review": {"maxFindings": 3, "maxSteps": "many", "maxFinding": 2}, "colour": "red"}
    async with scripted(rootUri=root.as_uri(), initializationOptions=options) as client:
        [message] = told(client)
        for name in ("review.maxSteps", "review.maxFinding", "colour"):
            assert name in message
        assert message.startswith("socreates: ")
        assert await value(client, "review.maxFindings") == (3, "initializationOptions")
        assert await value(client, "review.maxSteps") == (10, "default")
        assert len((await client.request("socreates/status"))["problems"]) == 3


@pytest.mark.parametrize("options", [1, "text", [1, 2], True, {"review": 1}, {"review": [1]}, {"socreates": [1]}])
async def test_options_of_no_form_are_told_and_the_server_lives(root, options) -> None:
    async with scripted(rootUri=root.as_uri(), initializationOptions=options) as client:
        assert await value(client, "review.maxFindings") == (12, "default")
        assert len(told(client)) == 1


async def test_what_was_told_once_is_not_told_again(root) -> None:
    async with scripted(rootUri=root.as_uri(), initializationOptions={"colour": "red"}) as client:
        for number in range(3):
            settings = {"socreates": {"review": {f"wrong{number % 2}": 1}}}
            client.notify("workspace/didChangeConfiguration", {"settings": settings})
        await settled(client)
        assert [message.count("colour") for message in told(client)] == [1, 0, 0]
        assert ["wrong" in message for message in told(client)] == [False, True, True]


async def test_a_value_is_never_shown_with_an_unknown_name(root) -> None:
    async with scripted(rootUri=root.as_uri(), initializationOptions={"model": {"apiKey": "sk-secret"}}) as client:
        assert "model.apiKey" in told(client)[0]
        assert "sk-secret" not in str(client.messages)


async def test_a_review_that_comes_at_once_waits_for_the_settings_of_the_client(root) -> None:
    path = root / "app.py"
    path.write_text("import requests\n\n\ndef f(u):\n    return requests.get(u)\n")
    async with inside() as client:
        client.answers["workspace/configuration"] = [{"review": {"minConfidence": 1.0}}]
        await client.initialize(rootUri=root.as_uri(), capabilities={"workspace": {"configuration": True}})
        result = await client.request("socreates/review", {"uri": path.as_uri()})
        assert result["findings"] == []


async def test_a_client_that_never_answers_about_settings_is_waited_for_once(root) -> None:
    path = root / "app.py"
    path.write_text("import requests\n\n\ndef f(u):\n    return requests.get(u)\n")
    async with inside() as client:
        client.answers["workspace/configuration"] = NEVER
        await client.initialize(rootUri=root.as_uri(), capabilities={"workspace": {"configuration": True}})
        for _ in range(2):
            assert (await client.request("socreates/review", {"uri": path.as_uri()}))["findings"]


# Live: a change counts for the next review, without a restart


@pytest.mark.parametrize("wrong", [None, {}, [], "yes", 7, {"deep": 1}])
@pytest.mark.parametrize(
    ("name", "right", "default"),
    [
        ("review.leads", False, True),
        ("review.verify", False, True),
        ("review.reveal", "ladder", "all"),
        ("review.recheckOnSave", "off", "rules"),
        ("model.parallel", 3, None),
        ("diagnostics.question", "hint", "information"),
        ("diagnostics.warning", "off", "warning"),
    ],
)
async def test_a_right_value_counts_and_a_wrong_one_leaves_the_default(client, name, right, default, wrong) -> None:
    section, key = name.split(".")
    client.notify("workspace/didChangeConfiguration", {"settings": {"socreates": {section: {key: right}}}})
    assert await value(client, name) == (right, "editor settings")
    client.notify("workspace/didChangeConfiguration", {"settings": {"socreates": {section: {key: wrong}}}})
    expected = 7 if (name, wrong) == ("model.parallel", 7) else default
    assert (await value(client, name))[0] == expected
    assert [name in message for message in told(client)] == ([] if wrong is None or expected == wrong else [True])


async def test_leads_and_the_second_look_are_switched_for_the_next_review(root) -> None:
    from tests.server.talking import QUESTION, app_py, talking

    uri = app_py(root)
    async with talking(root, QUESTION, QUESTION, QUESTION) as (client, model):
        client.open(uri, "import requests\n\n\ndef load(path):\n    return open(path).read()\n")
        await client.request("socreates/review", {"uri": uri})
        assert len(model.chats) == 1
        review = {"review": {"verify": True, "leads": False}}
        client.notify("workspace/didChangeConfiguration", {"settings": {"socreates": review}})
        await client.request("socreates/review", {"uri": uri})
        assert len(model.chats) == 3
