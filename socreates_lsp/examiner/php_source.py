"""PHP inside a page: the grammar that ast-grep bundles knows PHP alone, so the page around it is blanked out.

Every offset and every line stays where it was. ``?>`` becomes a semicolon where a statement has to end, and
``<?= x ?>`` becomes ``echo x ;`` where there is room for the word (it prints what follows).
"""

from __future__ import annotations

import re

_OPEN = re.compile(r"<\?(?:php\b|=|(?=\s))", re.IGNORECASE)
_INSIDE = re.compile(
    r"""
      '(?:[^'\\]|\\.)*(?:'|\Z)
    | "(?:[^"\\]|\\.)*(?:"|\Z)
    | `(?:[^`\\]|\\.)*(?:`|\Z)
    | /\*.*?(?:\*/|\Z)
    | (?://|\#(?!\[))[^\n]*?(?=\n|\?>|\Z)
    | <<<[ \t]*(?P<quote>['"]?)(?P<label>\w+)(?P=quote)\r?\n.*?(?:\n[ \t]*(?P=label)\b|\Z)
    | (?P<close>\?>)
    """,
    re.VERBOSE | re.DOTALL,
)
_VISIBLE = re.compile(r"[^\r\n]")


def without_page(source: str) -> str:
    """The same text with everything outside of ``<?php ... ?>`` blanked out. Text without ``?>`` stays as it is."""
    if "?>" not in source and source.lstrip().startswith("<?"):
        return source
    parts: list[str] = []
    at = 0
    while True:
        opened = _OPEN.search(source, at)
        if opened is None:
            parts.append(_blank(source[at:]))
            return "".join(parts)
        end = _closed(source, opened.end())
        parts.append(_before(source[at : opened.end()], prints=opened[0].endswith("="), first=at == 0))
        parts.append(source[opened.end() : end])
        at = end
        if at >= len(source):
            return "".join(parts)
        if not source[opened.end() : end].rstrip().endswith(("{", "}", ";", ":")):
            parts.append("; ")
            at += 2


def _closed(source: str, start: int) -> int:
    """Where the PHP that starts there ends: at its ``?>``, or with the text."""
    for found in _INSIDE.finditer(source, start):
        if found["close"]:
            return found.start()
    return len(source)


def _before(page: str, *, prints: bool, first: bool) -> str:
    """The page up to a tag and the tag itself, blank; the very first ``<?php`` stays."""
    if first and not prints and page.lower() == "<?php":
        return page
    blank = _blank(page)
    return blank[:-4] + "echo" if prints and len(page) >= 4 and "\n" not in page[-4:] else blank


def _blank(page: str) -> str:
    return _VISIBLE.sub(" ", page)
