"""The whole way of a review under what real clients announce: every message that is sent is legal for that client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.protocol import default_converter

from socreates_lsp.server.client import member
from socreates_lsp.testkit.script import Reply
from tests.server.servers import settled, until
from tests.server.talking import QUESTION, app_py, talking

if TYPE_CHECKING:
    from collections.abc import Iterator

RECORDED = Path(pytest_lsp.__file__).parent / "clients"
OURS = Path(__file__).parent / "clients"
NONE: dict[str, Any] = {"clientInfo": {"name": "none"}, "capabilities": {}}


def clients() -> Iterator[tuple[str, dict[str, Any]]]:
    """The recorded ``initialize`` of each client, by name."""
    yield "none", NONE
    for file in sorted([*RECORDED.glob("*.json"), *OURS.glob("*.json")]):
        yield file.stem, json.loads(file.read_text())


CLIENTS = dict(clients())


def test_the_clients_that_matter_are_recorded() -> None:
    for name in ("neovim_v0.11.0", "visual_studio_code", "emacs", "helix", "zed", "sublime", "lsp_mode", "none"):
        assert any(one.startswith(name) for one in CLIENTS), name


class Legal:
    """Looks at every message that a server sent to a client with these capabilities."""

    def __init__(self, capabilities: dict[str, Any]) -> None:
        self._capabilities = capabilities
        self._converter = default_converter()
        self._tokens: set[Any] = {"mine"}

    def can(self, *path: str) -> bool:
        return member(self._capabilities, *path) is True

    def has(self, *path: str) -> bool:
        return member(self._capabilities, *path) is not None

    def check(self, messages: list[dict[str, Any]]) -> None:
        for message in messages:
            method = message.get("method")
            if method is None:
                continue
            kind = types.METHOD_TO_TYPES.get(method)
            assert kind is not None or method.startswith("socreates/"), method
            if kind is not None:
                self._converter.structure(message, kind[0])
            getattr(self, "_" + method.replace("$/", "").replace("/", "_"), lambda _: None)(message.get("params"))
            assert method in ALLOWED, f"{method} is nothing that we send"

    def _window_workDoneProgress_create(self, params: Any) -> None:
        assert self.can("window", "workDoneProgress")
        self._tokens.add(params["token"])

    def _progress(self, params: Any) -> None:
        assert params["token"] in self._tokens

    def _workspace_configuration(self, _params: Any) -> None:
        assert self.can("workspace", "configuration")

    def _client_registerCapability(self, params: Any) -> None:
        for one in params["registrations"]:
            section, name = one["method"].split("/")
            assert self.can(section, name, "dynamicRegistration"), one["method"]

    def _workspace_diagnostic_refresh(self, _params: Any) -> None:
        assert self.can("workspace", "diagnostics", "refreshSupport")

    def _socreates_didChangeFindings(self, _params: Any) -> None:
        assert self.can("experimental", "socreates", "findings")

    def _textDocument_publishDiagnostics(self, params: Any) -> None:
        for one in params["diagnostics"]:
            allowed = {"range", "severity", "code", "source", "message", "data"}
            if self.can("textDocument", "publishDiagnostics", "relatedInformation"):
                allowed.add("relatedInformation")
            assert set(one) <= allowed

    def capabilities(self, ours: dict[str, Any]) -> None:
        """What the server announced."""
        if "notebookDocumentSync" in ours:
            assert self.has("notebookDocument", "synchronization")
        if "diagnosticProvider" in ours:
            assert self.has("textDocument", "diagnostic")
        if not self.has("textDocument", "codeAction", "codeActionLiteralSupport"):
            assert ours["codeActionProvider"] is True
        offered = member(self._capabilities, "general", "positionEncodings") or ["utf-16"]
        assert ours["positionEncoding"] in offered

    def actions(self, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Code actions, or commands for who knows nothing else; the commands of them."""
        if not self.has("textDocument", "codeAction", "codeActionLiteralSupport"):
            assert all(isinstance(one["command"], str) for one in found)
            return found
        assert all(set(one) <= {"title", "kind", "diagnostics", "command"} for one in found)
        return [one["command"] for one in found]

    def hover(self, found: dict[str, Any]) -> None:
        formats = member(self._capabilities, "textDocument", "hover", "contentFormat") or ["plaintext"]
        assert found["contents"]["kind"] in formats


ALLOWED = {
    *("window/workDoneProgress/create", "$/progress", "workspace/configuration", "client/registerCapability"),
    *("workspace/diagnostic/refresh", "textDocument/publishDiagnostics", "window/showMessage", "window/logMessage"),
    *("window/showMessageRequest", "socreates/didChangeFindings"),
}

RUNS = Reply(calls=(("run_command", {"command": "true"}),))
CHOSEN = QUESTION.replace("when `read` raises?", "when `read` raises, as app.py:1 promises?")
FIRST = QUESTION + "\n[question] app.py:1 naming\n> def load(path):\nWhat does `load` load, and who calls it?\n"


@pytest.mark.parametrize("name", list(CLIENTS))
async def test_every_message_is_legal_for_the_client(root: Path, name: str) -> None:
    record = CLIENTS[name]
    legal = Legal(record["capabilities"])
    uri = app_py(root)
    options = {"review": {"leads": True, "verify": True}}
    script = [RUNS, FIRST, CHOSEN]
    async with talking(root, *script, options=options, capabilities=record["capabilities"]) as (client, model):
        [initialized] = [one["result"] for one in client.messages if one.get("id") == 1]
        legal.capabilities(initialized["capabilities"])
        client.open(uri, (root / "app.py").read_text())
        document = {"uri": uri}
        span = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}
        asked = {"textDocument": document, "range": span, "context": {"diagnostics": []}}
        [command] = legal.actions(await client.request("textDocument/codeAction", asked))

        assert await client.request("workspace/executeCommand", command) == {"started": True}
        await until(lambda: len(model.chats) == 3)
        if member(record, "capabilities", "window", "workDoneProgress"):
            await until(lambda: [one for one in client.seen("$/progress") if one["value"].get("kind") == "end"])
        prompt = client.seen("window/showMessageRequest")
        assert len(prompt) == 1, "a command is asked about, whatever the client announces"

        if "diagnosticProvider" in initialized["capabilities"]:
            pulled = await until_pulled(client, uri)
            diagnostics = pulled["items"]
        else:
            await until(lambda: shown(client, uri))
            diagnostics = shown(client, uri)
        assert len(diagnostics) >= 1

        line = diagnostics[0]["range"]["start"]["line"]
        place = {"line": line, "character": 2}
        legal.hover(await client.request("textDocument/hover", {"textDocument": document, "position": place}))
        point = {"start": place, "end": place}
        about = {"textDocument": document, "range": point, "context": {"diagnostics": diagnostics, "triggerKind": 1}}
        commands = legal.actions(await client.request("textDocument/codeAction", about))
        [dismiss] = [one for one in commands if one["command"] == "socreates/dismiss"][:1]
        answer = await client.request("workspace/executeCommand", {**dismiss, "workDoneToken": "mine"})
        assert answer["finding"]["status"] == "dismissed"
        change = {"textDocument": {**document, "version": 2}, "contentChanges": [{"text": "def load(p):\n    pass\n"}]}
        client.notify("textDocument/didChange", change)
        client.notify("textDocument/didSave", {"textDocument": document})
        await settled(client, 0.6)
        legal.check(client.messages)
        assert client.seen("window/showMessage") == []


def shown(client: Any, uri: str) -> list[dict[str, Any]]:
    published = [one for one in client.seen("textDocument/publishDiagnostics") if one["uri"] == uri]
    return published[-1]["diagnostics"] if published else []


async def until_pulled(client: Any, uri: str) -> dict[str, Any]:
    while True:
        pulled = await client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        if pulled["items"]:
            return pulled
