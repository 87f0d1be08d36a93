"""Text of others made fit for a terminal: nothing in it commands the terminal, turns the order of characters
around, or cannot be written in the terminal's encoding. Pure.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_HIDDEN = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Control and format characters (bidirectional overrides among them), line separators. No encoding takes lone
surrogates."""

_JOINERS = frozenset("\u200c\u200d")
"""Emoji and several scripts need them; between ASCII letters they only hide something."""

_TYPEWRITTEN = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "→": "->", "·": "-", "\u00a0": " "}
)


def printable(text: str, encoding: str = "utf-8") -> str:
    """The text with everything written as ``\\x1b`` or ``\\u202e`` that a terminal must not get."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(pieces(text, encoding))


def pieces(text: str, encoding: str = "utf-8") -> list[str]:
    """What stands for each code point of the text, one string each."""
    around = f" {text} "
    return [
        ch if _is_fine(ch, encoding) or _joins(around[index], ch, around[index + 2], encoding) else _spelled(ch)
        for index, ch in enumerate(text)
    ]


def prose(text: str, encoding: str = "utf-8") -> str:
    """A sentence on one line; typographic signs become plain ones where the encoding has none."""
    line = " ".join(text.split())
    return printable(line if _is_fine(line, encoding) else line.translate(_TYPEWRITTEN), encoding)


@lru_cache(maxsize=4096)
def _is_fine(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeError, LookupError):
        return text.isascii() and text.isprintable()
    return all(unicodedata.category(ch) not in _HIDDEN for ch in text)


def _joins(before: str, ch: str, after: str, encoding: str) -> bool:
    return ch in _JOINERS and not before.isascii() and not after.isascii() and _takes(encoding, before + ch + after)


def _takes(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def _spelled(ch: str) -> str:
    code = ord(ch)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
