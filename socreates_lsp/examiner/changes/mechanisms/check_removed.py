"""A check that stopped a function early is gone, while what it looked at is still used."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.checks import Check, checks, leaves
from socreates_lsp.examiner.changes.code import calls, indent, is_closer, names, squeezed, words
from socreates_lsp.examiner.changes.spot import MOST_RELATED, Spot
from socreates_lsp.examiner.hit import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.pairing import Pair

_OLD_VERSIONS = re.compile(
    r"version|PY[23]|\bsix\b|platform|os\.name|NODE_ENV|__DEV__|\bDEBUG\b|feature|\bflag|deprecat|TYPE_CHECKING|legacy|compat|"
    r"experiment|verbose|\b[A-Z_]*TESTING\b|\bwarn",
    re.IGNORECASE,
)
"""A check for these goes when support for something goes."""

_DECIDES = re.compile(
    r"\b(?:if|elif|unless|switch|match|when|guard|case|while|until|filter|min|max|clamp|Math|"
    r"\w*(?:assert|require|validate|verify|check|ensure)\w*|schema|default|except|catch|rescue|in)\b|\?|&&|\|\||\bor\b|\band\b",
    re.IGNORECASE,
)


_SWEEP = 3
"""From so many equal checks on, taking them out is one decision, and one question."""


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """``fails: true`` looks at checks that raise or end the program, else at those that leave quietly."""
    found = [spot for pair in changes.stretches for spot in _missed(changes, pair, fails=options["fails"])]
    alike: dict[str, list[Spot]] = {}
    for spot in found:
        key = next(calls(spot.parts["CONDITION"]), spot.parts["CONDITION"])
        alike.setdefault(key, []).append(spot)
    for spots in alike.values():
        if len(spots) < _SWEEP:
            yield from spots
        else:
            others = (Place(spot.path, spot.first, spot.last, options["note"]) for spot in spots[1 : MOST_RELATED + 1])
            yield replace(spots[0], related=tuple(others))


def _missed(changes: Changeset, pair: Pair, *, fails: bool) -> Iterator[Spot]:
    if pair.moved or not pair.new.name or not pair.removed:
        return
    start = pair.old.head if pair.old.head == pair.old.last else pair.old.head + 1
    for check in checks(pair.before.old_code, start, pair.old.last):
        if check.fails == fails and pair.owns_old(check.first) and _is_missed(changes, pair, check):
            line = pair.place(check.first)
            yield Spot(pair.after.path, line, line, {"CONDITION": check.condition, "FUNCTION": pair.new.name})


def _is_missed(changes: Changeset, pair: Pair, check: Check) -> bool:
    code, new = pair.before.old_code, pair.after.new_code
    whole = code.joined(check.first, check.last)
    lines = [n for n in range(check.first, check.last + 1) if code.lines[n].strip() and not is_closer(code.lines[n])]
    if not lines or not all(n in pair.before.removed for n in lines) or _is_elsewhere(changes, code.raw, lines):
        return False
    if (
        _is_in_something_gone(pair, check)
        or _OLD_VERSIONS.search(whole)
        or re.search(r"[eE]rr\w*\s*[!=]=\s*nil", check.condition)
    ):
        return False
    about = _about(pair, check)
    body = new.joined(pair.new.head if pair.new.head == pair.new.last else pair.new.head + 1, pair.new.last)
    if not about & words(body) or any(_is_counterpart(new.lines[n], about) for n in pair.added):
        return False
    return not _is_rewritten(pair, lines) and _goes_on(pair, check)


def _about(pair: Pair, check: Check) -> set[str]:
    """What a check looks at: the names in its condition, an error, and the call that gave it."""
    condition = re.sub(r"\"[^\"]*\"|'[^']*'", "", check.condition)
    about = names(condition) | (words(condition) & {"err", "error", "e", "exc"})
    code = pair.before.old_code
    for line in range(max(check.first - 2, pair.old.first), check.first):
        given = re.match(r"(?P<left>[^=(]*)[^=!<>]=(?!=)(?P<right>.*)", code.lines[line])
        if given is not None and about & words(given["left"]):
            about |= set(calls(given["right"]))
    return about


def _is_in_something_gone(pair: Pair, check: Check) -> bool:
    """Whether the check went with the block around it."""
    code = pair.before.old_code
    depth = indent(code.lines[check.first])
    above = range(check.first - 1, pair.old.head, -1)
    around = next((n for n in above if code.lines[n].strip() and indent(code.lines[n]) < depth), None)
    return around is not None and around in pair.before.removed


def _is_elsewhere(changes: Changeset, raw: Any, lines: list[int]) -> bool:
    """Whether the check, or what it does, was added in another place."""
    return any(changes.added_lines[squeezed(raw(n))] for n in lines if len(squeezed(raw(n))) > 12)


def _is_counterpart(line: str, about: set[str]) -> bool:
    return leaves(line) or bool(_DECIDES.search(line) and about & names(line))


def _is_rewritten(pair: Pair, lines: list[int]) -> bool:
    """Whether so much of the function changed that a single check says nothing."""
    size = max(pair.old.last - pair.old.head, 1)
    other = [n for n in pair.removed if n not in lines]
    return len(other) > max(4, size * 0.4) or len(pair.added) > max(6, size * 0.5)


def _goes_on(pair: Pair, check: Check) -> bool:
    """Whether code that ran after the check is still there as it was, and does more than to leave."""
    code = pair.before.old_code
    after = [
        n for n in range(check.last + 1, pair.old.last + 1) if code.lines[n].strip() and not is_closer(code.lines[n])
    ]
    kept = [n for n in after if n not in pair.before.removed]
    return bool(kept) and not re.match(r"\s*(?:raise|throw|panic)\b", code.lines[kept[0]])
