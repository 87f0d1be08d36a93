"""A call stays, but its failure is no longer looked at: Go's ``err``, a ``.catch``, ``|| exit``, ``or die``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import Code, calls
from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.pairing import Pair

_CHAINED = frozenset({"javascript", "typescript", "tsx", "html"})
_SHELLS = frozenset({"bash", "perl", "php", "powershell", "ruby", "make"})

_GO_CALL = re.compile(
    r"^\s*(?:if\s+|return\s+)?(?:(?P<left>[\w.,\s*]+?)\s*:?=\s*)?(?P<call>[\w.]+(?:\([^()]*\)\.\w+)*)\("
)
_ERROR_NAME = re.compile(r"(?:\w*[eE]rr\w*|ok)")
_STOPS = re.compile(r"^\s*set\s+(?:-[a-z]*e[a-z]*\b|-o\s+errexit)")
_TAIL = re.compile(
    r"\s+rescue\s.*$|\s*(?:\|\||\bor\b)\s*(?:\{|exit|return|die|fail\w*|error\w*|abort|croak|throw|echo|true\b|:).*$"
)


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    line: int
    checked: bool


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:  # noqa: ARG001  (every mechanism's form)
    """Each language by its own way to check."""
    for pair in changes.stretches:
        if pair.after.language == "go" and pair.new.name:
            yield from _go(pair)
        elif pair.after.language in _CHAINED:
            yield from _chained(pair)
        elif pair.after.language in _SHELLS:
            yield from _tails(pair)


def _go(pair: Pair) -> Iterator[Spot]:
    old = list(_go_calls(pair.before.old_code, pair.old.first, pair.old.last))
    new = list(_go_calls(pair.after.new_code, pair.new.first, pair.new.last))
    for name in dict.fromkeys(call.name for call in old):
        before = [call for call in old if call.name == name]
        after = [call for call in new if call.name == name]
        unchecked = [call for call in after if not call.checked]
        if len(unchecked) > sum(not call.checked for call in before) and len(after) <= len(before):
            lost = [call for call in unchecked if _is_near_change(pair, call.line)]
            if lost and any(call.checked for call in before):
                yield Spot(
                    pair.after.path, lost[0].line, lost[0].line, {"CALL": name.rpartition(".")[2], "CHECK": "err"}
                )


def _go_calls(code: Code, first: int, last: int) -> Iterator[_Call]:
    """The calls of a function, and whether their error is looked at before it is set again."""
    for line in range(first + 1, last + 1):
        text = code.lines[line]
        found = _GO_CALL.match(text)
        if found is None or re.match(r"\s*(?:func|for|switch|defer|go|case|var|type)\b", text):
            continue
        name = found["call"]
        if re.match(r"\s*return\b", text):
            yield _Call(name, line, checked=True)
            continue
        left = [part.strip() for part in (found["left"] or "").split(",")]
        error = next((part for part in left if _ERROR_NAME.fullmatch(part)), None)
        if re.match(r"\s*if\b.*[!=]= nil\b", text):
            yield _Call(name, line, checked=True)
        elif error is not None:
            yield _Call(name, line, checked=_is_read(code, error, line, last))
        else:
            yield _Call(name, line, checked=False)


def _is_read(code: Code, error: str, line: int, last: int) -> bool:
    word = re.compile(rf"\b{re.escape(error)}\b")
    rest = code.lines[line].partition("=")[2]
    if word.search(rest.partition("=")[2] if ":=" in code.lines[line] else rest):
        return True
    for number in range(line + 1, last + 1):
        text = code.lines[number]
        if word.search(text):
            # Set again without a look: ``x, err = g()``, but ``err = wrap(err)`` reads it.
            target = re.match(rf"\s*(?:if\s+)?[\w.,\s*]*\b{re.escape(error)}\s*:?=(?!=)", text)
            return target is None or bool(word.search(text[target.end() :]))
    return False


def _is_near_change(pair: Pair, line: int) -> bool:
    hunks = pair.after.hunks
    return any(h.new_start - 2 <= line <= h.new_start + max(len(h.added), 1) + 1 for h in hunks)


def _chained(pair: Pair) -> Iterator[Spot]:
    code, new = pair.before.old_code, pair.after.new_code
    now = new.joined(pair.new.begin, pair.new.last)
    lost = [line for line in pair.removed if re.search(r"\.catch\s*\(", code.lines[line]) and pair.owns_old(line)]
    before = code.joined(pair.old.begin, pair.old.last)
    if not lost or now.count(".catch") >= before.count(".catch"):
        return
    if any(re.search(r"\btry\b|\bcatch\b", new.lines[line]) for line in pair.added):
        return
    covered = {n for block in pair.new_blocks for n in range(block.first, block.last + 1)}
    for line in lost:
        head = _statement_start(code, line, pair.old.begin)
        started = set(calls(code.joined(head, line).partition(".catch")[0])) - {"then", "finally", "catch", "all"}
        bare = [
            n
            for n in range(pair.new.begin, pair.new.last + 1)
            if n not in covered and started & set(calls(new.lines[n]))
        ]
        if bare:
            wanted = pair.place(line)
            place = min(bare, key=lambda n: abs(n - wanted))
            name = next(one for one in calls(new.lines[place]) if one in started)
            yield Spot(pair.after.path, place, place, {"CALL": name, "CHECK": ".catch"})
            return


def _statement_start(code: Code, line: int, first: int) -> int:
    """The first line of the statement: a line that starts with a dot or a bracket goes on with the one before."""
    while line > first and re.match(r"\s*(?:[.)}\]?]|$)", code.lines[line]):
        line -= 1
    return line


def _tails(pair: Pair) -> Iterator[Spot]:
    yield from _no_stop(pair)
    now = {pair.after.new_code.lines[line].strip().rstrip(";"): line for line in pair.added}
    for line in pair.removed:
        text = pair.before.old_code.lines[line].strip().rstrip(";")
        bare = _TAIL.sub("", text).rstrip(" ;\\")
        if bare != text and len(bare) > 3 and bare in now:
            name = bare.split()[0]
            yield Spot(pair.after.path, now[bare], now[bare], {"CALL": name, "CHECK": text[len(bare) :].split()[0]})


def _no_stop(pair: Pair) -> Iterator[Spot]:
    """``set -e`` is gone from a shell script."""
    code, new = pair.before.old_code, pair.after.new_code
    if pair.after.language != "bash" or any(_STOPS.match(line) for line in new.lines):
        return
    for line in pair.removed:
        if _STOPS.match(code.lines[line]) and pair.owns_old(line) and not pair.new.name:
            place = pair.place(line)
            following = new.lines[place].split()
            yield Spot(
                pair.after.path, place, place, {"CALL": (following or ["it"])[0], "CHECK": code.raw(line).strip()}
            )
            return
