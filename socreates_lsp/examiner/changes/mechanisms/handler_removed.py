"""A handler of errors (or a clean-up that always runs) is gone, while the code that it protected is still there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import calls, names, squeezed
from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.blocks import Block, Clause
    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.pairing import Pair

_OTHER_VERSIONS = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "NameError", "SyntaxError"})
"""What is caught to find out which version of something is there; taking it out is taking out old support."""

_TAKES_OVER = {
    "catches": re.compile(
        r"\b(?:suppress|recover|rescue|except|catch|on_?error|attempt|retry|retries|raises)\b|\.catch\b|\bResult\b"
        r"|(?:handle|guard|safe|try|catch|wrap|ignor)\w*_?(?:err|exc|fail|call)|_or_(?:none|default)\b"
        r"|\bsafe(?:ly)?_?\w*\(|\btry_\w+\(|\b(?i:t)ry[A-Z]\w*\(|\.safe[A-Z]\w*\(|\berrors?\s*=",
    ),
    "always": re.compile(r"\b(?:with|using|defer|finally|ensure|Use|autoclose|addCleanup|addTeardown)\b|\btry\s*\("),
}
"""Words in added code that show that the failure is dealt with in another way."""

_DECIDES = re.compile(
    r"^\s*[})\]]*\s*(?:if|elif|unless|switch|match|when|guard|case|else if)\b|\?[^.:]*:|\sif\s.*\selse\s"
)


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """``part: catches`` looks at handlers, ``part: always`` at clean-ups."""
    part = options["part"]
    rehandled = _calls_in_new_blocks(changes, part)
    for pair in changes.stretches:
        new_blocks = [block for block in pair.new_blocks if _has(block, part)]
        for block in pair.old_blocks:
            if not pair.owns_old(block.first):
                continue
            for clause in block.clauses:
                if getattr(clause, part) and clause.first in pair.before.removed and not clause.only_passes_on:
                    spot = _examine(changes, pair, block, clause, new_blocks, rehandled)
                    if spot is not None:
                        yield spot
                        break


def _examine(
    changes: Changeset, pair: Pair, block: Block, clause: Clause, new_blocks: list[Block], rehandled: frozenset[str]
) -> Spot | None:
    if (clause.types and clause.types <= _OTHER_VERSIONS) or re.search(r"\bwarnings\.warn\(|[Dd]eprecat", clause.body):
        return None
    protected = _worth(block.called)
    if not protected or (pair.old.name and pair.old.called in rehandled):
        return None
    if any(protected & other.called for other in new_blocks):
        return None
    bare = [line for line in _bare_lines(pair, new_blocks) if protected & set(calls(pair.after.new_code.lines[line]))]
    still = protected & {name for line in bare for name in calls(pair.after.new_code.lines[line])}
    if len(still) * 2 < len(protected) or _is_dealt_with(changes, pair, block, clause):
        return None
    wanted = pair.place(block.first)
    line = min(bare, key=lambda one: (abs(one - wanted), one))
    name = next(name for name in calls(pair.after.new_code.lines[line]) if name in protected)
    parts = {"CALL": name, "HANDLED": _handled(clause), "CLEANUP": _cleanup(clause), "FUNCTION": _function(pair)}
    return Spot(pair.after.path, line, line, parts)


def _has(block: Block, part: str) -> bool:
    return any(getattr(clause, part) for clause in block.clauses)


def _worth(called: frozenset[str]) -> frozenset[str]:
    """The calls that can fail in a way somebody would handle; writing a log or taking a length is none."""
    return frozenset(name for name in called if not re.fullmatch(r"len|str|print|log|debug|info|warn\w*|push", name))


def _bare_lines(pair: Pair, new_blocks: list[Block]) -> list[int]:
    """The lines of the new function that no handler protects."""
    covered = {line for block in new_blocks for line in range(block.first, block.last + 1)}
    lines = range(pair.new.head + 1 if pair.new.name else 0, pair.new.last + 1)
    one_line = [pair.new.first] if pair.new.first == pair.new.last else []
    return [line for line in (*one_line, *lines) if line not in covered and pair.owns_new(line)]


def _is_dealt_with(changes: Changeset, pair: Pair, block: Block, clause: Clause) -> bool:
    """Whether added code takes over: another form of handling, a new decision, or the same handler elsewhere."""
    code = pair.after.new_code
    part = "always" if clause.always else "catches"
    fresh = [code.lines[line] for line in pair.added if _is_new(changes, code.raw(line))]
    if any(_TAKES_OVER[part].search(line) for line in fresh):
        return True
    about = names(block.body) | set(calls(block.body))
    hunk = pair.before.hunk_of_old(clause.first)
    near = range(hunk.new_start, hunk.new_start + len(hunk.added)) if hunk is not None and not pair.moved else range(0)
    return any(
        _DECIDES.search(code.lines[line]) and (line in near or about & names(code.lines[line]))
        for line in pair.added
        if _is_new(changes, code.raw(line))
    )


def _is_new(changes: Changeset, line: str) -> bool:
    return not changes.removed_lines[squeezed(line)]


def _calls_in_new_blocks(changes: Changeset, part: str) -> frozenset[str]:
    """What is called inside handlers that this change added: a caller that handles it now."""
    return frozenset(
        name
        for file in changes.sources
        for block in file.new_blocks
        if any(getattr(clause, part) and clause.first in file.added for clause in block.clauses)
        for name in block.called
    )


def _handled(clause: Clause) -> str:
    return f"{clause.word} {clause.head}".strip()


def _cleanup(clause: Clause) -> str:
    return next(iter(calls(clause.body)), clause.word)


def _function(pair: Pair) -> str:
    return pair.new.name or "this file"
