"""The sentences in which the examiner says what it did. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from socreates_lsp.review.counting import counted, tally_of
from socreates_lsp.review.reviewer import Scope

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import ReviewRequest


ADD_A_MODEL = (
    "Your own question needs a model: start Ollama with a model that can call tools (ollama pull qwen3:8b), "
    "or set model.provider, and ask again."
)


_MOST_NAMES = 5
"""Submodules that are named."""


def names_of(without_rules: Counter[str]) -> str:
    """One sentence on the languages that there are no rules for."""
    names = [f"{language} ({counted(count, 'file')})" for language, count in without_rules.most_common()]
    return f"The examiner has no rules for {', '.join(names)}: read, but nothing to ask."


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: files, lines and the most rules of one; lines that there are no rules for.

    Of changes also the files without added lines, counted by what became of them (``deleted``), and submodules.
    """

    files: int = 0
    lines: int = 0
    rules: int = 0
    lines_without_rules: int = 0
    without_lines: Mapping[str, int] = field(default_factory=dict[str, int])
    submodules: tuple[str, ...] = ()


def summary_of(findings: Sequence[Finding], read: Read, request: ReviewRequest) -> str:
    """What was asked, what was examined and by whom, and what the examiner cannot do."""
    text = f"{tally_of(findings) or 'No questions'}: {_examined(read, request)}."
    if read.submodules:
        names = ", ".join(read.submodules[:_MOST_NAMES]) + ("..." if len(read.submodules) > _MOST_NAMES else "")
        text += f" Not examined: the changes in {counted(len(read.submodules), 'submodule')}, {names}."
    if request.ask:
        text += f" {ADD_A_MODEL}"
    return text


def _examined(read: Read, request: ReviewRequest) -> str:
    if read.files:
        files = f"{counted(read.files, 'file')}, " if read.files > 1 else ""
        text = f"the examiner read {files}{counted(read.lines, 'line')}, {counted(read.rules, 'rule')}"
    elif read.lines_without_rules:
        text = f"the examiner has no rules for the {counted(read.lines_without_rules, 'line')} that there are"
    else:
        text = "nothing was examined"
    if request.scope is not Scope.CHANGES:
        return text
    changed = sum(read.without_lines.values())
    if changed:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(read.without_lines.items()))
        rest = f"{counted(changed, 'changed file')} with no added lines to examine ({kinds})"
        return f"{text}; {rest}" if read.files or read.lines_without_rules else rest
    if read.files or read.lines_without_rules or read.submodules:
        return text
    return f"there are no changes against {request.base or 'HEAD'}{' in what was named' if request.paths else ''}"
