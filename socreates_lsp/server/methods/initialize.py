"""``initialize``: read what the client can do, say what we serve. Nothing slow, nothing awaited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from socreates_lsp import __version__
from socreates_lsp.app import App
from socreates_lsp.server.client import Client
from socreates_lsp.server.session import Session
from socreates_lsp.settings import Source
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from collections.abc import Iterable

    from socreates_lsp.server.server import Server


def initialize(server: Server, params: types.InitializeParams) -> types.InitializeResult:
    """Make the session."""
    client = Client.of(params)
    session = Session(server, App(_roots(params), flags=server.flags), client)
    server.begin(session, params)
    session.configure(Source.INITIALIZATION, params.initialization_options)
    return types.InitializeResult(
        capabilities=capabilities(client, server.command_names),
        server_info=types.ServerInfo(name="socreates-lsp", version=__version__),
    )


def _roots(params: types.InitializeParams) -> list[str]:
    """The roots as the client spells them: folders, else rootUri, else rootPath (LSP 3.17)."""
    if params.workspace_folders:
        return [folder.uri for folder in params.workspace_folders]
    if params.root_uri:
        return [params.root_uri]
    return [uris.from_path(params.root_path)] if params.root_path else []


def capabilities(client: Client, commands: Iterable[str]) -> types.ServerCapabilities:
    """What we serve, and only that."""
    pull: Any = None
    if client.pull_diagnostics:
        pull = types.DiagnosticOptions(
            identifier="socreates", inter_file_dependencies=False, workspace_diagnostics=False
        )
    return types.ServerCapabilities(
        position_encoding=types.PositionEncodingKind(client.encoding.value),
        text_document_sync=types.TextDocumentSyncOptions(
            open_close=True,
            change=types.TextDocumentSyncKind.Incremental,
            save=types.SaveOptions(include_text=False),
        ),
        hover_provider=True,
        code_action_provider=(
            types.CodeActionOptions(code_action_kinds=["socreates"]) if client.code_action_literals else True
        ),
        execute_command_provider=types.ExecuteCommandOptions(commands=list(commands), work_done_progress=True),
        diagnostic_provider=pull,
        workspace=types.WorkspaceOptions(
            workspace_folders=types.WorkspaceFoldersServerCapabilities(supported=True, change_notifications=True)
        ),
    )
