"""Thousands of messages of which hardly one is right: each request gets exactly one answer, the server lives, and its
memory does not grow. ``FUZZ=10000`` sends so many, by hand; the seeds are the same."""

from __future__ import annotations

import asyncio
import copy
import gc
import json
import os
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.bare_client import NEVER, serving
from tests.server.servers import SCRIPTED, ask, find, inside, read, until

SEEDS = 4
MESSAGES = int(os.environ.get("FUZZ", "2000")) // SEEDS
"""Of each seed."""

GROWTH_KB = 24_000
"""What the second half of many messages may add to a process that the first half has filled."""

TEXT = "a()\nb('😀')\n\fc()\r\nd()"
ODD = [
    *(None, True, False, 0, -1, 1, 1.5, 2**31, 2**63, 10**30, 1e308, "", " ", "x", "😀", "\ud800", "\0", "file:///\0"),
    *([], [[]], {}, {"": {}}, {"jsonrpc": "2.0"}, [None, 1, "x"], {"line": 0, "character": 0}, "untitled:u", "a" * 300),
    *("utf-8", "socreates", "quickfix", {"kind": "begin"}, {"uri": "file:///w/app.py"}, "socreates/review", -(2**31)),
]


def template(uri: str) -> list[dict[str, Any]]:
    """A message of each kind, right in every part."""
    document, place = {"uri": uri}, {"line": 1, "character": 2}
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 1}}
    review = {
        "uri": uri,
        "range": span,
        "scope": "selection",
        "wait": True,
        "workDoneToken": "t",
        "ask": ask(find(uri, 1)),
    }
    whole = {
        "uri": uri,
        "scope": "file",
        "partialResultToken": 5,
        "ask": ask(read(uri, 0, 2), find(uri, 0), find(uri, 3)),
    }
    context = {"diagnostics": [{"range": span, "message": "x"}], "only": ["socreates"], "triggerKind": 1}
    requests = [
        ("socreates/review", review),
        ("socreates/review", whole),
        ("socreates/review", {**whole, "wait": False}),
        ("socreates/findings", {"uri": uri, "status": "open"}),
        ("socreates/clear", {"uri": uri}),
        ("socreates/ask", {"text": "What?", "uri": uri, "range": span, "workDoneToken": 3}),
        ("socreates/preview", {"uri": uri, "scope": "file"}),
        ("socreates/dismiss", {"id": "0123456789abcdef", "reason": "x"}),
        ("socreates/restore", {"id": "0123456789abcdef"}),
        ("socreates/more", {"id": "0123456789abcdef"}),
        ("socreates/status", {}),
        ("workspace/executeCommand", {"command": "socreates/review", "arguments": [whole], "workDoneToken": 1}),
        ("textDocument/codeAction", {"textDocument": document, "range": span, "context": context}),
        ("textDocument/hover", {"textDocument": document, "position": place}),
        ("textDocument/diagnostic", {"textDocument": document}),
        ("textDocument/completion", {"textDocument": document, "position": place}),
        ("initialize", {"capabilities": {}, "processId": None, "rootUri": uri}),
    ]
    change = [{"range": span, "text": TEXT}, {"text": TEXT}]
    notifications = [
        ("textDocument/didOpen", {"textDocument": {**document, "languageId": "python", "version": 1, "text": TEXT}}),
        ("textDocument/didChange", {"textDocument": {**document, "version": 2}, "contentChanges": change}),
        ("textDocument/didClose", {"textDocument": document}),
        ("textDocument/didSave", {"textDocument": document}),
        ("$/cancelRequest", {"id": 7}),
        ("$/setTrace", {"value": "verbose"}),
        ("window/workDoneProgress/cancel", {"token": "t"}),
        ("workspace/didChangeConfiguration", {"settings": {"socreates": {"review": {"maxFindings": 3}}}}),
        ("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]}),
        ("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}}),
        ("initialized", {}),
        ("notebookDocument/didSave", {"notebookDocument": {"uri": f"{uri}.ipynb"}}),
        ("notebookDocument/didClose", {"notebookDocument": {"uri": f"{uri}.ipynb"}, "cellTextDocuments": [document]}),
    ]
    return [
        *({"jsonrpc": "2.0", "id": 0, "method": method, "params": params} for method, params in requests),
        *({"jsonrpc": "2.0", "method": method, "params": params} for method, params in notifications),
        {"jsonrpc": "2.0", "id": 0, "result": None},
        {"jsonrpc": "2.0", "id": "x", "error": {"code": 1, "message": "no"}},
    ]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value that can hold another value: the container, and the key in it."""
    found: list[tuple[Any, Any]] = []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        found += [(value, key), *places(inner)]
    return found


def mutated(message: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The message with one to three faults."""
    message = copy.deepcopy(message)
    for _ in range(chance.choice([0, 1, 1, 1, 2, 3])):
        container, key = chance.choice(places(message))
        if chance.random() < 0.15:
            del container[key]
        elif chance.random() < 0.1 and isinstance(container, dict):
            container[chance.choice(["x", "jsonrpc", "id", "method"])] = chance.choice(ODD)
        else:
            container[key] = copy.deepcopy(chance.choice(ODD))
    return message


def wants_answer(message: dict[str, Any]) -> bool:
    """Whether it is a request, good or bad, whose answer can bear its id."""
    msg_id = message.get("id")
    is_request = isinstance(message.get("method"), str) or not {"result", "error"} & set(message)
    return is_request and isinstance(msg_id, int | str) and not isinstance(msg_id, bool)


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_every_request_has_one_answer_and_the_server_lives(root, caplog, seed: int) -> None:
    gc.collect()
    caplog.clear()  # What other tests left behind says so when it is collected.
    chance = random.Random(seed)
    uri = (root / "app.py").as_uri()
    capabilities = {"window": {"workDoneProgress": True}, "workspace": {"configuration": True}}
    async with inside() as client:
        await client.initialize(rootUri=root.as_uri(), capabilities=capabilities)
        client.answers.update({method: NEVER for method in client.answers if chance.random() < 0.5})
        messages = template(uri)
        wanted: Counter[str] = Counter()
        for number in range(MESSAGES):
            message = mutated(chance.choice(messages), chance)
            if "id" in message and isinstance(message["id"], int | str) and not isinstance(message["id"], bool):
                message["id"] = chance.choice([f"fuzz-{number}", 10_000 + number])
            if message.get("method") in ("shutdown", "exit"):
                continue
            if wants_answer(message):
                wanted[json.dumps(message["id"])] += 1
            client.send(message)
            if number % 50 == 0:
                await asyncio.sleep(0)

        def answers() -> Counter[str]:
            sent = (one for one in client.messages if "method" not in one and one["id"] is not None)
            return Counter(json.dumps(one["id"]) for one in sent if one["id"] != 1)

        await until(lambda: not (wanted - answers()), 60)
        status = await client.request("socreates/status", seconds=30)
        assert status["reviewer"]["provider"] == "examiner"
        assert await client.request("shutdown", seconds=30) is None
        got = answers()
        got.subtract(wanted)
        assert [got[key] for key in got if got[key]] == [1, 1], "the status and the shutdown"
        assert [one for one in client.messages if one.get("error", {}).get("code") == -32603] == []
        assert [one for one in caplog.records if one.name == "asyncio"] == [], (
            "something was raised where nothing may be"
        )


async def test_bytes_at_random_between_messages_do_no_harm(root) -> None:
    chance = random.Random(1)
    async with inside() as client:
        await client.initialize(rootUri=root.as_uri())
        for number in range(300):
            noise = chance.choice([b"Content-Length: 3\r\n\r\nabc", b"X: 1\r\n\r\n", b"Content-Length: -1\r\n\r\n"])
            body = json.dumps({"jsonrpc": "2.0", "id": f"n{number}", "method": "socreates/clear"}).encode()
            whole = noise + b"Content-Length: %d\r\n\r\n" % len(body) + body
            cut = chance.randrange(len(whole))
            client._write(whole[:cut])
            client._write(whole[cut:])
        await until(lambda: len([one for one in client.messages if str(one.get("id")).startswith("n")]) == 300, 60)


def resident_kb(pid: int) -> int:
    """What a process holds in memory."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1])


@pytest.mark.skipif(os.name == "nt", reason="/proc of Linux")
async def test_memory_does_not_grow(root) -> None:
    chance = random.Random(9)
    uri = (root / "app.py").as_uri()
    async with serving(command=SCRIPTED) as client:
        await client.initialize(rootUri=root.as_uri(), capabilities={"window": {"workDoneProgress": True}})
        messages = template(uri)
        grown: list[int] = []
        for half in range(3):
            for number in range(MESSAGES):
                message = mutated(chance.choice(messages), chance)
                if isinstance(message.get("id"), int | str) and not isinstance(message["id"], bool):
                    message["id"] = f"fuzz-{half}-{number}"
                if message.get("method") not in ("shutdown", "exit"):
                    client.send(message)
                if number % 25 == 0:
                    await client.request("socreates/status", seconds=60)
            grown.append(resident_kb(client.process.pid))
            client.messages.clear()
    assert grown[2] - grown[1] < GROWTH_KB, grown
