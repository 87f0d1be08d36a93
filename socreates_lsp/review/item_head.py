"""The first line of an item: marker, tags, place, category, and the prose that is left. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.review.item_blocks import HEADING, LABEL, MARKER, WORD_TAG, Block, Opening, tag_of
from socreates_lsp.review.labels import category_called, kind_called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.review.citations import Citation
    from socreates_lsp.review.item_reading import Reading

_OPENERS = "*_`[(<\"'“«（ \t"
_NUMBERED = re.compile(r"(?:\d{1,3}[.):]|#?\d{1,3}[ \t]*[–—-])[ \t]+")
_BETWEEN_CITATIONS = re.compile(r"[\s`*_,;&)\](\[]*(?:and|und|et|y|и|和)?[\s`*_,;&)\](\[]*")
_CLOSERS = re.compile(r"[*_`\])>\"'”»）]{0,6}(?:\((?:[^()\s]|\([^()\s]*\)){1,500}\))?[*_`\])>\"'”»）]{0,6}")
_SEPARATOR = re.compile(r"[ \t]*(?:[:：|–—-]+(?=\s|\Z|[*_`(\[])|[,;](?=\s))[ \t]*")
_CATEGORY = re.compile(
    r"[ \t]*(?:[Cc]ategory[ \t]*[:=][ \t]*)?(?P<open>[*_`(\[{]{0,4})"
    r"(?P<name>[A-Za-z][A-Za-z/&_-]*(?:[ \t][A-Za-z]+){0,2}?)"
    r"(?P<close>[*_`)\]}]{0,4})"
    r"(?:(?P<sentence>(?=[ \t]+[A-Z`\"“]))|[ \t]*\Z|[ \t]*[:：|]|[ \t]+[–—-]+(?=\s)|[ \t]*[.,;](?=\s|\Z))"
)
_UNKNOWN = re.compile(r"[ \t]*[*_`(\[]{0,4}[a-z]+(?:[-_/][a-z]+)*[*_`)\]]{0,4}[ \t]*")
_NAME_OF_FILE = 2
"""Words that a file is named with, at most, where nothing else is said."""
_ASKS = re.compile(
    r"(?:why|what|which|who|whose|when|where|how|is|are|was|were|do|does|did|can|could|should|would|will|has|have|if|in|on"
    r"|at|after|before|the|this|that|these|there)\b"
)


def first_prose(block: Block, places: Sequence[Citation], reading: Reading) -> str:
    """The prose of the first line; what else it says goes to ``reading``."""
    line = block.lines[0]
    text, heading = line.text, block.opening is Opening.HEADING
    at = next((found.end() for found in (HEADING.match(text), MARKER.match(text)) if found), 0)
    numbered = _NUMBERED.match(text, at) if HEADING.match(text) else None
    at = numbered.end() if numbered else at
    bracketed = tag_of(text, at) is not None
    label = None if block.opening is Opening.TAG else LABEL.match(text, at)
    at = label.end() if label and (label["place"] or label["message"]) else at
    at = _tags(text, at, reading)
    inside = [place for place in places if place.finish <= line.finish]
    head = _head(text, at, line.begin, inside)
    if head is None and label and label["place"] and len(text[at:].split()) <= _NAME_OF_FILE:
        return ""
    if head is None:
        return _balanced(_without_tail(text, at, line.begin, inside) if heading else text[at:])
    rest = _behind(text, head, reading, tagged=bracketed)
    return text[at:].strip() if rest is None else _balanced(rest)


def _tags(text: str, at: int, reading: Reading) -> int:
    """Read tags in brackets, or a kind with a colon; gives the place behind them."""
    found = tag_of(text, at)
    bracketed = found is not None
    while found is not None:
        for word in (found["tag"], *re.split(r"[/,:|;·–—]|[ \t]-[ \t]", found["tag"])):
            reading.call(word)
        at = found.end()
        found = tag_of(text, at)
    word_tag = None if bracketed else WORD_TAG.match(text, at)
    if word_tag is None or kind_called(word_tag["tag"]) is None:
        return at
    reading.call(word_tag["tag"])
    return word_tag.end()


def _head(text: str, at: int, begin: int, places: Sequence[Citation]) -> int | None:
    """Where the citations end with which the line begins at ``at``; None if it begins with something else."""
    starts = {one.begin - begin for one in places}
    while at < len(text) and text[at] in _OPENERS and at not in starts:
        at += 1
    if at not in starts:
        return None
    end = at
    for one in places:
        start = one.begin - begin
        if start == at or (start >= end > at and _BETWEEN_CITATIONS.fullmatch(text, end, start)):
            end = one.finish - begin
    closers = _CLOSERS.match(text, end)
    return closers.end() if closers else end


def _behind(text: str, at: int, reading: Reading, *, tagged: bool) -> str | None:
    """The prose behind the citations of the head; None if they are a part of its sentence."""
    separator = _SEPARATOR.match(text, at)
    start = separator.end() if separator else at
    category = _category(text, start, reading, tagged=tagged)
    if category is not None:
        return text[category:].lstrip(" \t:：|.,;-–—")
    rest = text[start:].strip()
    if separator is not None or not rest:
        return rest
    if not text[at].isspace() or (rest[0].islower() and not (tagged and _ASKS.match(rest))):
        return None
    return rest


def _category(text: str, at: int, reading: Reading, *, tagged: bool) -> int | None:
    """Read a category at this place; gives the place behind it, None if there is none.

    An unknown one is passed over where nothing else stands on the line. A known one that prose follows directly
    counts only behind a tag and as its own name, since it may as well be the first word of a sentence.
    """
    found = _CATEGORY.match(text, at)
    category = category_called(found["name"]) if found else None
    if found is None or category is None:
        return len(text) if tagged and _UNKNOWN.fullmatch(text, at) else None
    exact = found["name"].lower().replace("_", "-") == category.value
    if found["sentence"] is not None and not found["open"] and not (tagged and exact):
        return None
    reading.category = reading.category or category
    return found.end()


def _without_tail(text: str, at: int, begin: int, places: Sequence[Citation]) -> str:
    """A title without the place at its end."""
    for place in places:
        title = text[at : place.begin - begin].rstrip("`*_ \t")
        if title.endswith(("(", "[", "—", "–", ":", "-")) and not text[place.finish - begin :].strip(" \t`*_)].:"):
            return title.rstrip("([—–:- \t")
    return text[at:]


def _balanced(rest: str) -> str:
    """What is left, without emphasis at an end that has lost its other half."""
    rest = rest.strip()
    for mark in ("**", "__"):
        if rest.count(mark) % 2:
            rest = rest.removeprefix(mark) if rest.startswith(mark) else rest.removesuffix(mark)
    return rest.strip()
