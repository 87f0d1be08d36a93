"""``textDocument/codeAction``: Ask Socreates, and what can be done about a finding. Commands only; never an edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from socreates_lsp.server import quickfixes as quickfix
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session

KIND = "socreates"
TITLE = "Ask Socreates"
GO_ON = "Socreates: review what was not read"


def code_action(session: Session, params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
    """Offer what can be done about the findings that are meant, and to ask about the selection or the file."""
    found = list(quickfix.quickfixes(session, params)) if _is_wanted(params.context.only, quickfix.KIND) else []
    found += [*_ask(params), *_go_on(session, params)] if _is_wanted(params.context.only, KIND) else []
    if session.client.code_action_literals:
        return [*found]
    return [action.command for action in found if action.command is not None]


def _ask(params: types.CodeActionParams) -> list[types.CodeAction]:
    """Ask about the selection, or about the file where nothing is selected."""
    empty = params.range.start == params.range.end
    if empty and params.context.trigger_kind == types.CodeActionTriggerKind.Automatic:
        return []
    command = types.Command(title=TITLE, command="socreates/review", arguments=[_arguments(params, empty=empty)])
    return [types.CodeAction(title=TITLE, kind=KIND, command=command)]


def _go_on(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Go on with what the last review of the document, or of the changes in it, did not read."""
    left = session.unread.params(uris.canonical(params.text_document.uri))
    if left is None or params.context.trigger_kind == types.CodeActionTriggerKind.Automatic:
        return []
    given = {**left, **({"uri": params.text_document.uri} if "uri" in left else {})}
    command = types.Command(title=GO_ON, command="socreates/review", arguments=[given])
    return [types.CodeAction(title=GO_ON, kind=KIND, command=command)]


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


def _is_wanted(only: Any, ours: str) -> bool:
    """Whether the kinds asked for include ours; a kind includes all that begin with it and a dot (LSP 3.17)."""
    if only is None:
        return True
    kinds = [kind.value if isinstance(kind, types.CodeActionKind) else str(kind) for kind in only]
    return any(kind in {"", ours} for kind in kinds)
