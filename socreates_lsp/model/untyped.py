"""What came as JSON, read without trust: each function gives the value, or an empty one of its type. Pure."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_HALF = re.compile("[\ud800-\udfff]")


def parsed(source: str | bytes) -> object:
    """The value of a JSON text. Raises ValueError, and nothing else, if it is none (too deep a nesting included)."""
    try:
        return json.loads(source)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def table(value: object) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def items(value: object) -> Sequence[Any]:
    """The value if it is an array, else an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def words(value: object) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def count(value: object) -> int:
    """The value if it is a number of at least 0, rounded down, else 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e15:
        return 0
    return int(value)


def whole_text(pieces: str) -> str:
    """The text with halves of surrogate pairs joined, and a half that stands alone replaced by U+FFFD.

    JSON can spell a character beyond U+FFFF as two escapes, and a server that cuts between them sends halves.
    """
    if pieces.isascii() or _HALF.search(pieces) is None:
        return pieces
    return pieces.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
