"""``textDocument/diagnostic``: for clients that pull and don't take pushed diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def diagnostic(session: Session, params: types.DocumentDiagnosticParams) -> types.RelatedFullDocumentDiagnosticReport:
    """The diagnostics of a document as they stand now."""
    uri = uris.canonical(params.text_document.uri)
    return types.RelatedFullDocumentDiagnosticReport(items=session.publisher.diagnostics(uri, session.wire()))
