"""``textDocument/hover``: the questions on a line, with why they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from socreates_lsp.review.finding import Status
from socreates_lsp.server import markup
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


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
    return types.Hover(contents=types.MarkupContent(kind=kind, value=render(open_first, wire, session.reveal.opened)))
