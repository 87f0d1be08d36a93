"""Whether a text looks as if it held a secret: a key, a token, a password. Pure.

It is meant to refuse too much rather than too little: whoever is refused can say it without the value.
"""

from __future__ import annotations

import re
from itertools import pairwise

_KNOWN = re.compile(
    r"""
    -----BEGIN[ A-Z0-9]*PRIVATE\ KEY
    | \b(?:AKIA|ASIA)[0-9A-Z]{16}\b                            # AWS
    | \b(?:gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|dop_v1_|shpat_|xox[abeoprs]-|(?:sk|pk|rk)[-_])[A-Za-z0-9_-]{12,}
    | \bAIza[0-9A-Za-z_-]{30,}                                 # Google
    | \beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}                # a JSON Web Token
    | \bhooks\.slack\.com/services/\S+
    | [a-z][a-z0-9+.-]*://[^\s/:@]{0,80}:[^\s/@]{1,200}@       # a password in an address
    """,
    re.VERBOSE,
)
_NAMED = re.compile(
    r"""(?:passwor[dt]|passwd|passphrase|pwd|secret|token|credentials?|(?:api|access|private|secret|signing)[-_ ]?key
    |bearer|authorization)s?["']?\s*
    (?:(?P<sign>:=|=>|[=:])|\bis\b|\bare\b|(?=\s[^\s]))\s*(?P<value>"[^"\n]{4,}"|'[^'\n]{4,}'|[^\s,;"']{4,})""",
    re.VERBOSE | re.IGNORECASE,
)
_NO_VALUE = re.compile(r"[$<{%]|os\.|env\b|getenv|process\.|settings\.|config\.|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|\S*\(")
"""What stands for a value and is none: a variable, a placeholder, a call."""

_RUN = re.compile(r"[A-Za-z0-9+/_=-]{24,}")
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]{32,}")


def looks_secret(text: str) -> bool:
    """See the module."""
    return (
        _KNOWN.search(text) is not None
        or any(map(_has_value, _NAMED.finditer(text)))
        or _HEXADECIMAL.search(text) is not None
        or any(map(_is_random, _RUN.findall(text)))
    )


def _has_value(match: re.Match[str]) -> bool:
    """Whether what stands behind ``password`` is one. Behind a word it has to look like none of a language."""
    value = match["value"]
    if _NO_VALUE.match(value.strip("\"'`")):
        return False
    if value[0] in "\"'":
        return match["sign"] is not None or any(map(str.isdigit, value))
    bare = value.strip("`.,;:!?)")
    odd = any(map(str.isdigit, bare)) or any(one in "!@#$%^&*+=~" for one in bare)
    return len(bare) >= 4 and odd and ":" not in bare and "/" not in bare


def _is_random(run: str) -> bool:
    """Digits among large and small letters, again and again, as no name has them."""
    if not (any(map(str.isdigit, run)) and any(map(str.isupper, run)) and any(map(str.islower, run))):
        return False
    kinds = ["d" if one.isdigit() else "u" if one.isupper() else "l" if one.islower() else "-" for one in run]
    changes = sum(one != other for one, other in pairwise(kinds))
    return changes * 3 >= len(run)
