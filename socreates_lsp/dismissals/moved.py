"""Dismissed findings that stayed behind in the store when their file went elsewhere. Looks at the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.review.finding import Category, Finding, Status, normalised

if TYPE_CHECKING:
    from collections.abc import Iterable

    from socreates_lsp.dismissals.documents import Documents
    from socreates_lsp.review.ledger import Ledger


def left_behind(findings: Iterable[Finding], root: str | None, ledger: Ledger, documents: Documents) -> list[Finding]:
    """The dismissed findings of a root whose file is gone, while the same one is dismissed in another file."""
    gone: list[tuple[Finding, str]] = []
    elsewhere = {(entry.path, entry.key[1:]) for entry in ledger if documents.is_there(root, entry.path)}
    for finding in findings:
        where, path = documents.home(finding.uri)
        if finding.status is Status.DISMISSED and where == root:
            if documents.is_there(root, path):
                elsewhere.add((path, _key(finding)))
            else:
                gone.append((finding, path))
    return [one for one, path in gone if any(other != path and key == _key(one) for other, key in elsewhere)]


def _key(finding: Finding) -> tuple[Category, str, str]:
    return finding.category, normalised(finding.quote), finding.subject
