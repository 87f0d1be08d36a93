"""The words inside names: ``min_x`` is min and x, ``readHTTPBody`` is read, HTTP and Body."""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")


def words(name: str) -> list[str]:
    """The words of a name in lower case, numbers apart. Nothing for a name of underscores."""
    return [word.lower() for word in _WORD.findall(name)]
