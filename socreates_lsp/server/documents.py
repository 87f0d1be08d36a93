"""What a client says of its documents, checked by hand: lsprotocol makes a text of whatever stands for one.

A null for a text would become the four characters ``None`` in the buffer, and every line after it a wrong one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.server.client import member
from socreates_lsp.server.protocol import INVALID_PARAMS, RequestError
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Change, Position, Range

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


@dataclass(frozen=True, slots=True)
class Item:
    """A document as a client opens it. ``language_id`` is empty if it says none."""

    uri: str
    language_id: str
    version: int
    text: str

    @classmethod
    def of(cls, value: Any) -> Item:
        """Read a TextDocumentItem. Raises RequestError if it has no URI or no text."""
        uri, text = uri_of(value), member(value, "text")
        if not isinstance(text, str):
            raise RequestError(INVALID_PARAMS, f"the text of {uri} is no text.")
        language = member(value, "languageId")
        return cls(uri, language if isinstance(language, str) else "", version_of(value) or 0, text)


def uri_of(value: Any) -> str:
    """The URI of a document, as the client spells it. Raises RequestError."""
    uri = member(value, "uri")
    if not isinstance(uri, str) or not uri:
        raise RequestError(INVALID_PARAMS, "it names no document.")
    return uri


def version_of(value: Any) -> int | None:
    """The version of a document; None where there is none (LSP allows a null)."""
    version = member(value, "version")
    return version if isinstance(version, int) and not isinstance(version, bool) else None


def changes_of(value: Any) -> list[Change]:
    """A list of content changes. Raises RequestError for one that can't be applied."""
    if not isinstance(value, list):
        raise RequestError(INVALID_PARAMS, "its changes are no list.")
    return [_change(change) for change in cast("list[Any]", value)]


def _change(value: Any) -> Change:
    text, span = member(value, "text"), member(value, "range")
    if not isinstance(text, str):
        raise RequestError(INVALID_PARAMS, "a change has no text.")
    if span is None:
        return Change(None, text)
    return Change(Range(_position(member(span, "start")), _position(member(span, "end"))), text)


def _position(value: Any) -> Position:
    line, column = member(value, "line"), member(value, "character")
    for number in (line, column):
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise RequestError(INVALID_PARAMS, "a change has no range.")
    return Position(line, column)


def open_document(session: Session, value: Any) -> None:
    """Open a document; findings of the file show in it. Raises RequestError for one that can't be read: if it is
    open already, it is out of step with the editor from then on."""
    uri = uri_of(value)
    buffers = session.app.workspace.buffers
    try:
        item = Item.of(value)
    except RequestError:
        buffers.lose_step(uri)
        raise
    buffers.open(item.uri, item.language_id, item.version, item.text)
    key = uris.canonical(uri)
    _take_over(session, key)
    session.unsaved.opened(session.app, key)
    session.app.touched(key)
    if session.app.store.of(key):
        session.app.store.lose_track(key)
        session.publisher.publish_soon(key)


def _take_over(session: Session, key: str) -> None:
    """A file is open now: what was asked about it under another name, under which it is not open, shows in it."""
    workspace, store = session.app.workspace, session.app.store
    path = uris.to_path(key)
    if path is None:
        return
    workspace.links.forget()
    real = workspace.links.real(path)
    for one in store.uris():
        other = uris.to_path(one)
        if (
            one != key
            and other is not None
            and workspace.buffers.get(one) is None
            and workspace.links.real(other) == real
        ):
            store.move(one, key, workspace.root_of(key))
            session.publisher.publish_all((one, key))


def change_document(session: Session, document: Any, changes: Any) -> None:
    """Apply edits to an open document; its findings are placed anew a moment later.

    Raises RequestError for edits that can't be read: from then on the buffer is out of step with the editor.
    """
    uri, version = uri_of(document), version_of(document)
    buffers = session.app.workspace.buffers
    key = uris.canonical(uri)
    try:
        edits = changes_of(changes)
    except RequestError:
        buffers.lose_step(uri)
        raise
    buffer = buffers.get(key)
    if version is None:
        version = 0 if buffer is None else buffer.version
    for moved in session.app.edit(uri, version, edits, session.client.encoding):
        session.publisher.publish_soon(moved, edited=True)


def close_document(session: Session, uri: str) -> None:
    """Close a document; its findings stay on the file, if there is one."""
    key = uris.canonical(uri)
    buffer = session.app.workspace.buffers.get(key)
    was_open = session.app.workspace.buffers.close(uri)
    session.app.touched(key)
    if buffer is None or not was_open or not session.app.store.of(key):
        return
    session.app.store.lose_track(key)
    if uris.to_path(key) is None:
        saved = session.unsaved.closed(session.app, key, buffer)
        session.publisher.publish_all(() if saved is None else (saved,))
    session.publisher.publish_soon(key)
