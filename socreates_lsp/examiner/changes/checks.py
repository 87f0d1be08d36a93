"""Checks that end a function early: guards, assertions, calls that validate; in any language. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.examiner.changes.code import indent, is_closer, matching_bracket, split_at_commas

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.examiner.changes.code import Code

_FAILS = (
    r"(?:raise|throw|panic!?|abort|exit|die|fail\w*|reject|fatal\w*|bail!?|ensure!|sys\.exit|process\.exit|"
    r"os\.Exit|os\._exit)"
)
_LEAVES = r"(?:return|continue|break|next|redo|goto)"
_OWNER = r"(?:[\w$]+(?:\.|->|::))*"
_ANSWERS = r"\w*\.(?:status|sendStatus|writeHead)\(4\d\d\)"
_EXIT = re.compile(rf"^[\s{{}}]*(?:await\s+)?{_OWNER}(?:{_FAILS}|{_LEAVES}|\w*[Ff]atal\w*|{_ANSWERS})(?!\w)")
_FAILURE = re.compile(
    rf"(?<![\w.]){_FAILS}\b|\breturn\b.*(?:\b[Ee]rr|Error|Exception|-\s*\d|4\d\d\b|\bfail|[Ff]alse\b|\bNULL\b|nullptr\b|status\()"
    r"|res(?:ponse)?\.(?:status|sendStatus|writeHead)\("
)
_IF = re.compile(r"^\s*(?:\}\s*)?(?P<word>if|unless|guard)\b")
_POSTFIX = re.compile(rf"^\s*(?P<word>{_FAILS}|{_LEAVES})\b.*?\s(?:if|unless)\s+(?P<condition>[^;]+)$")
_ASSERT = re.compile(
    r"^\s*(?:debug_)?(?:assert\w*!?|ASSERT\w*|precondition|invariant|require|check|Preconditions\.\w+|Objects\.requireNonNull|"
    r"Validate\.\w+|Assert\.\w+|Guard\.\w+|ArgumentNullException\.\w+|console\.assert)\s*(?=[\s(])"
)
_VALIDATES = re.compile(
    rf"^\s*(?:await\s+)?{_OWNER}_?(?:validate|verify|ensure|check|assert|authorize|authenticate|enforce|require)"
    r"(?:[A-Z_]\w*)?[!?]?\s*(?=\()"
    rf"|^\s*(?:await\s+)?{_OWNER}(?:raise_for_status|EnsureSuccessStatusCode|throw_if\w*|check_returncode)\s*(?=\()"
)
_LONGEST_BODY = 8
_LONGEST_HEAD = 5


@dataclass(frozen=True, slots=True)
class Check:
    """A check from ``first`` to ``last``. ``fails`` if it raises, ends the program or answers with an error."""

    first: int
    last: int
    condition: str
    fails: bool


def checks(code: Code, first: int, last: int) -> Iterator[Check]:
    """The checks within some lines, in order."""
    number = first
    while number <= last:
        check = _statement(code, number, last) or _postfix(code, number) or _guard(code, number, last)
        if check is not None:
            yield check
            number = check.last
        number += 1


def leaves(line: str) -> bool:
    """Whether a line of code ends the function or the turn of a loop."""
    return bool(_EXIT.match(line))


def _postfix(code: Code, number: int) -> Check | None:
    found = _POSTFIX.match(code.lines[number]) if code.language in {"ruby", "perl", "elixir"} else None
    if found is None:
        return None
    condition = code.raw(number)[found.start("condition") : found.end("condition")].strip()
    return Check(number, number, condition, bool(re.match(_FAILS, found["word"])))


def _statement(code: Code, number: int, last: int) -> Check | None:
    """An assertion, or a call that validates and whose result nobody takes."""
    line = code.lines[number]
    found = _ASSERT.match(line) or _VALIDATES.match(line)
    if found is None or re.search(r"[{:]\s*$", line):
        return None
    start = code.starts[number]
    opening = start + found.end()
    end = matching_bracket(code.content, opening) if code.content[opening : opening + 1] == "(" else None
    stop = number if end is None else number + code.content.count("\n", start, end)
    if stop > min(number + _LONGEST_HEAD, last):
        return None
    inner = slice(opening, start + len(line)) if end is None else slice(opening + 1, end)
    (from_, to), *_ = split_at_commas(code.content[inner]) or [(0, 0)]
    condition = code.text.content[inner][from_:to]
    if _VALIDATES.match(line) and not _ASSERT.match(line):
        condition = code.text.content[start : (end or start + len(line)) + 1]
    return Check(number, stop, " ".join(condition.split()).rstrip(";"), fails=True)


def _guard(code: Code, number: int, last: int) -> Check | None:
    """An ``if`` whose short body always leaves, without an ``else``."""
    found = _IF.match(code.lines[number])
    if found is None:
        return None
    start, stop = _condition(code, number, found.end(), last)
    head = number + code.content.count("\n", code.starts[number], stop)
    condition = " ".join(code.text.content[start:stop].split())
    rest = code.content[stop : code.starts[head] + len(code.lines[head])].lstrip(" ):{").removeprefix("then").strip()
    rest = rest.removeprefix("else").lstrip(" {") if found["word"] == "guard" else rest
    if rest:
        leaving = rest if leaves(rest) and "else" not in rest else None
        return None if leaving is None else Check(number, head, condition, _fails(code, head, head))
    end = code.block_end(number, last)
    if end <= head < last and indent(code.lines[head + 1]) > indent(code.lines[number]):
        end = head + 1
    body = [n for n in range(head + 1, end + 1) if code.lines[n].strip() and not is_closer(code.lines[n])]
    following = next((code.lines[n] for n in range(end + 1, last + 1) if code.lines[n].strip()), "")
    branches = re.search(r"\b(?:else|elif|elsif)\b", code.joined(head + 1, end) + "\n" + following[:12])
    if not body or len(body) > _LONGEST_BODY or branches:
        return None
    outer = [n for n in body if indent(code.lines[n]) == indent(code.lines[body[0]])]
    leaving = next((n for n in reversed(outer) if leaves(code.lines[n])), None)
    if leaving is None:
        return None
    # ``if (rc != 0) return rc;`` gives back the sign of the failure.
    given = re.match(r"\s*return\s+\(?(\w+)\)?\s*;?\s*$", code.lines[leaving])
    tested = given is not None and re.search(rf"\b{given[1]}\b\s*(?:!=|<)", condition) is not None
    return Check(number, end, condition, tested or _fails(code, body[0], body[-1]))


def _condition(code: Code, number: int, column: int, last: int) -> tuple[int, int]:
    """Where a condition starts and stops in the text, brackets around all of it left out."""
    start = code.starts[number] + column
    start += len(code.content[start:]) - len(code.content[start:].lstrip(" \t"))
    limit = code.starts[min(number + _LONGEST_HEAD, last)] + len(code.lines[min(number + _LONGEST_HEAD, last)])
    if code.content[start : start + 1] == "(":
        closing = matching_bracket(code.content, start)
        after = code.content[closing + 1 : closing + 3].strip() if closing is not None else ""
        if closing is not None and not re.match(r"[&|.=<>!+\-*/?]|an|or|is|in|no", after):
            return start + 1, min(closing, limit)
    depth = 0
    for index in range(start, limit):
        character = code.content[index]
        depth += (character in "([") - (character in ")]")
        if depth <= 0 and (
            character in "{\n"
            or (character == ":" and code.language in {"python", "php"} and code.content[index - 1] != ":")
            or re.match(r"\s(?:then|else)\b", code.content[index : index + 6])
        ):
            return start, index
    return start, limit


def _fails(code: Code, first: int, last: int) -> bool:
    return any(_FAILURE.search(code.raw(line)) for line in range(first, last + 1))
