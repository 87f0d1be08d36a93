"""JSON-RPC: every request gets exactly one answer, whatever it looks like, and the server goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest


def errors(client) -> list[tuple[Any, int]]:
    return [(one["id"], one["error"]["code"]) for one in client.messages if "error" in one]


async def alive(client) -> bool:
    return (await client.request("socreates/status"))["running"] == 0


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"nonsense", b"\xff\xfe{}", b'{"jsonrpc": "2.0", "id": 1, "method": ', b"[" * 100_000, b"1" * 5000],
)
async def test_a_body_that_is_no_json_is_answered_as_such(client, body: bytes) -> None:
    client.send_raw(body)
    assert await alive(client)
    assert errors(client) == [(None, -32700 if body != b"1" * 5000 else errors(client)[0][1])]


@pytest.mark.parametrize(
    "message",
    [
        [],
        [{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}],
        1,
        "text",
        None,
        True,
        {},
        {"jsonrpc": "2.0"},
        {"jsonrpc": "2.0", "id": 71},
        {"jsonrpc": "2.0", "id": 71, "method": 7},
        {"jsonrpc": "2.0", "method": ["x"]},
        {"jsonrpc": "2.0", "id": 1.5, "method": "socreates/status"},
        {"jsonrpc": "2.0", "id": None, "method": "socreates/status"},
        {"jsonrpc": "2.0", "id": True, "method": "socreates/status"},
        {"jsonrpc": "2.0", "id": [1], "method": "socreates/status"},
        {"jsonrpc": "2.0", "id": {"a": 1}, "method": "socreates/status"},
    ],
)
async def test_a_message_that_is_none_is_an_invalid_request(client, message) -> None:
    client.send(message)
    assert await alive(client)
    assert errors(client) == [(71 if isinstance(message, dict) and message.get("id") == 71 else None, -32600)]


@pytest.mark.parametrize("msg_id", ["text", "", "0", 0, -1, 2**62, "😀", 10**30])
async def test_every_id_that_json_rpc_allows_comes_back_as_it_was(client, msg_id) -> None:
    client.send({"jsonrpc": "2.0", "id": msg_id, "method": "socreates/status"})
    await client.wait_for(lambda: [one for one in client.messages if one.get("id") == msg_id and "result" in one])


@pytest.mark.parametrize(
    "message",
    [
        {"id": 5, "result": None},
        {"id": "nothing", "result": {}},
        {"id": None, "result": 1},
        {"id": [1], "error": {"code": 1, "message": "x"}},
        {"id": 6, "error": "text"},
        {"id": 7, "error": None, "result": None},
    ],
)
async def test_an_answer_to_nothing_is_passed_over(client, message) -> None:
    client.send({"jsonrpc": "2.0", **message})
    assert await alive(client)
    assert errors(client) == []


async def test_an_answer_under_the_id_of_the_clients_own_request_does_not_disturb_it(client, gate) -> None:
    from tests.server.servers import ask

    wait = gate("a")
    msg_id, answer = client.begin("socreates/review", {"scope": "workspace", "ask": ask(wait.step)})
    await wait.reached()
    client.send({"jsonrpc": "2.0", "id": msg_id, "result": 1})
    client.send({"jsonrpc": "2.0", "id": msg_id, "error": {"code": 1, "message": "no"}})
    await client.request("socreates/status")
    client.notify("$/cancelRequest", {"id": msg_id})
    assert (await answer)["error"]["code"] == -32800


@pytest.mark.parametrize("method", ["nonsense", "socreates/nonsense", "textDocument/completion", "$/unknown", ""])
async def test_an_unknown_method_is_answered_by_name(client, method: str) -> None:
    error = (await client.answer_to(method, {}))["error"]
    assert error["code"] == -32601
    assert method in error["message"]
    client.notify(method, {})
    assert await alive(client)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", None),
        ("textDocument/hover", {}),
        ("textDocument/hover", []),
        ("textDocument/hover", {"textDocument": {"uri": "file:///a"}, "position": {"line": -1, "character": 0}}),
        ("textDocument/hover", {"textDocument": {"uri": "file:///a"}, "position": {"line": 1e999, "character": 0}}),
        ("textDocument/hover", {"textDocument": {"uri": ["a"]}, "position": {"line": "x", "character": None}}),
        ("textDocument/codeAction", {"textDocument": {"uri": "file:///a"}}),
        ("workspace/executeCommand", {}),
        ("workspace/executeCommand", {"command": "socreates/nonsense"}),
        ("workspace/executeCommand", {"command": "socreates/status", "arguments": [1, 2]}),
        ("workspace/executeCommand", {"command": "socreates/status", "arguments": ["text"]}),
        ("socreates/review", [1]),
        ("socreates/review", "text"),
        ("socreates/review", 3),
        ("socreates/review", {"uri": 1}),
        ("socreates/review", {"uri": "no uri"}),
        ("socreates/review", {"scope": "everything"}),
        ("socreates/review", {"scope": ["file"]}),
        ("socreates/review", {"scope": "file"}),
        ("socreates/review", {"scope": "selection", "uri": "file:///a"}),
        ("socreates/review", {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}}),
        ("socreates/review", {"uri": "file:///a", "range": {"start": 1, "end": 2}}),
        ("socreates/review", {"uri": "file:///a", "range": [0, 1]}),
        ("socreates/review", {"uri": "file:///a", "range": "0-1"}),
        ("socreates/review", {"uri": "file:///a", "range": {"start": {"line": 1.5, "character": 0}, "end": {}}}),
        ("socreates/review", {"wait": "no"}),
        ("socreates/review", {"wait": []}),
        ("socreates/review", {"wait": {}}),
        ("socreates/review", {"ask": {}}),
        ("socreates/review", {"base": 1}),
        ("socreates/review", {"workDoneToken": {}}),
        ("socreates/review", {"partialResultToken": 1.5}),
        ("socreates/review", {"workDoneToken": True}),
        ("socreates/findings", {"status": "lost"}),
        ("socreates/findings", {"uri": []}),
        ("socreates/clear", [None]),
        ("socreates/status", "x"),
    ],
)
async def test_params_that_do_not_fit_are_refused_in_one_sentence(client, method: str, params) -> None:
    error = (await client.answer_to(method, params))["error"]
    assert error["code"] == -32602
    assert "\n" not in error["message"]
    assert error["message"].endswith(".")
    assert set(error) == {"code", "message"}
    assert await alive(client)


@pytest.mark.parametrize("method", ["socreates/status", "socreates/findings", "socreates/clear"])
@pytest.mark.parametrize("params", [None, {}, {"later": [1], "jsonrpc": "2.0", "a-b": {"jsonrpc": 1, "0": None}}])
async def test_a_command_needs_no_params_and_passes_over_what_it_does_not_know(client, method: str, params) -> None:
    assert isinstance(await client.request(method, params), dict)
    arguments = {} if params is None else {"arguments": [params]}
    assert isinstance(await client.request("workspace/executeCommand", {"command": method, **arguments}), dict)
    assert isinstance(await client.request("workspace/executeCommand", {"command": method, "arguments": None}), dict)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/didOpen", {"textDocument": {"uri": "file:///a"}}),
        ("textDocument/didOpen", None),
        ("textDocument/didChange", {"textDocument": {"uri": "file:///a", "version": "new"}, "contentChanges": [{}]}),
        ("textDocument/didChange", {"textDocument": {"uri": "file:///a", "version": 1}, "contentChanges": 1}),
        ("textDocument/didClose", []),
        ("$/cancelRequest", {}),
        ("$/cancelRequest", {"id": [1]}),
        ("$/cancelRequest", {"id": "never seen"}),
        ("$/setTrace", {"value": "everything"}),
        ("$/progress", {"token": 1, "value": {}}),
        ("window/workDoneProgress/cancel", {"token": "never seen"}),
        ("window/workDoneProgress/cancel", {"token": {}}),
        ("workspace/didChangeConfiguration", None),
        ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "file:///a", "type": 9}]}),
        ("workspace/didChangeWorkspaceFolders", {"event": {}}),
        ("initialized", {}),
    ],
)
async def test_a_notification_that_does_not_fit_is_passed_over_in_silence(client, method: str, params) -> None:
    client.notify(method, params)
    assert await alive(client)
    assert errors(client) == []
    assert client.seen("window/showMessage") == []


async def test_what_is_nested_too_deep_is_refused_and_nothing_breaks(client) -> None:
    deep: Any = 1
    for _ in range(400):
        deep = {"a": [deep]}
    assert isinstance(await client.request("socreates/status", deep), dict)
    body = (
        b'{"jsonrpc":"2.0","id":9,"method":"socreates/status","params":'
        + b'{"a":' * 90_000
        + b"1"
        + b"}" * 90_000
        + b"}"
    )
    client.send_raw(body)
    assert await alive(client)


async def test_bytes_that_are_no_message_are_passed_over(client) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": "late", "method": "socreates/status"}).encode()
    client._write(b"Content-Type: x\r\n\r\n")
    client._write(b"Content-Length: many\r\n\r\n")
    client._write(b"content-LENGTH :  %d\r\nX: y\r\n\r\n" % len(body) + body)
    await client.wait_for(lambda: [one for one in client.messages if one.get("id") == "late"])


async def test_a_message_in_many_pieces_is_one(client) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": "slow", "method": "socreates/status", "params": {"x": "é😀"}}).encode()
    whole = b"Content-Length: %d\r\n\r\n" % len(body) + body
    for at in range(0, len(whole), 7):
        client._write(whole[at : at + 7])
    await client.wait_for(lambda: [one for one in client.messages if one.get("id") == "slow"])


async def test_a_hundred_requests_at_once_get_a_hundred_answers(client) -> None:
    answers = [client.begin("socreates/status" if n % 2 else "nonsense")[1] for n in range(100)]
    assert [("result" in await answer) for answer in answers] == [bool(n % 2) for n in range(100)]
