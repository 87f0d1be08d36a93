"""The characters of a model's text that a reader could not see, or that would reorder what he sees. Pure.

Removed are control characters and terminal sequences, what has no width, bidirectional overrides and tags; entities
that hide a letter are written out, so that what follows sees the text as a client would.
"""

from __future__ import annotations

import re
import unicodedata

_TERMINAL = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]*[0-~])"
)
_ENTITY = re.compile(r"&(?:#[xX]0*([0-9a-fA-F]{1,6})|#0*([0-9]{1,7})|([A-Za-z]{2,24}));")
_NAMED = {"colon": ":", "Tab": "", "NewLine": "", "lpar": "(", "rpar": ")", "sol": "/"} | dict.fromkeys(
    ("ZeroWidthSpace", "zwnj", "zwj", "lrm", "rlm", "NoBreak", "shy", "NegativeMediumSpace", "NegativeThickSpace"), ""
)
_NO_WIDTH = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0")
_JOINERS = frozenset("\u200c\u200d\ufe0e\ufe0f")
"""Needed between letters of some scripts and within emoji, of no use beside ASCII."""
_BREAKS = frozenset("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
_PLAIN = re.compile(r"[\t -~]*\Z")


def cleaned(line: str) -> str:
    """A line (without its end) as a reader may see it.

    Args:
        line: one line of a model's text.
    """
    if "&" in line:
        line = _ENTITY.sub(_written_out, line)
    if _PLAIN.match(line):
        return line
    line = _TERMINAL.sub("", line)
    return "".join(_seen(one, line[at - 1 : at], line[at + 1 : at + 2]) for at, one in enumerate(line))


def _seen(one: str, before: str, after: str) -> str:
    if one in _BREAKS:
        return " "
    if one in _JOINERS:
        kept = before > "\x7f" and before not in _JOINERS and (one >= "\ufe00" or after > "\x7f")
        return one if kept and unicodedata.category(before) != "Cf" else ""
    if one == "\t":
        return one
    category = unicodedata.category(one)
    if category == "Cs":
        return "\ufffd"
    if category in {"Cc", "Cf", "Cn"} or one in _NO_WIDTH or "\U000e0100" <= one <= "\U000e01ef":
        return ""
    return "" if "\ufe00" <= one <= "\ufe0d" else one


def _written_out(found: re.Match[str]) -> str:
    """An entity that stands for a letter, a digit, a colon or for nothing that can be seen; others stay."""
    hexadecimal, decimal, name = found.groups()
    if name:
        return _NAMED.get(name, found[0])
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    if code > 0x10FFFF:
        return ""
    one = chr(code)
    if one in "\t\n\r":
        return " "
    if one.isascii() and (one.isalnum() or one in ":/()."):
        return one
    return found[0] if one == " " or _seen(one, "", "") == one else ""
