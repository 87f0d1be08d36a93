"""Protected blocks: ``try`` and its kin with what they catch, in any language that is kept indented. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.examiner.changes.code import calls, closes_block, indent, is_closer

if TYPE_CHECKING:
    from socreates_lsp.examiner.changes.code import Code

_BOUND = r"(?:[\w$.,\s:&*<>\[\]]+[:=]+\s*|return\s+)?"
_TRY = re.compile(rf"^\s*(?:\}}\s*)?{_BOUND}(?:try\b(?![?!])(?!\s*[\w(\"']+.*[^{{:]\s*$)|begin\b|do\s*\{{)")
_SUPPRESS = re.compile(r"^\s*with\s+(?:[\w.]+\.)?suppress(?P<head>\(.*\))\s*:")
_OPENS = re.compile(r"\b(?:try|begin|do|def)\b")
_CLAUSE = re.compile(r"^[\s}]*(?P<word>except|catch|rescue|finally|ensure|else|after)\b(?P<head>[^{]*)")
_INLINE = re.compile(r"\}\s*(?P<word>catch|finally)\b(?P<head>[^{]*)")

_PASSES_ON = re.compile(
    r"\b(?:raise|throw|throws|rethrow|panic|reject|fail|abort|exit|die|fatal\w*|Fatal\w*|next|done|callback|cb)\b"
    r"|\breturn\b[^;\n]*\b(?:Err|err|error|e|ex|exc|failure|Result)\b|\braise\b"
)
_NOTHING = re.compile(
    r"[\s{};]*(?:pass|\.\.\.|continue|nil|null|return(?:\s+(?:None|null|nil))?)?[\s{};]*(?:end)?[\s})\];]*"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """What follows a protected body. ``head`` is what it catches, as code; ``first`` is the line it starts on."""

    word: str
    head: str
    body: str
    first: int
    last: int

    @property
    def catches(self) -> bool:
        """Whether it handles errors (and is no ``finally`` or ``else``)."""
        return self.word in {"except", "catch", "rescue", "suppress"}

    @property
    def always(self) -> bool:
        """Whether it runs whatever happens."""
        return self.word in {"finally", "ensure"} or (self.word == "after")

    @property
    def types(self) -> frozenset[str]:
        """The names of what it catches, without the name it is bound to."""
        head = re.split(r"\bas\b|=>", self.head)[0]
        found = re.findall(r"[A-Za-z_][\w.]*", head)
        if self.word == "catch" and len(found) > 1 and found[-1][:1].islower():
            found.pop()
        return frozenset(name.rpartition(".")[2] for name in found if name[:1].isupper() or "." in name)

    @property
    def passes_on(self) -> bool:
        """Whether the error goes on to the caller in some form."""
        return bool(_PASSES_ON.search(self.body))

    @property
    def empty(self) -> bool:
        """Whether it does nothing at all."""
        return bool(_NOTHING.fullmatch(self.body))

    @property
    def only_passes_on(self) -> bool:
        """Whether it does nothing but raise the same error again."""
        return bool(re.fullmatch(r"[\s{}:]*(?:raise|throw)\s*\w*\s*;?[\s{}]*", self.body))


@dataclass(frozen=True, slots=True)
class Block:
    """A protected body, from ``first`` (the line of its ``try``) to ``last``, with its clauses."""

    first: int
    last: int
    body: str
    clauses: tuple[Clause, ...]

    @property
    def called(self) -> frozenset[str]:
        """The names that are called in the body."""
        return frozenset(calls(self.body))


def blocks(code: Code) -> list[Block]:
    """The protected blocks of a text, outer ones before those in them."""
    found: list[Block] = []
    for number, line in enumerate(code.lines):
        if _OPENS.search(line) and (_TRY.match(line) or (code.language == "ruby" and re.match(r"\s*def\b", line))):
            block = _block(code, number, len(code.lines) - 1)
            if block is not None:
                found.append(block)
        elif "suppress" in line and (suppressed := _SUPPRESS.match(line)):
            last = code.block_end(number)
            clause = Clause("suppress", suppressed["head"], "", number, number)
            found.append(Block(number, last, code.joined(number + 1, last), (clause,)))
    return found


def within(found: list[Block], first: int, last: int) -> list[Block]:
    """The blocks that start within some lines."""
    return [block for block in found if first <= block.first <= last]


def _block(code: Code, start: int, end: int) -> Block | None:
    inline = list(_INLINE.finditer(code.lines[start]))
    if inline:
        return _inline(code.lines[start], start, inline)
    depth = indent(code.lines[start])
    heads: list[tuple[int, re.Match[str]]] = []
    stop = start
    for number in range(start + 1, end + 1):
        line = code.lines[number]
        if not line.strip():
            continue
        if indent(line) <= depth:
            clause = _CLAUSE.match(line)
            if clause is None and (indent(line) < depth or not is_closer(line) or _goes_on(line)):
                break
            if clause is not None:
                heads.append((number, clause))
            elif closes_block(line) and not _clause_follows(code, number, end):
                stop = number
                break
        stop = number
    if not any(clause["word"] != "else" for _, clause in heads):
        return None
    edges = [number for number, _ in heads[1:]] + [stop + 1]
    clauses = tuple(_clause(code, number, clause, edge) for (number, clause), edge in zip(heads, edges, strict=True))
    opening = re.sub(r"^\s*(?:try|begin|do)\b", "", code.lines[start])
    return Block(start, stop, opening + "\n" + code.joined(start + 1, heads[0][0] - 1), clauses)


def _inline(line: str, number: int, found: list[re.Match[str]]) -> Block:
    edges = [match.start() for match in found[1:]] + [len(line)]
    clauses = tuple(
        Clause(match["word"], match["head"].strip(), line[match.end() : edge], number, number)
        for match, edge in zip(found, edges, strict=True)
    )
    return Block(number, number, re.sub(r"^.*?\btry\b", "", line[: found[0].start()]), clauses)


def _clause(code: Code, number: int, found: re.Match[str], edge: int) -> Clause:
    head, rest = found["head"], code.lines[number][found.end() :]
    if code.language == "python":
        head, _, rest = head.partition(":")
    return Clause(found["word"], head.strip(), rest + "\n" + code.joined(number + 1, edge - 1), number, edge - 1)


def _goes_on(line: str) -> bool:
    """Whether a closing line goes on with something that is no clause (``}).then(``)."""
    return bool(re.match(r"[\s})\]]*[;,]?\s*[^\s})\];,]", line)) and not re.match(r"\s*(?:end|\{)", line)


def _clause_follows(code: Code, number: int, end: int) -> bool:
    following = next((code.lines[n] for n in range(number + 1, end + 1) if code.lines[n].strip()), "")
    return bool(_CLAUSE.match(following)) and not following.strip().startswith("else")
