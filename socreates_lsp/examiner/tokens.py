"""Source text as a flat row of tokens, alike for all languages: enough to see that two statements have one shape."""

from __future__ import annotations

import re
from dataclasses import dataclass

_STRING = r"\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
_REST = r"[^\W\d]\w*|\d[\w.]*|[^\w\s]"
_HASH = r"#[^\n]*"
_SLASHES = r"//[^\n]*|/\*.*?\*/"
_COMMENTS = {"python": _HASH, "php": f"{_HASH}|{_SLASHES}"}
_KEYWORDS = frozenset(
    {
        "if", "elif", "else", "for", "while", "do", "switch", "case", "default", "match", "try", "except", "catch",
        "finally", "with", "return", "raise", "throw", "break", "continue", "await", "async", "yield", "not", "and",
        "or", "in", "is", "new", "delete", "def", "function", "func", "fn", "let", "const", "var", "static", "del",
        "true", "false", "null", "nil", "None", "True", "False", "self", "this",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """``start`` is in code points from the start of the text. ``named``: a name, number or string."""

    text: str
    start: int
    named: bool


def _scanner(language: str, rest: str) -> re.Pattern[str]:
    comments = _COMMENTS.get(language, _SLASHES)
    return re.compile(f"(?P<comment>{comments})|(?P<string>{_STRING}){rest}", re.DOTALL)


_SCANNERS = {language: _scanner(language, f"|{_REST}") for language in ("python", "php", "")}
_LITERALS = {language: _scanner(language, "") for language in ("python", "php", "")}
_NAME = re.compile(r"\w+")
_SPACE = re.compile(r"\s+")


def skeleton(text: str, language: str) -> str:
    """What is left without comments, contents of strings, names and white space: a cheap, coarser ``shape``."""
    literals = _LITERALS.get(language, _LITERALS[""])
    return _SPACE.sub("", _NAME.sub("a", literals.sub(_keep_quote, text)))


def _keep_quote(found: re.Match[str]) -> str:
    return found[0][0] if found["comment"] is None else ""


def tokens(text: str, language: str) -> list[Token]:
    """The tokens of a piece of source, comments and white space left out."""
    scanner = _SCANNERS.get(language, _SCANNERS[""])
    return [
        Token(found[0], found.start(), found[0] not in _KEYWORDS and (found[0][0].isalnum() or found[0][0] in "_\"'`"))
        for found in scanner.finditer(text)
        if found["comment"] is None
    ]


def shape(row: list[Token]) -> tuple[str, ...]:
    """What is equal in statements that differ only in names, numbers and strings."""
    return tuple(_class(token.text) if token.named else token.text for token in row)


def _class(text: str) -> str:
    return "0" if text[0].isdigit() else text[0] if text[0] in "\"'`" else "a"
