"""``socreates/memory``: what is remembered of a project; the user lists, edits, forgets, accepts what others noted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.server.commands.params import as_object, switch_of, text_of, uri_of
from socreates_lsp.server.protocol import INVALID_PARAMS, RequestError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.server.session import Session


async def memory(session: Session, value: Any) -> dict[str, Any]:
    """Do what is asked for (``forget``: an id or a list, ``edit``: {id, text}, ``accept``: true), and tell what is
    remembered then of the root of ``uri``, of the first root without one."""
    params = as_object(value)
    root = session.app.workspace.root_of(uri_of(params))
    forget, edit, accept = _ids(params), _edit(params), switch_of(params, "accept", default=False)
    if root is None:
        raise RequestError(INVALID_PARAMS, "There is no folder open whose memory it could be.")
    kept = session.app.memory
    before = len(kept.warnings)
    if accept:
        await kept.accept(root)
    if edit is not None:
        await _edited(session, root, *edit)
    if forget and await kept.forget(root, forget) < len(set(forget)):
        raise RequestError(INVALID_PARAMS, f"There is no fact with the id {' or '.join(forget)}.")
    if new := kept.warnings[before:]:
        session.tell("socreates: " + " ".join(new))
    return await kept.told(root)


async def _edited(session: Session, root: str, fact_id: str, text: str) -> None:
    try:
        found = await session.app.memory.edit(root, fact_id, text)
    except ValueError as error:
        raise RequestError(INVALID_PARAMS, str(error)) from error
    if found is None:
        raise RequestError(INVALID_PARAMS, f"There is no fact with the id {fact_id}.")


def _ids(params: Mapping[str, Any]) -> list[str]:
    """The ids to forget. Raises RequestError."""
    value = params.get("forget")
    ids = cast("list[Any]", value) if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(one, str) and one for one in ids):
        raise RequestError(INVALID_PARAMS, "forget has to be the id of a fact, or a list of them.")
    return ids


def _edit(params: Mapping[str, Any]) -> tuple[str, str] | None:
    """The fact to edit, and its new words. Raises RequestError."""
    value = params.get("edit")
    if value is None:
        return None
    if isinstance(value, dict):
        fields = cast("Mapping[str, Any]", value)
        fact_id, text = text_of(fields, "id"), text_of(fields, "text")
        if fact_id and text:
            return fact_id, text
    raise RequestError(INVALID_PARAMS, "edit has to be an object with the id of a fact and a text.")
