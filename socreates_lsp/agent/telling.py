"""Which changed files tell a reviewer most: sources first, then data and prose, last what a program wrote. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.workspace.languages import language_of

if TYPE_CHECKING:
    from socreates_lsp.workspace.text import Text

_DATA = frozenset(
    {
        "json", "yaml", "toml", "ini", "xml", "markdown", "rst", "text", "latex", "batch", "make", "html", "css",
    }
)  # fmt: skip
_FOLDER = re.compile(
    r"(?:^|/)(?:vendor|vendored|_vendor|third[_-]?party|node_modules|dist|generated|__snapshots__|site-packages|\.yarn)/"
)
_FILE = re.compile(
    r"(?:^|/)(?:[^/]*[.-]lock(?:\.(?:json|ya?ml|hcl))?|\.terraform\.lock\.hcl|go\.sum|[^/]*\.lockfile|bun\.lockb|"
    r"npm-shrinkwrap\.json)$"
    r"|\.min\.\w+$|[._](?:pb2(?:_grpc)?|pb|generated|gen|bundle|g)\.\w+$|\.(?:snap|svg|map|sum)$",
    re.IGNORECASE,
)
_WRITTEN = re.compile(r"@generated|\b(?:auto-?)?generated (?:by|from|with|file|code)\b|do not edit", re.IGNORECASE)
_HEAD = 8
"""Lines at the start that may say so."""


def rank(path: str, new: Text | None) -> int:
    """0 for a source, 1 for data and prose, 2 for locks, what is generated, and code of others."""
    if _FOLDER.search(path) or _FILE.search(path):
        return 2
    if new is not None and _WRITTEN.search("".join(new.lines[:_HEAD])[:2000]):
        return 2
    language = language_of(path, "" if new is None else new.line(0))
    return 1 if language is None or language in _DATA else 0
