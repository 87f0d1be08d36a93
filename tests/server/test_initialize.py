"""What the server says of itself, to which client, and what happens before that and after the end."""

from __future__ import annotations

import pytest

from tests.server.servers import inside, scripted

NAMES = (
    *("review", "ask", "preview", "findings", "reply", "dismiss", "restore", "more", "clear", "survey"),
    *("reset", "status", "memory", "tools", "state"),
)
COMMANDS = [f"socreates/{name}" for name in NAMES]
LITERALS = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}}}}


async def test_it_announces_what_it_serves_and_nothing_else() -> None:
    async with scripted(capabilities=LITERALS) as client:
        answer = client.initialized
    assert answer["serverInfo"]["name"] == "socreates-lsp"
    assert answer["capabilities"] == {
        "positionEncoding": "utf-16",
        "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
        "hoverProvider": True,
        "codeActionProvider": {"codeActionKinds": ["quickfix", "socreates"]},
        "executeCommandProvider": {"commands": COMMANDS, "workDoneProgress": True},
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": {
                name: {"filters": [{"pattern": {"glob": "**/*"}, "scheme": "file"}]}
                for name in ("didRename", "didDelete")
            },
        },
    }


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (None, "utf-16"),
        ([], "utf-16"),
        (["utf-8", "utf-16", "utf-32"], "utf-8"),
        (["utf-16", "utf-8"], "utf-16"),
        (["utf-32"], "utf-32"),
        (["utf-7", "utf-32"], "utf-32"),
        (["ucs-2"], "utf-16"),
    ],
)
async def test_the_encoding_is_the_first_that_client_and_server_know(offered: list[str] | None, chosen: str) -> None:
    general = {} if offered is None else {"general": {"positionEncodings": offered}}
    async with scripted(capabilities=general) as client:
        assert client.initialized["capabilities"]["positionEncoding"] == chosen
        assert (await client.request("socreates/status"))["positionEncoding"] == chosen


async def test_pull_is_announced_only_to_a_client_that_pulls_and_takes_no_pushes() -> None:
    pull = {"diagnostic": {"dynamicRegistration": False}}
    async with scripted(capabilities={"textDocument": {**pull, "publishDiagnostics": {}}}) as client:
        assert "diagnosticProvider" not in client.initialized["capabilities"]
    async with scripted(capabilities={"textDocument": pull}) as client:
        provider = client.initialized["capabilities"]["diagnosticProvider"]
        assert provider == {"identifier": "socreates", "interFileDependencies": False, "workspaceDiagnostics": False}


STRANGE = [
    {"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["made.up", 7]}}}}},
    {"textDocument": {"completion": {"completionItemKind": {"valueSet": [1, 99]}}}},
    {"textDocument": {"hover": {"contentFormat": ["html", "plaintext"]}}},
    {"textDocument": {"publishDiagnostics": {"tagSupport": {"valueSet": [9]}}}},
    {"workspace": {"symbol": {"symbolKind": {"valueSet": [1, 27, 28]}}}},
    {"workspace": {"workspaceEdit": {"failureHandling": "hope", "resourceOperations": ["copy"]}}},
    {"workspace": {"configuration": None}, "window": None, "general": None, "experimental": None},
    {"general": {"positionEncodings": ["utf-9"]}, "experimental": {"socreates": {"findings": "yes"}}},
    {"experimental": [1, 2], "notebookDocument": {"synchronization": {"future": {}}}, "future": {"x": []}},
    None,
    [],
    "all",
]


@pytest.mark.parametrize("capabilities", STRANGE)
async def test_a_client_of_another_age_is_served_whatever_it_announces(capabilities) -> None:
    async with scripted(capabilities=capabilities) as client:
        assert client.initialized["capabilities"]["hoverProvider"] is True


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"capabilities": {}, "processId": None, "rootUri": None, "workspaceFolders": None, "trace": "verbose"},
        {"capabilities": {}, "workspaceFolders": [], "rootPath": None, "locale": "de", "clientInfo": {"name": "x"}},
        {"capabilities": {}, "trace": "everything", "processId": 2**40, "initializationOptions": [1]},
        {"capabilities": {}, "clientInfo": {"name": "x", "version": None}, "workDoneToken": 1},
        {"processId": "me", "rootUri": 1, "rootPath": [], "workspaceFolders": [{}, None, 1], "clientInfo": "x"},
    ],
)
async def test_initialize_takes_every_form_that_clients_send(params) -> None:
    async with inside() as client:
        assert "capabilities" in await client.request("initialize", params)
        client.notify("initialized")
        assert (await client.request("socreates/status"))["running"] == 0


async def test_nothing_is_answered_before_initialize() -> None:
    async with inside() as client:
        client.notify("textDocument/didOpen", {})
        client.notify("$/cancelRequest", {"id": 1})
        for method in ("textDocument/hover", "socreates/review", "shutdown"):
            assert (await client.answer_to(method, {}))["error"]["code"] == -32002
        assert (await client.answer_to("initialize", {"capabilities": {}}))["result"]


async def test_a_second_initialize_is_refused_and_changes_nothing(client) -> None:
    error = (await client.answer_to("initialize", {"capabilities": {}}))["error"]
    assert error["code"] == -32600
    assert await client.request("socreates/status")


async def test_an_initialize_that_fails_can_be_repeated() -> None:
    async with inside() as client:
        assert (await client.answer_to("initialize", ["processId", "capabilities"]))["error"]["code"] == -32602
        assert await client.request("initialize", {"processId": None, "capabilities": {}})


async def test_after_shutdown_every_request_is_refused_and_exit_ends_with_0() -> None:
    async with inside() as client:
        await client.initialize()
        answer = await client.answer_to("shutdown")
        assert answer["result"] is None
        assert "result" in answer
        client.notify(
            "textDocument/didOpen", {"textDocument": {"uri": "a:b", "languageId": "", "version": 1, "text": ""}}
        )
        for method in ("textDocument/hover", "socreates/review", "shutdown", "initialize"):
            assert (await client.answer_to(method, {}))["error"]["code"] == -32600
        client.notify("exit")
        assert await client.served == 0


@pytest.mark.parametrize("params", [None, {}, [], "anything"])
async def test_shutdown_takes_whatever_params_a_client_sends_with_it(params) -> None:
    async with inside() as client:
        await client.initialize()
        assert await client.request("shutdown", params) is None


async def test_exit_without_shutdown_ends_with_1() -> None:
    async with inside() as client:
        await client.initialize()
        client.notify("exit")
        assert await client.served == 1


async def test_exit_before_initialize_ends_with_1() -> None:
    async with inside() as client:
        client.notify("exit")
        assert await client.served == 1
