"""``textDocument/hover``: the questions on a line, with why they are asked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types

from socreates_lsp.review.finding import Status
from socreates_lsp.server import markup
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.ladder import Opened
    from socreates_lsp.server.session import Session
    from socreates_lsp.wire import Wire


def hover(session: Session, params: types.HoverParams) -> types.Hover | None:
    """Show the findings whose lines the pointer is on."""
    uri = uris.canonical(params.text_document.uri)
    if not session.app.store.of(uri):
        return None
    wire = session.wire()
    line = params.position.line
    findings = [finding for finding in session.publisher.findings(uri, wire) if line in finding.range.lines]
    if not findings:
        return None
    render = markup.markdown if session.client.hover_markdown else markup.plain_text
    kind = types.MarkupKind.Markdown if session.client.hover_markdown else types.MarkupKind.PlainText
    open_first = sorted(findings, key=lambda finding: (finding.status is Status.STALE, -finding.confidence))
    told = [_told(session, finding, wire, params.position) for finding in open_first]
    opened = {finding.id: one for finding, one in told}
    value = render([finding for finding, _ in told], wire, lambda finding: opened[finding.id])
    return types.Hover(contents=types.MarkupContent(kind=kind, value=value))


def _told(session: Session, finding: Finding, wire: Wire, place: types.Position) -> tuple[Finding, Opened]:
    """A finding and what is open of it, without what the client shows of its diagnostic in the same hover."""
    opened = session.reveal.opened(finding)
    diagnostic = session.publisher.diagnostic(finding, wire) if session.client.diagnostic_in_hover else None
    if diagnostic is None or not _holds(diagnostic.range, place):
        return finding, opened
    if diagnostic.related_information:
        opened = replace(opened, places=())
    return markup.beside_its_diagnostic(finding), opened


def _holds(span: types.Range, place: types.Position) -> bool:
    """Whether an editor shows the diagnostic of this range at a place; both ends count."""
    start, end = span.start, span.end
    return (start.line, start.character) <= (place.line, place.character) <= (end.line, end.character)
