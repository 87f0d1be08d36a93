"""Sentences that say that there is nothing to say: they cite what was read, and are no points. Pure."""

from __future__ import annotations

import re

_LONGEST = 400
"""Characters of a message that are looked at."""

_THINGS = (
    r"(?:issues?|problems?|questions?|points?|findings?|concerns?|bugs?|faults?|remarks?|warnings?|comments?|candidates?"
    r"|errors?|defects?|doubts?)"
)
_NOTHING = re.compile(
    r"(?:no (?:\w+ ){0,2}" + _THINGS + r"\b(?! (?:handl|check|messag|report|cod|path|class|mark))"
    r"|nothing (?:to (?:ask|report|add|raise|say)|wrong|else|stands out|stood out|survives?|was found|found|suspicious"
    r"|is wrong|of note|more)\b"
    r"|none\b(?: (?:survives?|of (?:them|the candidates)|found|holds?))?\s*[.:;,]"
    r"|none (?:survives?|of the candidates)\b"
    r"|(?:i|we) (?:have )?(?:found|see|saw|have) (?:no|nothing)\b"
    r"|(?:all|everything|both|it all|the code|this) (?:\S+ ){0,4}(?:looks?|is|are|seems?|holds?) "
    r"(?:fine|good|ok|okay|correct|right|sound|safe)\b"
    r"|looks? (?:fine|good|ok|okay|correct)\b)",
    re.IGNORECASE,
)
_LOOKED = re.compile(
    r"(?:i|we) (?:have |also )?(?:checked|looked|read|verified|traced|reviewed|examined|went|raised|noted|asked)\b",
    re.IGNORECASE,
)
_YET = re.compile(
    r"\?|\b(?:but|however|though|although|except|yet|never|only|unless|wrong|leaks?|fails?|crash(?:es)?|loses?|hangs?"
    r"|raises?|missing|cannot|can't)\b",
    re.IGNORECASE,
)


def says_nothing(message: str) -> bool:
    """Whether a message, which no tag marks as a point, says that nothing was found, or only what was looked at."""
    start = message[:_LONGEST].lstrip(" \t>*_-•#`")
    if "?" in start:
        return False
    return bool(_NOTHING.match(start)) or (bool(_LOOKED.match(start)) and _YET.search(start) is None)
