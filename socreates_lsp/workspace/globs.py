"""Path patterns: ``*`` and ``?`` within a name, ``**`` across folders, ``[...]`` and ``{a,b}``. Pure.

A pattern without a slash means a name at any depth. The expressions never backtrack far, whatever the pattern:
the leftmost place where a piece fits is as good as any later one for the pieces behind it, so only the last piece
of a name, and the last names of a path, are ever tried twice.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_ALTERNATIVES = 64
_PIECE = re.compile(r"\*+|\?|\[!?\]?[^\]/]*\]|.", re.DOTALL)
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_NOTHING = re.compile(r"(?!)")


class Globs:
    """Some patterns. ``below``: what lies in a folder that matches, matches as well."""

    def __init__(self, patterns: Iterable[str], *, ignore_case: bool = False, below: bool = False) -> None:
        """Read the patterns, which are relative to the root with forward slashes; empty ones match nothing."""
        self._ignore_case = ignore_case
        end = r"(?=/|\Z)" if below else r"\Z"
        found = [
            _regex(self._folded(one), end) for pattern in patterns for one in alternatives(pattern) if one.strip("/")
        ]
        self._regex = re.compile("|".join(f"(?:{one})" for one in found), re.DOTALL) if found else _NOTHING

    def match(self, path: str) -> bool:
        """Whether a path, relative to the root with forward slashes, matches any of the patterns."""
        return self._regex.match(self._folded(path)) is not None

    def _folded(self, text: str) -> str:
        return unicodedata.normalize("NFC", text).casefold() if self._ignore_case else text


def alternatives(pattern: str) -> list[str]:
    """A pattern without its braces, as all that it stands for; unchanged if that is too much."""
    found = [pattern]
    while any(_BRACES.search(one) for one in found):
        found = [
            one[: match.start()] + part + one[match.end() :] if match else one
            for one in found
            for match in [_BRACES.search(one)]
            for part in (match[1].split(",") if match else [""])
        ]
        if len(found) > _MOST_ALTERNATIVES:
            return [pattern]
    return found


def _regex(pattern: str, end: str) -> str:
    names = [name for name in pattern.removeprefix("./").split("/") if name]
    if "/" not in pattern.rstrip("/"):
        names.insert(0, "**")
    chunks: list[list[str]] = [[]]
    for name in names:
        if name == "**":
            chunks.append([])
        else:
            chunks[-1].append(_name(name))
    first, rest = chunks[0], [chunk for chunk in chunks[1:-1] if chunk]
    if len(chunks) == 1:
        return "/".join(first) + end
    middle = "".join(f"(?>(?:[^/]+/)*?{'/'.join(chunk)}/)" for chunk in rest)
    tail = f"(?:[^/]+/)*{'/'.join(chunks[-1])}{end}" if chunks[-1] else "."
    return "".join(f"{name}/" for name in first) + middle + tail


def _name(name: str) -> str:
    """The expression for one name: each star takes as little as what stands behind it allows."""
    pieces: list[list[str]] = [[]]
    for piece in _PIECE.findall(name):
        if piece[0] == "*":
            pieces.append([])
        else:
            pieces[-1].append(_character(piece))
    first, *starred = ("".join(piece) for piece in pieces)
    middle = "".join(f"(?>[^/]*?{piece})" for piece in starred[:-1] if piece)
    return first + middle + (f"[^/]*{starred[-1]}" if starred else "")


def _character(piece: str) -> str:
    if piece == "?":
        return "[^/]"
    if len(piece) < 3 or piece[0] != "[":
        return re.escape(piece)
    body = piece[1:-1]
    negated, body = body.startswith("!"), body.removeprefix("!")
    escaped = re.sub(r"[\\\[\]^&~|]", r"\\\g<0>", body)
    expression = f"(?!/)[{'^' if negated else ''}{escaped}]"
    try:
        re.compile(expression)
    except re.error:
        return re.escape(piece)
    return expression
