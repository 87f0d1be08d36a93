"""``initialize``: read what the client can do, say what we serve. Nothing slow, nothing awaited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types

from socreates_lsp import __version__
from socreates_lsp.app import App
from socreates_lsp.server.client import Client, member
from socreates_lsp.server.commands.params import as_object
from socreates_lsp.server.prompter import EditorPrompter
from socreates_lsp.server.session import Session
from socreates_lsp.settings import Source
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from socreates_lsp.server.server import Server


def initialize(server: Server, value: Any) -> types.InitializeResult:
    """Make the session. The params are read as they came, since nothing in them may keep a client out."""
    params = as_object(value)
    client = Client.of(params)
    prompter = EditorPrompter()
    session = Session(server, App(_roots(params), flags=server.flags, prompter=prompter), client)
    prompter.serve(session)
    server.begin(session, params)
    session.configure(Source.INITIALIZATION, params.get("initializationOptions"))
    return types.InitializeResult(
        capabilities=capabilities(client, server.command_names),
        server_info=types.ServerInfo(name="socreates-lsp", version=__version__),
    )


def _roots(params: Mapping[str, Any]) -> list[str]:
    """The roots as the client spells them: folders, else rootUri, else rootPath (LSP 3.17)."""
    folders: Any = params.get("workspaceFolders")
    if isinstance(folders, list):
        found = [member(folder, "uri") for folder in cast("list[Any]", folders)]
        if found := [uri for uri in found if isinstance(uri, str)]:
            return found
    root, path = params.get("rootUri"), params.get("rootPath")
    if isinstance(root, str) and root:
        return [root]
    return [uris.from_path(path)] if isinstance(path, str) and path else []


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
        notebook_document_sync=_all_notebooks() if client.notebooks else None,
        hover_provider=True,
        code_action_provider=(
            types.CodeActionOptions(code_action_kinds=["quickfix", "socreates"])
            if client.code_action_literals
            else True
        ),
        execute_command_provider=types.ExecuteCommandOptions(commands=list(commands), work_done_progress=True),
        diagnostic_provider=pull,
        workspace=types.WorkspaceOptions(
            workspace_folders=types.WorkspaceFoldersServerCapabilities(supported=True, change_notifications=True),
            file_operations=types.FileOperationOptions(did_rename=_all_files(), did_delete=_all_files()),
        ),
    )


def _all_files() -> types.FileOperationRegistrationOptions:
    """Files and folders of any name: there may be findings in them."""
    pattern = types.FileOperationPattern(glob="**/*")
    return types.FileOperationRegistrationOptions(filters=[types.FileOperationFilter(pattern=pattern, scheme="file")])


def _all_notebooks() -> types.NotebookDocumentSyncOptions:
    """Cells of any kind and language: they count in the numbers of the others."""
    return types.NotebookDocumentSyncOptions(
        notebook_selector=[types.NotebookDocumentFilterWithNotebook(notebook="*")], save=True
    )
