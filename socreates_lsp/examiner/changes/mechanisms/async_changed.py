"""A function became asynchronous (or stopped being it), and a caller that was not changed treats it as before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.mechanisms.signature_changed import places
from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.callers import CallSite
    from socreates_lsp.examiner.changes.changeset import Changeset

_WAITS = re.compile(
    r"\b(?:await|async let|yield|return|create_task|ensure_future|gather|run|run_until_complete|wait_for|wait|all|"
    r"allSettled|race|spawn|block_on|launch|async|runBlocking|void|shield|start_soon|add_task|Run|StartNew|to_thread)"
    r"\b[\s([{*]*[^;]*$|=>\s*$"
)


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """Name the callers that do not wait for what must be waited for now."""
    for pair in changes.pairs:
        if pair.old.is_async or not pair.new.is_async:
            continue
        careless = [site for site in changes.callers.unchanged(pair.after, pair.new) if not _waits(site)]
        if careless:
            parts = {"FUNCTION": pair.new.name, "CALLER": careless[0].path.rpartition("/")[2]}
            yield Spot(pair.after.path, pair.new.first, pair.new.first, parts, places(careless, options["note"]))


def _waits(site: CallSite) -> bool:
    after = site.after.lstrip()
    return bool(_WAITS.search(site.before)) or after.startswith((".await", ".then", ".Result", ".Wait", ".catch"))
