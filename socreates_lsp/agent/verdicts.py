"""Lines in which a model says what became of a lead or a candidate: dropped or kept, and why. Pure.

Such a line is no point. A model that was asked to write ``Dropped lead-1: reason`` also writes ``lead-1: dropped,
...``, ``lead-1 is a false positive``, or a list under ``Dropped:``. Linear in the length of the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 2000
"""Characters of a line that are looked at."""

_MARKUP = " \t>*_-•#`~|—–"
_TAG = re.compile(r"\[(\w{3,12})\]")
_NUMBERED = re.compile(r"\d{1,3}[.)]\s")
_LABEL = re.compile(r"\bleads?[- ]?#?(\d{1,3})\b", re.IGNORECASE)
_PLACE = re.compile(r"[\w./\\()\[\]-]{1,200}:\d{1,6}(?:-\d{1,6})?")
_RULE = re.compile(r"\b[a-z]{1,12}(?:-[a-z0-9]{1,20}){1,6}\b|\bruff-[A-Z]{1,6}\d{1,4}\b")
_DROPS = re.compile(
    r"\b(?:drop(?:s|ped|ping)?|discard(?:s|ed|ing)?|withdr(?:aw|awn|ew)|withdrawing|refute[sd]?|refuting|rejected|reject"
    r"|dismiss(?:ed)?|false[ -]positives?|(?:does|do|did)(?: not|n't) (?:hold|apply|survive)"
    r"|not (?:an? )?(?:real )?(?:issue|problem|bug)|no (?:issue|problem)|not valid|invalid|unfounded)\b",
    re.IGNORECASE,
)
_KEEPS = re.compile(r"\b(?:confirm(?:s|ed)?|keep|kept|holds?|stands?|valid|survives?|real)\b", re.IGNORECASE)
_SPLIT = re.compile(r"[:;—–]|\s-\s|[.,](?:\s|$)|\s(?:because|since|as)\s", re.IGNORECASE)
_FILLER = frozenset(
    {
        "i", "i'm", "i'd", "i'll", "am", "is", "was", "were", "are", "be", "been", "has", "have", "had", "would",
        "should", "can", "a", "an", "the", "it", "its", "this", "that", "these", "those", "and", "or", "me", "of",
        "on", "in", "at", "from", "for", "as", "to", "by", "lead", "leads", "candidate", "candidates", "point",
        "points", "finding", "findings", "line", "file", "also", "so", "both", "all", "remark", "remarks",
        "question", "one", "two",
    }
)  # fmt: skip
_FIRST = re.compile(rf"(?:{_LABEL.pattern}|{_PLACE.pattern}|{_RULE.pattern})", re.IGNORECASE)

_MOST_OTHER_WORDS = 1
"""Words in front of the reason that are neither a verdict, nor what it is about, nor filler."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a line says. ``about`` are its words for what it judges: labels, rules and places; none for a heading."""

    drops: bool
    about: str
    reason: str


def read(answer: str) -> Iterator[tuple[str, Verdict | None]]:
    """Each line of an answer, with the verdict that it is, if it is one.

    What is read of whole lines is the same in every longer answer that begins with them.
    """
    heading: Verdict | None = None
    tagged = False
    for line in answer.split("\n"):
        text = line[:_LONGEST].strip(_MARKUP + "\r")
        if not text:
            tagged = False
            yield line, None
            continue
        if tagged and not _TAG.match(text):
            yield line, Verdict(drops=True, about="", reason="")
            continue
        verdict = _of(text)
        if verdict is None and heading is not None and _is_listed(line) and not _TAG.match(text):
            item = text.lstrip("+0123456789.) `*_")
            first = _FIRST.match(item)
            about = "" if first is None else first[0]
            verdict = Verdict(heading.drops, about or item, item[len(about) :].strip(_MARKUP + ":,. "))
        elif verdict is None or verdict.about.strip():
            heading = None if verdict is None else heading
        if verdict is not None and not verdict.about.strip():
            heading = verdict
        tagged = verdict is not None and _TAG.match(text) is not None
        yield line, verdict


def _is_listed(line: str) -> bool:
    stripped = line.lstrip()
    return stripped.startswith(("-", "*", "•", "+")) or bool(_NUMBERED.match(stripped)) or bool(_LABEL.match(stripped))


def _of(text: str) -> Verdict | None:
    """The verdict that a line is, as far as its head tells."""
    numbered = _NUMBERED.match(text)
    if numbered is not None:
        text = text[numbered.end() :].lstrip(_MARKUP)
    tag = _TAG.match(text)
    if tag is not None:
        return _tagged(tag[1], text[tag.end() :].strip(_MARKUP + ":"))
    head, reason = _parted(text)
    found = _verdict_in(head)
    if found is not None and not _is_short(head):
        return None
    if found is not None and not _about(head) and (first := _FIRST.match(reason)) is not None:
        return Verdict(found, first[0], reason[first.end() :].strip(_MARKUP + ":,."))
    if found is not None:
        return Verdict(found, _about(head), reason)
    # "lead-2: dropped, callers count on None"
    if reason and _about(head) and not _other_words(head):
        verdict, more = _parted(reason)
        found = _verdict_in(verdict)
        only = _LABEL.search(head) is not None or _is_short(verdict)
        if found is not None and only and _starts_with_verdict(verdict):
            return Verdict(found, _about(head), more or _behind_verdict(verdict))
    return None


def _tagged(tag: str, rest: str) -> Verdict | None:
    """``[dropped] lead-2 reason``: the tag says it all."""
    if _DROPS.fullmatch(tag) is None:
        return None
    about = _about(rest)
    _, _, reason = rest.rpartition(about.split(" ")[-1]) if about else ("", "", rest)
    return Verdict(drops=True, about=about, reason=reason.strip(_MARKUP + ":,."))


def _parted(text: str) -> tuple[str, str]:
    """A line up to where the reason begins, and the reason. The colon of a place parts nothing."""
    for found in _SPLIT.finditer(text):
        if found[0] == ":" and text[found.end() : found.end() + 1].isdigit():
            continue
        if found[0].strip() == "," and _LABEL.match(text[found.end() :].lstrip()):
            continue
        return text[: found.start()].strip(_MARKUP), text[found.end() :].strip(_MARKUP)
    return text.strip(_MARKUP + "."), ""


def _verdict_in(head: str) -> bool | None:
    """Whether a head drops (True) or keeps (False); None if it does neither."""
    if _DROPS.search(head):
        return True
    return False if _KEEPS.search(head) and _about(head) and not _other_words(head) else None


def _about(text: str) -> str:
    """The labels, places and rules in a text."""
    return " ".join([found[0] for pattern in (_LABEL, _PLACE, _RULE) for found in pattern.finditer(text)])


def _other_words(head: str) -> list[str]:
    """The words of a head that are neither a verdict, nor what it is about, nor filler."""
    rest = head
    for pattern in (_LABEL, _PLACE, _RULE, _DROPS, _KEEPS):
        rest = pattern.sub(" ", rest)
    return [word for word in re.findall(r"[^\W\d_][\w']*", rest) if word.lower() not in _FILLER]


def _is_short(head: str) -> bool:
    """Whether a head says a verdict and hardly anything else: about something by name, or as a heading."""
    others = _other_words(head)
    return len(others) <= _MOST_OTHER_WORDS if _about(head) else not others


def _starts_with_verdict(text: str) -> bool:
    found = _DROPS.search(text) or _KEEPS.search(text)
    return found is not None and not _other_words(text[: found.start()])


def _behind_verdict(text: str) -> str:
    found = _DROPS.search(text) or _KEEPS.search(text)
    return "" if found is None else text[found.end() :].strip(_MARKUP + ",.")
