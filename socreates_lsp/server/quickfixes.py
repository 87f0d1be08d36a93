"""What can be done about a finding from its diagnostic: code actions of kind ``quickfix``. Never an edit.

Which findings are meant is told by the ids in the client's diagnostics; a client that does not give them back (LSP
3.17, ``dataSupport``) means those on the lines that it asks about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lsprotocol import types

from socreates_lsp.review.wishes import INTENDED, LOOK_AGAIN, TELL_MORE
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.server.session import Session

KIND = "quickfix"
_LONGEST = 40
"""Characters of a question in a title."""


class Offer(NamedTuple):
    """Something to do about a finding: its title, and the command, which takes the finding's id; with ``says`` a reply
    in these words, for which nobody waits."""

    title: str
    command: str
    says: str | None = None


MORE = Offer("Socreates: tell me more", "socreates/more")
TELL = Offer("Socreates: tell me more", "socreates/reply", TELL_MORE)
OFFERS = (
    Offer("Socreates: it is intended", "socreates/reply", INTENDED),
    Offer("Socreates: I changed it, look again", "socreates/reply", LOOK_AGAIN),
    MORE,
    TELL,
    Offer("Socreates: dismiss", "socreates/dismiss"),
)


def quickfixes(session: Session, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    """An action for each finding that is meant and each thing that can be done about it."""
    uri = uris.canonical(params.text_document.uri)
    if not session.app.store.of(uri):
        return
    shown = session.publisher.findings(uri, session.wire())
    given = [(one, _id_of(one)) for one in params.context.diagnostics]
    ids = {finding_id for _, finding_id in given}
    meant = [finding for finding in shown if finding.id in ids]
    if not meant:
        lines = _lines(params.range)
        meant = [finding for finding in shown if finding.range.start.line in lines or _holds(finding, lines)]
    for offer in OFFERS:
        for finding in meant:
            if offer in {MORE, TELL} and (offer is MORE) != session.reveal.has_more(finding):
                continue
            echoed = [one for one, finding_id in given if finding_id == finding.id or _is_of(one, finding)]
            yield _action(offer, finding, echoed, several=len(meant) > 1)


def _action(
    offer: Offer, finding: Finding, diagnostics: Sequence[types.Diagnostic], *, several: bool
) -> types.CodeAction:
    title = f"{offer.title}: {' '.join(finding.message.split())[:_LONGEST]}" if several else offer.title
    said = {} if offer.says is None else {"text": offer.says, "wait": False}
    command = types.Command(title=title, command=offer.command, arguments=[{"id": finding.id, **said}])
    return types.CodeAction(title=title, kind=KIND, diagnostics=list(diagnostics) or None, command=command)


def _id_of(diagnostic: types.Diagnostic) -> str | None:
    """The id that we gave a diagnostic; None where it is not ours, or came back without."""
    data: Any = diagnostic.data
    value = cast("dict[str, Any]", data).get("id") if isinstance(data, dict) else getattr(data, "id", None)
    return value if isinstance(value, str) else None


def _is_of(diagnostic: types.Diagnostic, finding: Finding) -> bool:
    """Whether a diagnostic without an id shows a finding."""
    ours = diagnostic.source == "socreates" and _id_of(diagnostic) is None
    return ours and diagnostic.message in {finding.words, f"Stale: {finding.words}"}


def _lines(span: types.Range) -> range:
    """The lines of a range; one that ends at the start of a line does not touch it."""
    end = span.end.line - (span.end.character == 0 and span.end.line > span.start.line)
    return range(span.start.line, end + 1)


def _holds(finding: Finding, lines: range) -> bool:
    return lines.start in finding.range.lines
