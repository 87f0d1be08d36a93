"""``workspace/executeCommand``: the same commands that are custom requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.server.protocol import INVALID_PARAMS, RequestError

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session


async def execute_command(session: Session, params: types.ExecuteCommandParams) -> Any:
    """Run a command; it takes one object, which may be left out."""
    command = session.server.commands.get(params.command)
    if command is None:
        raise RequestError(INVALID_PARAMS, f"This server has no command {params.command}.")
    arguments = params.arguments or []
    if len(arguments) > 1:
        raise RequestError(INVALID_PARAMS, f"{params.command} takes one object, not {len(arguments)} arguments.")
    given: Any = arguments[0] if arguments else None
    if params.work_done_token is not None and (given is None or isinstance(given, dict)):
        given = {**cast("dict[str, Any]", given or {}), "workDoneToken": params.work_done_token}
    return await command(session, given)
