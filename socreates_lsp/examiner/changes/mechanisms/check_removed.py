"""A check that stopped a function early is gone, while what it looked at is still used."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import Code, indent, is_closer, names, squeezed
from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset, Pair

_FAILS = r"(?:raise|throw|panic!?|abort|exit|die|fail\w*|reject|fatal\w*|bail!?|ensure!|sys\.exit|process\.exit|os\.Exit|os\._exit)"
_LEAVES = r"(?:return|continue|break|next|redo|goto)"
_EXIT = re.compile(
    rf"^[\s{{}}]*(?:await\s+)?(?:[\w$]+(?:\.|->|::))*(?P<word>{_FAILS}|{_LEAVES}|\w*[Ff]atal\w*|\w*\.(?:status|sendStatus)\(4\d\d\))(?![\w])"
)
_ERROR_RESULT = re.compile(
    r"\breturn\b.*(?:\b[Ee]rr|\bError|\bException|-\s*\d|4\d\d\b|\bfail|[Ff]alse\b|\bNULL\b|\bnullptr\b|status\()|res(?:ponse)?\.(?:status|sendStatus|writeHead)\("
)
_IF = re.compile(r"^\s*(?:\}\s*)?(?:if|unless|guard|when)\b(?P<condition>.*)$")
_POSTFIX = re.compile(rf"^\s*(?P<word>{_FAILS}|{_LEAVES})\b.*?\s(?:if|unless)\s+(?P<condition>[^;]+)$")
_ASSERT = re.compile(
    r"^\s*(?:debug_)?(?:assert\w*!?|ASSERT\w*|precondition|invariant|require|check|Preconditions\.\w+|Objects\.requireNonNull|"
    r"Validate\.\w+|Assert\.\w+|Guard\.\w+|ArgumentNullException\.\w+|console\.assert)\s*[\s(](?P<condition>.+)$"
)
_VALIDATES = re.compile(
    r"^\s*(?:await\s+)?(?:[\w$]+(?:\.|->|::))*_?(?:validate|verify|ensure|check|assert|authorize|authenticate|enforce|require)"
    r"(?:[A-Z_]\w*)?[!?]?\s*\((?P<condition>.*)$"
)
_OLD_VERSIONS = re.compile(
    r"version|PY[23]|\bsix\b|platform|os\.name|NODE_ENV|__DEV__|\bDEBUG\b|feature|\bflag|deprecat|TYPE_CHECKING|legacy|compat|"
    r"experiment|verbose|\b[A-Z_]*TESTING\b",
    re.IGNORECASE,
)
_DECIDES = re.compile(
    r"\b(?:if|elif|unless|switch|match|when|guard|case|while|until|assert\w*|require\w*|filter|min|max|clamp|Math|"
    r"validate\w*|verify\w*|check\w*|ensure\w*|schema|default|except|catch|rescue|in)\b|\?|&&|\|\||\bor\b|\band\b|\?\?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Check:
    first: int
    last: int
    condition: str
    exit: str
    fails: bool


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """``fails: true`` looks at checks that raise or end the program, else at those that leave quietly."""
    for pair in changes.stretches:
        if pair.moved or not pair.new.name or len(pair.removed) < 1:
            continue
        for check in _checks(pair.before.old_code, pair.old.head + 1, pair.old.last):
            if check.fails == options["fails"] and pair.owns_old(check.first) and _is_missed(changes, pair, check):
                line = pair.place(check.first)
                condition = (
                    re.sub(r"^\(|\)$", "", check.condition) if check.condition.endswith(")") else check.condition
                )
                yield Spot(pair.after.path, line, line, {"CONDITION": condition, "FUNCTION": pair.new.name})


def _checks(code: Code, first: int, last: int) -> Iterator[_Check]:
    number = first
    while number <= last:
        check = _check_at(code, number, last)
        if check is not None:
            yield check
            number = check.last
        number += 1


def _check_at(code: Code, number: int, last: int) -> _Check | None:
    line = code.lines[number]
    raw = code.raw(number)
    postfix = _POSTFIX.match(line) if code.language in {"ruby", "perl", "elixir"} else None
    if postfix is not None:
        condition = raw[postfix.start("condition") : postfix.end("condition")]
        return _Check(number, number, condition.strip(), line.strip(), bool(re.match(_FAILS, postfix["word"])))
    found = _IF.match(line)
    if found is not None:
        return _guard(code, number, last)
    found = _ASSERT.match(line) or _VALIDATES.match(line)
    if found is not None and not re.search(r"[{:]\s*$", line):
        end = number
        while end < last and sum(map(code.joined(number, end).count, "([{")) > sum(
            map(code.joined(number, end).count, ")]}")
        ):
            end += 1
        return _Check(number, end, raw.strip().rstrip(";"), line.strip(), fails=True)
    return None


def _guard(code: Code, number: int, last: int) -> _Check | None:
    """An ``if`` whose short body always leaves, without an ``else``."""
    head = number
    while head < min(number + 5, last) and sum(map(code.joined(number, head).count, "(")) > sum(
        map(code.joined(number, head).count, ")")
    ):
        head += 1
    whole = " ".join(code.text.line(n).strip() for n in range(number, head + 1))
    line = code.lines[head]
    inline = _inline_exit(code, number, head)
    if inline is not None:
        return _Check(number, head, _condition(whole), inline, _is_failure(inline))
    if head == last or not code.lines[head + 1].strip():
        return None
    end = code.block_end(number, last)
    if end == head and indent(code.lines[head + 1]) > indent(code.lines[number]):
        end = head + 1
    body = [n for n in range(head + 1, end + 1) if code.lines[n].strip() and not is_closer(code.lines[n])]
    if not body or len(body) > 8 or re.search(r"\belse\b|\belif\b|\belsif\b", code.joined(head + 1, end)):
        return None
    following = next((code.lines[n] for n in range(end + 1, last + 1) if code.lines[n].strip()), "")
    if (
        re.match(r"\s*\}?\s*(?:else|elif|elsif)\b", following)
        or re.search(r"\belse\s*\{?\s*$", line)
        and "guard" not in line
    ):
        return None
    exits = [n for n in body if indent(code.lines[n]) == indent(code.lines[body[0]])]
    leaving = next((code.raw(n).strip() for n in reversed(exits) if _EXIT.match(code.lines[n])), None)
    if leaving is None:
        return None
    return _Check(number, end, _condition(whole), leaving, _is_failure(leaving))


def _inline_exit(code: Code, number: int, head: int) -> str | None:
    line = code.lines[head]
    found = re.search(rf"[):{{]\s*(?:\{{\s*)?(?P<exit>(?:{_FAILS}|{_LEAVES})\b.*)$", line)
    if found is None or "else" in line[found.start() :]:
        return None
    return code.raw(head)[found.start("exit") :].strip(" }")


def _is_failure(leaving: str) -> bool:
    return bool(re.search(rf"(?<![\w.]){_FAILS}\b", leaving) or _ERROR_RESULT.search(leaving))


def _condition(whole: str) -> str:
    text = re.sub(r"^\s*(?:\}\s*)?(?:if|unless|guard|when)\b\s*", "", whole)
    text = re.sub(r"\s*(?:\{.*|:\s*(?:(?:raise|return|continue|break)\b.*)?|then|else\s*\{.*)$", "", text).strip()
    if text.startswith("("):
        depth = 0
        for index, character in enumerate(text):
            depth += (character == "(") - (character == ")")
            if depth == 0:
                return (
                    text[1:index]
                    if index > len(text) - 2 or not re.match(r"\s*(?:&&|\|\||[.=<>!&|+-])", text[index + 1 :])
                    else text
                )
    return text


def _is_missed(changes: Changeset, pair: Pair, check: _Check) -> bool:
    code, new = pair.before.old_code, pair.after.new_code
    lines = [n for n in range(check.first, check.last + 1) if code.lines[n].strip() and not is_closer(code.lines[n])]
    if not all(n in pair.before.removed for n in lines) or _OLD_VERSIONS.search(code.joined(check.first, check.last)):
        return False
    if re.search(r"\bwarn", code.joined(check.first, check.last)) or re.search(
        r"[eE]rr\s*[!=]=\s*nil", check.condition
    ):
        return False
    if any(
        changes.added_lines[squeezed(code.raw(n))] for n in (check.first, *lines[1:]) if len(squeezed(code.raw(n))) > 12
    ):
        return False  # it stands somewhere else now
    about = names(_without_strings(check.condition))
    if not about or not about & names(new.joined(pair.new.head + 1, pair.new.last)):
        return False
    if any(_DECIDES.search(new.lines[n]) and about & names(new.lines[n]) for n in pair.added):
        return False
    if any(_EXIT.match(new.lines[n]) for n in pair.added):
        return False
    if _is_rewritten(pair, lines):
        return False
    return _goes_on(pair, check)


def _without_strings(text: str) -> str:
    return re.sub(r"\"[^\"]*\"|'[^']*'", "", text)


def _is_rewritten(pair: Pair, lines: list[int]) -> bool:
    """Whether so much of the function changed that a single check says nothing."""
    size = max(pair.old.last - pair.old.head, 1)
    other = [n for n in pair.removed if n not in lines]
    return len(other) > max(4, size * 0.4) or len(pair.added) > max(6, size * 0.5)


def _goes_on(pair: Pair, check: _Check) -> bool:
    """Whether code that ran after the check is still there as it was."""
    code = pair.before.old_code
    after = range(check.last + 1, pair.old.last + 1)
    kept = [n for n in after if n not in pair.before.removed and code.lines[n].strip() and not is_closer(code.lines[n])]
    return bool(kept)
