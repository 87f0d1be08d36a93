"""The quotation of an item: which lines of its block it is, and what it says. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.review.item_blocks import FENCE, LABEL, Line
from socreates_lsp.review.item_reading import WHOLE_CODE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_QUOTED = re.compile(r"[ \t]{0,12}>[ \t]?")


def quotation_of(lines: Sequence[Line]) -> tuple[frozenset[int], str | None]:
    """Which lines are the quotation, and what it says: the first ``>`` lines, or code before any prose."""
    first = next((at for at, line in enumerate(lines) if at and not line.fenced and _QUOTED.match(line.text)), None)
    code = _code_below(lines)
    if code and (first is None or code[0] < first):
        return frozenset(range(code[0], code[1])), _code_of(lines[code[0] : code[1]])
    if first is None:
        return frozenset(), None
    last = first
    while last < len(lines) and _QUOTED.match(lines[last].text):
        last += 1
    kept = [_QUOTED.sub("", line.text, count=1) for line in lines[first:last]]
    return frozenset(range(first, last)), _unwrapped(kept)


def _code_below(lines: Sequence[Line]) -> tuple[int, int] | None:
    """A fenced block or a line of code directly below the first line, blank lines and a label forgiven."""
    at = 1
    while at < len(lines) and (not lines[at].text.strip() or _is_label_of_quote(lines[at].text)):
        label = LABEL.match(lines[at].text)
        if label and WHOLE_CODE.fullmatch(lines[at].text[label.end() :]):
            return at, at + 1
        at += 1
    if at >= len(lines):
        return None
    if lines[at].fenced:
        end = at + 1
        while end < len(lines) and not (lines[end].fenced and _closes(lines[end].text, lines[at].text)):
            end += 1
        return at, min(end + 1, len(lines))
    return (at, at + 1) if WHOLE_CODE.fullmatch(lines[at].text) else None


def _closes(text: str, opening: str) -> bool:
    mark, opened = FENCE.match(text), FENCE.match(opening)
    return bool(mark and opened and mark["mark"].startswith(opened["mark"]) and not text[mark.end() :].strip())


def _is_label_of_quote(text: str) -> bool:
    label = LABEL.match(text)
    return label is not None and label["quote"] is not None


def _code_of(lines: Sequence[Line]) -> str | None:
    if lines[0].fenced:
        inner = [line.text for line in lines[1:]]
        return _unwrapped(inner[:-1] if inner and _closes(inner[-1], lines[0].text) else inner)
    label = LABEL.match(lines[0].text)
    code = WHOLE_CODE.fullmatch(lines[0].text[label.end() if label else 0 :])
    return _unwrapped([code["code"].strip()]) if code else None


def _unwrapped(lines: Iterable[str]) -> str | None:
    """The lines without blank ones around them, without the backticks or the fence that wraps them; None if empty."""
    kept = [line.rstrip() for line in lines]
    while kept and (not kept[0].strip() or FENCE.match(kept[0])):
        del kept[0]
    while kept and (not kept[-1].strip() or FENCE.match(kept[-1])):
        del kept[-1]
    code = WHOLE_CODE.fullmatch(kept[0]) if len(kept) == 1 else None
    return (code["code"].strip() if code else "\n".join(kept)) if kept else None
