"""What ``status`` tells of the dismissals of a root. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.dismissals.book import View

_MOST_LISTED = 100
"""Dismissals of others that are listed."""


def told(root: str, view: View, warnings: Sequence[str]) -> dict[str, Any]:
    """How many dismissals hold, which wait for the user's word, and what went wrong."""
    waiting = [
        {"path": entry.path, "message": entry.message, "reason": entry.reason, "at": entry.at}
        for entry in sorted(view.foreign, key=lambda entry: (entry.path, entry.id))
    ]
    return {
        "root": root,
        "file": view.file,
        "held": len(view.ledger),
        "foreign": len(waiting),
        "waiting": waiting[:_MOST_LISTED],
        "warnings": [*view.warnings, *(one for one in warnings if one not in view.warnings)],
    }
