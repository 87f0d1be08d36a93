"""``textDocument/codeAction``: Ask Socreates. Commands only; never an edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session

KIND = "socreates"
TITLE = "Ask Socreates"


def code_action(session: Session, params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
    """Offer to ask about the selection, or about the file where nothing is selected."""
    empty = params.range.start == params.range.end
    automatic = params.context.trigger_kind == types.CodeActionTriggerKind.Automatic
    if (empty and automatic) or not _is_wanted(params.context.only):
        return []
    command = types.Command(title=TITLE, command="socreates/review", arguments=[_arguments(params, empty=empty)])
    if not session.client.code_action_literals:
        return [command]
    return [types.CodeAction(title=TITLE, kind=KIND, command=command)]


def _arguments(params: types.CodeActionParams, *, empty: bool) -> dict[str, Any]:
    start, end = params.range.start, params.range.end
    return {
        "uri": params.text_document.uri,
        "range": {
            "start": {"line": start.line, "character": start.character},
            "end": {"line": end.line, "character": end.character},
        },
        "scope": "file" if empty else "selection",
        "wait": False,
    }


def _is_wanted(only: Any) -> bool:
    """Whether the kinds asked for include ours; a kind includes all that begin with it and a dot (LSP 3.17)."""
    if only is None:
        return True
    kinds = [kind.value if isinstance(kind, types.CodeActionKind) else str(kind) for kind in only]
    return any(kind in {"", KIND} for kind in kinds)
