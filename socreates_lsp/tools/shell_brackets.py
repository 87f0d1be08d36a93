"""Where a bracket of a shell line closes, whatever is quoted between. Pure."""

from __future__ import annotations

_CLOSING = {"(": ")", "{": "}"}


def closing(text: str, start: int) -> int | None:
    """Where the bracket at ``start`` (a round or a curly one) closes; None if it does not."""
    opening, end = text[start], _CLOSING[text[start]]
    depth, at, quote = 0, start, ""
    while at < len(text):
        character = text[at]
        if character == "\\" and quote != "'":
            at += 1
        elif quote:
            quote = "" if character == quote else quote
        elif character in "'\"`":
            quote = character
        elif character == opening:
            depth += 1
        elif character == end:
            depth -= 1
            if not depth:
                return at
        at += 1
    return None
