"""The core scenario under the recorded capabilities of real editors, with pytest-lsp as the judge.

Answers are asserted on as raw JSON: lsprotocol 2025.0.0, on which pytest-lsp stands, reads a code action that has a
command as a broken command.
"""

from __future__ import annotations

import asyncio
import copy
import sys
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp.client import register_lsp_features

from tests import record
from tests.server.servers import until

pytestmark = pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning")

TEXT = "import requests\n\f\n\ndef fetch(url):\n    '😀é'; return requests.get(url)\n"
EDITORS = {
    "neovim@v0.11": ("utf-8", 14),
    "visual_studio_code": ("utf-16", 11),
    "emacs": ("utf-32", 10),
}
"""Each with its encoding, and the column of ``return`` in it."""


class Recorded(pytest_lsp.LanguageClientProtocol):
    """Keeps every message as it came."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        if "jsonrpc" in data:
            self._server.raw.append(copy.deepcopy(data))
            record.SENT.append(self._server.raw[-1])
        return super().structure_message(data)


def make_client() -> pytest_lsp.LanguageClient:
    client = pytest_lsp.LanguageClient(
        converter_factory=default_converter,
        protocol_cls=Recorded,
        configuration={"": {"socreates": {"review": {"maxFindings": 7}}}},
    )
    client.raw = []
    register_lsp_features(client)
    client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _: None)
    return client


CONFIG = pytest_lsp.ClientServerConfig(
    server_command=[sys.executable, "-P", "-m", "socreates_lsp"], client_factory=make_client
)


@pytest_lsp.fixture(config=CONFIG, params=list(EDITORS))
async def editor(request, root, lsp_client: pytest_lsp.LanguageClient):
    capabilities = pytest_lsp.client_capabilities(request.param)
    lsp_client.name = request.param
    folder = types.WorkspaceFolder(root.as_uri(), "workspace")
    params = types.InitializeParams(capabilities=capabilities, root_uri=root.as_uri(), workspace_folders=[folder])
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()
    assert lsp_client._server.returncode == 0


def results(editor) -> list[Any]:
    return [one["result"] for one in editor.raw if "result" in one]


async def raw_result(editor, method: str, params: Any) -> Any:
    """The result of a request as it came over the wire, however it is read."""
    before = len(results(editor))
    request = asyncio.ensure_future(editor.protocol.send_request_async(method, params))
    try:
        return await until(lambda: results(editor)[before:], 60)
    finally:
        request.cancel()


async def test_open_ask_run_and_read(editor, root) -> None:
    encoding, column = EDITORS[editor.name]
    uri = (root / "app.py").as_uri()
    assert editor.raw[0]["result"]["capabilities"]["positionEncoding"] == encoding
    editor.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, TEXT)))
    edit = types.TextDocumentContentChangePartial(
        types.Range(types.Position(0, 0), types.Position(0, 0)), "# not saved\n"
    )
    identifier = types.VersionedTextDocumentIdentifier(2, uri)
    editor.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [edit]))

    selection = types.Range(types.Position(4, 0), types.Position(6, 0))
    context = types.CodeActionContext([], trigger_kind=types.CodeActionTriggerKind.Invoked)
    document = types.TextDocumentIdentifier(uri)
    [[action]] = await raw_result(
        editor, "textDocument/codeAction", types.CodeActionParams(document, selection, context)
    )
    assert (action["title"], action["kind"]) == ("Ask Socreates", "socreates")

    command = action["command"]
    run = types.ExecuteCommandParams(command["command"], command["arguments"])
    assert await editor.workspace_execute_command_async(run) == {"started": True}
    [question] = await until(lambda: editor.diagnostics.get(uri), 60)
    assert (question.source, question.severity) == ("socreates", types.DiagnosticSeverity.Information)
    start, end = question.range.start, question.range.end
    assert (start.line, start.character, end.line) == (5, 4, 5)
    assert end.character == column + len("return requests.get(url)")
    published = [one["params"] for one in editor.raw if one.get("method") == "textDocument/publishDiagnostics"]
    assert published[-1]["version"] == 2

    [[begin, *_, finish]] = await until(lambda: ended(editor), 20)
    assert isinstance(begin, types.WorkDoneProgressBegin)
    assert finish.message.startswith("1 question")

    hover = await editor.text_document_hover_async(types.HoverParams(document, types.Position(5, 20)))
    assert hover.contents.kind == types.MarkupKind.Markdown
    assert "asked by the examiner" in hover.contents.value

    before = len(results(editor))
    await editor.protocol.send_request_async("socreates/review", {"uri": uri})
    [review] = results(editor)[before:]
    assert review["stop"] == "answered"
    assert review["findings"][0]["range"] == published[-1]["diagnostics"][0]["range"]
    assert review["examined"][0]["uri"] == uri

    before = len(results(editor))
    await editor.protocol.send_request_async("socreates/status", {})
    [status] = results(editor)[before:]
    assert status["settings"]["review.maxFindings"] == {"value": 7, "source": "editor settings"}
    assert editor.messages == []
    assert editor.error is None


def ended(editor) -> list[list[Any]]:
    """The progresses that have come to their end."""
    reports = editor.progress_reports.values()
    return [one for one in reports if one and isinstance(one[-1], types.WorkDoneProgressEnd)]


async def test_the_cancel_button_of_the_editor(editor, root) -> None:
    uri = (root / "large.py").as_uri()
    text = "import requests\n" + "".join(f"def f{n}(u):\n    return requests.get(u)\n\n\n" for n in range(15_000))
    editor.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, text)))
    run = types.ExecuteCommandParams("socreates/review", [{"uri": uri, "wait": False}])
    assert await editor.workspace_execute_command_async(run) == {"started": True}
    [token] = await until(lambda: [token for token, reports in editor.progress_reports.items() if reports], 20)
    assert isinstance(token, str), "the client of Zed wants strings"
    editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    [[*_, finish]] = await until(lambda: ended(editor), 20)
    assert finish.message == "Cancelled."
