"""Shows findings: as diagnostics, and to clients of ours as ``socreates/didChangeFindings``.

Every publication places the findings in the text that the editor shows at that moment, by their quotations.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from socreates_lsp.review.finding import Kind, Status
from socreates_lsp.review.store import SHOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.server.session import Session
    from socreates_lsp.wire import Wire

_SOON_S = 0.05
_AFTER_EDIT_S = 0.12
_AT_MOST_S = 0.2
"""How long to wait for more of the same before publishing, and how long if more keeps coming."""

_SEVERITIES = {
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}


class Publisher:
    """Publishes documents, each at most a few times a second."""

    def __init__(self, session: Session) -> None:
        """Publish to this client."""
        self._session = session
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._since: dict[str, float] = {}
        self._shown: set[str] = set()

    def publish_soon(self, uri: str, *, edited: bool = False) -> None:
        """Publish a document in a moment; several calls become one."""
        loop = asyncio.get_running_loop()
        if uri not in self._waiting:
            self._since[uri] = loop.time()
        elif not edited:
            return
        else:
            self._waiting.pop(uri).cancel()
        when = min(loop.time() + (_AFTER_EDIT_S if edited else _SOON_S), self._since[uri] + _AT_MOST_S)
        self._waiting[uri] = loop.call_at(when, self._start, uri)

    @property
    def shown(self) -> frozenset[str]:
        """The documents in which the client was last told of findings, which it still shows."""
        return frozenset(self._shown)

    def publish_all(self, uris: Iterable[str]) -> None:
        """Publish several documents."""
        for uri in uris:
            self.publish_soon(uri)

    def publish_now(self, uri: str) -> None:
        """Publish an open document at once."""
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self._send(uri, self._session.wire())

    def close(self) -> None:
        """Publish nothing more."""
        for handle in self._waiting.values():
            handle.cancel()
        self._waiting.clear()

    def _start(self, uri: str) -> None:
        self._waiting.pop(uri, None)
        if self._session.app.workspace.buffers.get(uri) is not None:
            self._send(uri, self._session.wire())
        else:
            self._session.spawn(self._send_closed(uri))

    async def _send_closed(self, uri: str) -> None:
        """Publish a document that is on disk only: read it, and those it relates to, outside of the loop."""
        wire = self._session.wire()
        near = self._session.app.store.near(uri)
        await asyncio.to_thread(lambda: [wire.text(one) for one in (uri, *near)])
        self._send(uri, wire)

    def findings(self, uri: str, wire: Wire) -> list[Finding]:
        """The findings of a document that the editor shows, placed in its text of this moment."""
        store = self._session.app.store
        if not store.of(uri):
            return []
        text = wire.text(uri)
        if text is None:
            store.unplaced(uri)
            return []
        placed = store.anchored(uri, text, self._session.app.workspace.version(uri))
        return [finding for finding in placed if finding.status in SHOWN]

    def diagnostics(self, uri: str, wire: Wire) -> list[types.Diagnostic]:
        """The diagnostics of a document."""
        shown = (self.diagnostic(finding, wire) for finding in self.findings(uri, wire))
        return [one for one in shown if one is not None]

    def _send(self, uri: str, wire: Wire) -> None:
        session = self._session
        workspace = session.app.workspace
        self._look_near(uri, wire)
        diagnostics = self.diagnostics(uri, wire)
        self._shown.add(uri) if diagnostics else self._shown.discard(uri)
        if session.client.publish_diagnostics:
            session.server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(
                    uri=workspace.spelled(uri),
                    version=workspace.version(uri),
                    diagnostics=diagnostics,
                )
            )
        elif session.client.diagnostic_refresh:
            session.spawn(session.request(types.WORKSPACE_DIAGNOSTIC_REFRESH, None))
        if session.client.findings:
            self._notify(uri, wire)

    def _look_near(self, uri: str, wire: Wire) -> None:
        """See whether the places in closed files that are related to findings hold what they held."""
        session = self._session
        for near in session.app.store.near(uri):
            if session.app.workspace.buffers.get(near) is None:
                self.publish_all(session.app.store.look_near(near, wire.text(near)) - {uri})

    def _notify(self, uri: str, wire: Wire) -> None:
        workspace = self._session.app.workspace
        version = workspace.version(uri)
        self.findings(uri, wire)
        findings, told = self._session.app.store.of(uri), self._session.reveal.told
        params = {
            "uri": workspace.spelled(uri),
            **({} if version is None else {"version": version}),
            "findings": [wire.finding(one) for one in findings],
            "told": {one.id: told(one, wire) for one in findings},
        }
        self._session.server.protocol.notify("socreates/didChangeFindings", params)

    def diagnostic(self, finding: Finding, wire: Wire) -> types.Diagnostic | None:
        """A finding as a diagnostic; None where the settings want none."""
        severity = self._severity(finding)
        if severity is None:
            return None
        stale = finding.status is Status.STALE
        return types.Diagnostic(
            range=as_range(wire.range(finding.range, finding.uri)),
            severity=severity,
            code=finding.category.value,
            source="socreates",
            message=f"Stale: {finding.words}" if stale else finding.words,
            related_information=self._related(finding, wire),
            data={"id": finding.id},
        )

    def _severity(self, finding: Finding) -> types.DiagnosticSeverity | None:
        if finding.status is Status.STALE:
            return types.DiagnosticSeverity.Hint
        settings = self._session.app.settings.diagnostics
        chosen = settings.warning if finding.kind is Kind.WARNING else settings.question
        return _SEVERITIES.get(str(chosen))

    def _related(self, finding: Finding, wire: Wire) -> Sequence[types.DiagnosticRelatedInformation] | None:
        session = self._session
        if not finding.related or not session.client.related_information or not session.reveal.shows_places(finding):
            return None
        return [
            types.DiagnosticRelatedInformation(
                location=types.Location(uri=wire.spelled(one.uri), range=as_range(wire.range(one.range, one.uri))),
                message=one.message,
            )
            for one in finding.related
        ]


def as_range(value: dict[str, Any]) -> types.Range:
    """A range of our JSON as lsprotocol's."""
    return types.Range(
        start=types.Position(**value["start"]),
        end=types.Position(**value["end"]),
    )
