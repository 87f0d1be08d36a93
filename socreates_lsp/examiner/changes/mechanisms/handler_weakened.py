"""A handler is still there, but the failure no longer reaches the caller: it raised or reported, and now does not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import calls
from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.blocks import Block, Clause
    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.pairing import Pair

_LOGGING = re.compile(r"log\w*|debug|info|warn\w*|error|exception|print\w*|write|console|puts|inspect", re.IGNORECASE)


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:  # noqa: ARG001  (every mechanism's form)
    """Look at each handler before and after."""
    for pair in changes.stretches:
        after = pair.new_blocks
        for block in pair.old_blocks:
            partner = _partner(block, after)
            if partner is not None and pair.owns_old(block.first):
                yield from _compared(pair, block, partner)


def _partner(block: Block, after: list[Block]) -> Block | None:
    """The block that protects the same calls now."""
    common = [(len(block.called & other.called), other) for other in after]
    best = max(common, key=lambda entry: entry[0], default=(0, None))
    return best[1] if best[0] * 2 > len(block.called) else None


def _compared(pair: Pair, block: Block, partner: Block) -> Iterator[Spot]:
    olds = [clause for clause in block.clauses if clause.catches]
    news = [clause for clause in partner.clauses if clause.catches]
    if len(olds) != len(news):
        return
    for old, new in zip(olds, news, strict=True):
        if _is_touched(pair, old, new) and old.passes_on and not _passes_on(new):
            line = next((n for n in range(new.first, new.last + 1) if n in pair.after.added), new.first)
            place = line if pair.after.new_code.lines[line].strip(" \t{}") else new.first
            handled = ", ".join(sorted(new.types or old.types)) or "the error"
            called = next(iter(sorted(partner.called & block.called)))
            yield Spot(pair.after.path, place, place, {"HANDLED": handled, "CALL": called})


def _is_touched(pair: Pair, old: Clause, new: Clause) -> bool:
    gone = any(line in pair.before.removed for line in range(old.first, old.last + 1))
    return gone and old.body.split() != new.body.split()


def _passes_on(clause: Clause) -> bool:
    """Whether the failure still reaches somebody: raised, or given to something that is no log."""
    if clause.passes_on:
        return True
    bound = re.search(r"(?:\bas\s+|=>\s*|[\s($])(\w+)\s*\)?\s*:?$", clause.head)
    if bound is None:
        return False
    name = bound[1]
    for line in clause.body.splitlines():
        uses = re.search(rf"\b{re.escape(name)}\b", line)
        called = list(calls(line))
        if uses and not (called and all(_LOGGING.fullmatch(one) for one in called)):
            return True
    return False
