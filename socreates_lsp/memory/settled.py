"""What the user settled in a root since a moment: findings dismissed, and talks that ended one. Only the user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.memory.fact import one_line
from socreates_lsp.memory.kept import Kept
from socreates_lsp.memory.own import Own, digest_of

if TYPE_CHECKING:
    from pathlib import Path

_KINDS = (("dismissed.json", "dismissed", "dismissals.json"), ("threads.json", "threads", "own-threads.json"))
_ENDS = frozenset({"answered", "resolved", "withdrawn"})
_LONGEST = 80


def settled_since(root: str, state: Path, since: str) -> list[str]:
    """A phrase for each, oldest first. ``since`` is an ISO time, empty for all. Reads the disk."""
    found: list[tuple[str, str]] = []
    for name, member, own_name in _KINDS:
        entries = Kept(root, state, name=name, member=member).read().entries
        own = Own(root, state, name=own_name).digests() if entries else frozenset[str]()
        for fields in entries:
            at, how = _time(fields), fields.get("status", "dismissed")
            if digest_of(fields) in own and at > since and (how == "dismissed" or how in _ENDS):
                found.append((at, _phrase(fields, str(how))))
    return [phrase for _, phrase in sorted(found)]


def _time(fields: dict[str, Any]) -> str:
    """When an entry was last written; of a talk that of its last word."""
    thread = fields.get("thread")
    last: object = cast("list[object]", thread)[-1] if isinstance(thread, list) and thread else fields
    at = cast("dict[str, Any]", last).get("at") if isinstance(last, dict) else None
    return at if isinstance(at, str) else ""


def _phrase(fields: dict[str, Any], how: str) -> str:
    text = one_line(str(fields.get("message", "")), _LONGEST)
    reason = one_line(str(fields.get("reason", "")), _LONGEST)
    return f"{fields.get('path', '')}: {text} ({how}{f': {reason}' if reason else ''})"
