"""The sentences in which the examiner says what it did. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.review.counting import counted, tally_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import ReviewRequest


ADD_A_MODEL = (
    "Your own question needs a model: start Ollama with a model that can call tools (ollama pull qwen3:8b), "
    "or set model.provider, and ask again."
)


def names_of(without_rules: Counter[str]) -> str:
    """One sentence on the languages that there are no rules for."""
    names = [f"{language} ({counted(count, 'file')})" for language, count in without_rules.most_common()]
    return f"The examiner has no rules for {', '.join(names)}: read, but nothing to ask."


def summary_of(findings: Sequence[Finding], *, files: int, lines: int, rules: int, request: ReviewRequest) -> str:
    """What was asked, what was examined and by whom, and what the examiner cannot do."""
    examined = f"{counted(lines, 'line')}, {counted(rules, 'rule')}"
    if files > 1:
        examined = f"{counted(files, 'file')}, {examined}"
    if not findings:
        text = f"No questions: the examiner read {examined}." if files else "No questions: nothing was examined."
    else:
        text = f"{tally_of(findings)}: the examiner read {examined}."
    if request.ask:
        text += f" {ADD_A_MODEL}"
    return text
