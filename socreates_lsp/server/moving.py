"""Files, and folders of them, that have another name or are gone: their findings go along, or are resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.server.session import Session


def move_files(session: Session, moves: Sequence[tuple[str, str]]) -> None:
    """Files or folders were renamed (the client's spelling, old and new): findings, threads and dismissals go along."""
    workspace, store = session.app.workspace, session.app.store
    workspace.links.forget()
    pairs: list[tuple[str, str]] = []
    for old, new in ((uris.canonical(old), uris.canonical(new)) for old, new in moves):
        pairs.append((old, new))
        touched = {one.uri for one in store} | {near.uri for one in store for near in one.related}
        for uri in uris.below(touched, old):
            to = new + uri[len(old) :]
            if store.move(uri, to, workspace.root_of(to)):
                session.publisher.publish_all((uri, to))
        session.cells.renamed(old, new)
        session.app.dialogue.watch.moved(old, new)
    session.spawn(session.app.dismissals.moved(pairs))
    session.spawn(session.app.dialogue.moved(pairs))


def delete_files(session: Session, gone: Sequence[str]) -> None:
    """Files or folders were deleted: what was asked about them is resolved, and open again if they come back."""
    store = session.app.store
    for uri in map(uris.canonical, gone):
        session.app.dialogue.watch.deleted(uri)
        for one in uris.below(store.uris(), uri):
            if session.app.workspace.buffers.get(one) is None:
                store.vanish(one)
                session.publisher.publish_soon(one)
