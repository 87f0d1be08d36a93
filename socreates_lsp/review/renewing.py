"""A question that is asked once more: what is kept of it, and of the new one."""

from __future__ import annotations

from dataclasses import replace

from socreates_lsp.review.entry import SHOWN
from socreates_lsp.review.finding import Finding, Status


def renewed(known: Finding, again: Finding, *, joins: bool) -> Finding:
    """The same question once more, or a second one on the same lines: one finding, under the id it has."""
    status = again.status if known.status in SHOWN | {Status.WITHDRAWN, Status.RESOLVED} else known.status
    same = known.message == again.message or (known.rule is not None and known.rule == again.rule)
    if same or (not joins and not known.thread):
        kept = replace(again, id=known.id, status=status, thread=again.thread or known.thread)
        return replace(kept, asked_again=again.asked_again or known.asked_again) if status in SHOWN else kept
    if not joins:
        return replace(known, range=again.range, status=status)
    extra = f"{again.message} {again.why}".strip()
    why = known.why if extra in known.why else f"{known.why} {extra}".strip()
    return replace(known, range=again.range, why=why, status=status)
