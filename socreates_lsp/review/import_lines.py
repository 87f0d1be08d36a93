"""The lines by which a text takes in what is from elsewhere: imports, includes, requires. Pure. Lines from 0."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.workspace.text import split_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

_SCRIPT = (
    r"import\b(?!\s*\()|export\b[^=(]*\bfrom\b|(?:const|let|var)\b[^;]*=\s*(?:await\s+)?(?:require|import)\s*\("
    r"|require\s*\("
)
_PATTERNS = {
    "python": r"import\s|from\s+[\w.]+\s+import\b",
    "javascript": _SCRIPT, "typescript": _SCRIPT, "tsx": _SCRIPT, "html": _SCRIPT,
    "go": r"import\b|package\s", "java": r"import\s|package\s", "kotlin": r"import\s|package\s",
    "scala": r"import\s|package\s", "swift": r"(?:@\w+\s+)?import\s", "dart": r"import\s|export\s|part\s",
    "rust": r"(?:pub(?:\([^)]*\))?\s+)?(?:use\s|extern\s+crate\s|mod\s+\w+\s*;)",
    "php": r"(?:use|namespace)\s|(?:require|include)(?:_once)?\b",
    "c": r"#\s*(?:include|import)\b|@import\b", "cpp": r"#\s*(?:include|import)\b|using\s|import\s",
    "objective-c": r"#\s*(?:include|import)\b|@import\b",
    "csharp": r"(?:global\s+)?using\s+(?!var\b)[\w.=\s<>]+;|namespace\s+[\w.]+;",
    "ruby": r"require(?:_relative)?\b|load\s|include\s|extend\s|using\s",
    "bash": r"(?:source|\.)\s+\S", "lua": r"(?:local\s+)?[\w.]+\s*=\s*require\b|require\b",
    "perl": r"(?:use|require|package)\s", "elixir": r"(?:alias|import|use|require)\s",
    "haskell": r"(?:import|module)\s", "julia": r"(?:using|import|include)\b", "r": r"(?:library|require|source)\s*\(",
    "zig": r"(?:pub\s+)?const\s+\w+\s*=\s*@import\b", "solidity": r"import\b|pragma\s", "proto": r"import\s|package\s",
    "css": r"@(?:import|use|forward)\b", "erlang": r"-(?:module|include|include_lib|import)\b",
    "ocaml": r"open\s", "fsharp": r"open\s|#load\b|#r\b", "clojure": r"\(\s*(?:ns|require|use|import)\b",
    "lisp": r"\(\s*(?:require|use-package|load|use-modules|import)\b", "vb": r"Imports\s", "make": r"-?include\s",
    "powershell": r"(?:using|Import-Module)\s|\.\s+\S", "sql": r"\\i\b", "latex": r"\\(?:usepackage|input|include)\b",
}  # fmt: skip
_INDENTED = frozenset({"python", "php", "ruby", "elixir", "rust", "html"})
"""Languages in which such a line may stand deeper than the margin."""

_LONGEST = 40
"""Lines of one statement."""
_COMPILED: dict[str, re.Pattern[str]] = {}


def import_lines(code: str, language: str | None, inside: Sequence[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """The first and the last line of each such statement, in order.

    ``code`` has no comments and no strings (``bare_code.py``); what is ``inside`` of these lines (of functions) is left
    out.
    """
    if language not in _PATTERNS:
        return []
    if language not in _COMPILED:
        margin = r"[ \t]*" if language in _INDENTED else ""
        _COMPILED[language] = re.compile(rf"{margin}(?:{_PATTERNS[language]})")
    pattern = _COMPILED[language]
    covered = {line for first, last in inside for line in range(first, last + 1)}
    lines = split_lines(code)
    found: list[tuple[int, int]] = []
    number = 0
    while number < len(lines):
        if number in covered or pattern.match(lines[number]) is None:
            number += 1
            continue
        last = _end(lines, number)
        found.append((number, last))
        number = last + 1
    return found


def _end(lines: Sequence[str], first: int) -> int:
    """The last line of a statement: the one on which its brackets are closed, and no backslash follows."""
    depth = 0
    for number in range(first, min(first + _LONGEST, len(lines))):
        line = lines[number]
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        if depth <= 0 and not line.rstrip().endswith(("\\", ",")):
            return number
    return first
