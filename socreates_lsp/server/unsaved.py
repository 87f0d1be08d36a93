"""Documents that were never saved: what is asked about one goes along when it is saved under a name.

Editors say nothing of it: they close ``untitled:Untitled-1`` and open a file with the same text, in either order.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from socreates_lsp.app import App
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.workspace.buffers import Buffer

_SAVED_S = 10.0
"""How long after the one the other comes at the most, in seconds."""


@dataclass(frozen=True, slots=True)
class _Closed:
    """An unsaved document that was closed, and what was asked about it."""

    content: str
    findings: tuple[Finding, ...]
    at: float


class Unsaved:
    """The document that was closed last, and the file that was opened last."""

    def __init__(self) -> None:
        """Start with none."""
        self._closed: _Closed | None = None
        self._opened: tuple[str, float] | None = None

    def opened(self, app: App, uri: str) -> None:
        """A document was opened (canonical URI); if it is one that was just closed unsaved, its findings are here."""
        if uris.to_path(uri) is None:
            return
        self._opened = (uri, time.monotonic())
        closed, buffer = self._closed, app.workspace.buffers.get(uri)
        if closed is None or buffer is None or not _is_same(buffer, closed.content, closed.at):
            return
        self._closed = None
        for finding in closed.findings:
            app.store.add(
                replace(finding, uri=uri), root=app.workspace.root_of(uri), version=buffer.version, text=buffer.text
            )

    def closed(self, app: App, uri: str, buffer: Buffer) -> str | None:
        """An unsaved document was closed: the file as which it was just opened, which has its findings now; or None."""
        opened = self._opened
        saved = None if opened is None else app.workspace.buffers.get(opened[0])
        if opened is not None and saved is not None and _is_same(saved, buffer.text.content, opened[1]):
            app.store.move(uri, opened[0], app.workspace.root_of(opened[0]))
            return opened[0]
        self._closed = _Closed(buffer.text.content, tuple(app.store.drop(uri)), time.monotonic())
        return None


def _is_same(buffer: Buffer, content: str, since: float) -> bool:
    """Whether a buffer has this text, and soon enough. An empty text is like any other empty one."""
    text = buffer.text.content.rstrip()
    return bool(text) and text == content.rstrip() and time.monotonic() - since <= _SAVED_S
