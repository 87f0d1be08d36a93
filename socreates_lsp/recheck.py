"""What a save makes of the findings of a file: those whose lines changed are checked again by their rule.

With ``review.recheckOnSave: model`` those of a model are put to it too, in one short question each. What is resolved
leaves, what still stands comes back with the lines as they are now. Everything else stays as it is.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.review.finding import Status
from socreates_lsp.review.recheck import asked_again, by_model, by_rules
from socreates_lsp.review.store import SHOWN
from socreates_lsp.settings import Recheck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.app import App
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.workspace.text import Text

_MOST_ASKED = 4
"""Findings of a model that one save puts to it."""


async def look_again(app: App, uri: str) -> bool:
    """See ``App.look_again``."""
    how = app.settings.review.recheck_on_save
    if how is Recheck.OFF or not app.store.of(uri) or not app.workspace.is_in_step(uri):
        return False
    text = await _text(app, uri)
    if text is None:
        return False
    version = app.workspace.version(uri)
    findings = [one for one in app.store.anchored(uri, text, version) if one.status in SHOWN]
    touched = await _by_rules(app, uri, text, version, findings)
    if how is Recheck.MODEL:
        touched = await _by_model(app, uri, text, findings) or touched
    return touched


async def _text(app: App, uri: str) -> Text | None:
    buffer = app.workspace.buffers.get(uri)
    return await asyncio.to_thread(app.text, uri) if buffer is None else buffer.text


async def _by_rules(app: App, uri: str, text: Text, version: int | None, findings: Sequence[Finding]) -> bool:
    asked = by_rules(findings, text)
    if not asked:
        return False
    again = await app.examiner.again(uri, frozenset(one.rule for one in asked if one.rule))
    old = [one for one in asked if one.rule in again.ran and not _is_lost(one, again.lost)]
    others = [one for one in findings if one not in asked]
    now = asked_again(old, again.findings, others)
    hidden = await _dismissed(app, uri, text, tuple(now.values()))
    for one in old:
        hit = now.get(one.id)
        if not _is_as_it_was(app, one):
            continue
        if hit is None or hit.id in hidden:
            app.store.set_status(one.id, Status.RESOLVED)
        else:
            _renew(app, hit, text, version)
    return bool(old)


def _is_lost(finding: Finding, lost: int | None) -> bool:
    """Whether a finding stands where the file does not parse, so that the silence of its rule says nothing."""
    return lost is not None and finding.range.end.line >= lost


def _is_as_it_was(app: App, finding: Finding) -> bool:
    """Whether nothing has happened to a finding meanwhile: no undo, no word of the user, no other review."""
    kept = app.store.get(finding.id)
    return kept is not None and kept.status is finding.status and kept.quote == finding.quote


async def _dismissed(app: App, uri: str, text: Text, findings: Sequence[Finding]) -> set[str]:
    """Those of some findings that the user has dismissed, as they are now."""
    if not findings:
        return set()
    documents = app.dismissals.documents
    root, path = documents.home(uri)
    ledger = (await app.dismissals.read(root)).ledger

    def is_dismissed(one: Finding) -> bool:
        about, whole = documents.in_file(one, text)
        return ledger.covering(about, path, whole) is not None

    return {one.id for one in findings if is_dismissed(one)}


def _renew(app: App, finding: Finding, text: Text, version: int | None) -> None:
    """Keep a finding with the lines that it was found on just now, which an edit may have moved since."""
    buffer = app.workspace.buffers.get(finding.uri)
    shifts = None
    if buffer is not None and version is not None:
        shifts, text = buffer.shifts_since(version), buffer.text
    root = app.workspace.root_of(finding.uri)
    app.store.add(finding, root=root, version=version, text=text, shifts=shifts)


async def _by_model(app: App, uri: str, text: Text, findings: Sequence[Finding]) -> bool:
    """One question for each, one after the other, as the model on a small machine serves one at a time."""
    asked = by_model(findings, text)[:_MOST_ASKED]
    agent = await app.agent_on_hand() if asked else None
    touched = False
    for one in asked if agent is not None else ():
        assert agent is not None
        buffer = app.workspace.buffers.get(uri)
        version = None if buffer is None else buffer.version
        if not _is_as_it_was(app, one) or (buffer is not None and buffer.text is not text):
            break  # the next save asks about the lines as they are then
        thought = await agent.stands_still(one, app.workspace.root_of(uri))
        app.usage += thought.usage
        if thought.stands is None or not _is_as_it_was(app, one):
            continue
        touched = True
        if thought.stands:
            # An edit may have taken more lines together than the question was about.
            first = one.range.start.line
            span = text.trimmed(first, min(one.range.end.line, first + one.quote.count("\n")))
            _renew(app, replace(one, range=span, quote=text.slice(span), status=Status.OPEN), text, version)
        else:
            app.store.set_status(one.id, Status.RESOLVED)
    return touched
