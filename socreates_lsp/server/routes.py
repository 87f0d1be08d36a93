"""Everything that this server answers to: the one place where handlers are registered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from socreates_lsp.server.commands.ask import ask
from socreates_lsp.server.commands.clear import clear
from socreates_lsp.server.commands.dismiss import dismiss
from socreates_lsp.server.commands.findings import findings
from socreates_lsp.server.commands.memory import memory
from socreates_lsp.server.commands.more import more
from socreates_lsp.server.commands.preview import preview
from socreates_lsp.server.commands.reply import reply
from socreates_lsp.server.commands.reset import reset
from socreates_lsp.server.commands.restore import restore
from socreates_lsp.server.commands.review import review
from socreates_lsp.server.commands.state import state
from socreates_lsp.server.commands.status import status
from socreates_lsp.server.commands.survey import survey
from socreates_lsp.server.commands.tools import tools
from socreates_lsp.server.methods.code_action import code_action
from socreates_lsp.server.methods.diagnostic import diagnostic
from socreates_lsp.server.methods.did_change import did_change
from socreates_lsp.server.methods.did_change_configuration import did_change_configuration
from socreates_lsp.server.methods.did_change_watched_files import did_change_watched_files
from socreates_lsp.server.methods.did_change_workspace_folders import did_change_workspace_folders
from socreates_lsp.server.methods.did_close import did_close
from socreates_lsp.server.methods.did_delete_files import did_delete_files
from socreates_lsp.server.methods.did_open import did_open
from socreates_lsp.server.methods.did_rename_files import did_rename_files
from socreates_lsp.server.methods.did_save import did_save
from socreates_lsp.server.methods.execute_command import execute_command
from socreates_lsp.server.methods.hover import hover
from socreates_lsp.server.methods.initialized import initialized
from socreates_lsp.server.methods.notebook_did_change import notebook_did_change
from socreates_lsp.server.methods.notebook_did_close import notebook_did_close
from socreates_lsp.server.methods.notebook_did_open import notebook_did_open
from socreates_lsp.server.methods.notebook_did_save import notebook_did_save
from socreates_lsp.server.methods.set_trace import set_trace
from socreates_lsp.server.methods.shutdown import shutdown
from socreates_lsp.server.methods.work_done_progress_cancel import work_done_progress_cancel

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from socreates_lsp.server.session import Session

    Command = Callable[[Session, Any], Coroutine[Any, Any, dict[str, Any]]]

COMMANDS: dict[str, Command] = {
    "socreates/review": review,
    "socreates/ask": ask,
    "socreates/preview": preview,
    "socreates/findings": findings,
    "socreates/reply": reply,
    "socreates/dismiss": dismiss,
    "socreates/restore": restore,
    "socreates/more": more,
    "socreates/clear": clear,
    "socreates/survey": survey,
    "socreates/reset": reset,
    "socreates/status": status,
    "socreates/memory": memory,
    "socreates/tools": tools,
    "socreates/state": state,
}

METHODS: dict[str, Callable[[Session, Any], Any]] = {
    types.INITIALIZED: initialized,
    types.SHUTDOWN: shutdown,
    types.SET_TRACE: set_trace,
    types.TEXT_DOCUMENT_DID_OPEN: did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: did_change,
    types.TEXT_DOCUMENT_DID_CLOSE: did_close,
    types.TEXT_DOCUMENT_DID_SAVE: did_save,
    types.NOTEBOOK_DOCUMENT_DID_OPEN: notebook_did_open,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE: notebook_did_change,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE: notebook_did_close,
    types.NOTEBOOK_DOCUMENT_DID_SAVE: notebook_did_save,
    types.TEXT_DOCUMENT_CODE_ACTION: code_action,
    types.TEXT_DOCUMENT_HOVER: hover,
    types.TEXT_DOCUMENT_DIAGNOSTIC: diagnostic,
    types.WORKSPACE_EXECUTE_COMMAND: execute_command,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_configuration,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_watched_files,
    types.WORKSPACE_DID_RENAME_FILES: did_rename_files,
    types.WORKSPACE_DID_DELETE_FILES: did_delete_files,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: did_change_workspace_folders,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL: work_done_progress_cancel,
    **COMMANDS,
}
