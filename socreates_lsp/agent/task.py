"""The newest message of a turn, which alone carries what changes: the task, the lines it is about, what stands.

Lines are attached with their numbers, so that a model without tools can answer and one with tools saves a round.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from socreates_lsp.review.reviewer import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.agent.attachment import Attachment
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.workspace.text import Range

REVIEWED, ASKED = "Review ", "The developer asks you: "
"""How the tasks of reviews and of the user's own questions begin."""

SURVEYED = "The developer wants a survey of this whole project."
"""The first line of the task of a survey."""

_MOST_STANDING = 12

_LEADS = (
    "Leads from tools that know rules and not this code. Look at each. If it holds, write a point on its line, in your "
    "own words and about this code. If it does not, write a line of its own: Dropped lead-1: why it does not hold, in "
    "one sentence. A lead of which you write nothing stays as it is."
)

_MOST_LISTED = 6000
"""Characters of rules, and of standing questions, from the settings."""

_STANDING = (
    "Standing questions of this project. Put each to the lines; where the answer is not good, raise a point, "
    "and end its Why with the label of the question, such as [SQ1]:"
)


def review_task(opening: str, attached: Attachment, sections: Iterable[str], recent: Sequence[str]) -> str:
    """The message of a review. ``opening`` names the target and says what to look for; empty sections are left out."""
    return "\n\n".join([opening, *filter(None, sections), *_recent(recent)]) + _attached(attached)


def asked(ask: str | None) -> str:
    """The section of the user's own question."""
    return f"The developer asks, and wants an answer before all else: {ask}" if ask else ""


def rules_section(rules: Sequence[str]) -> str:
    """The section of rules from the settings."""
    return "Rules of this house; a breach is worth a point:\n" + _listed(_bounded(rules)) if rules else ""


def questions_section(questions: Sequence[str]) -> str:
    """The section of standing questions, each with its label."""
    return f"{_STANDING}\n{_listed(_bounded(questions))}" if questions else ""


def standing_section(standing: Sequence[tuple[str, Finding]]) -> str:
    """The section of open findings, with the paths of their documents."""
    places = [f"{path}:{one.range.start.line + 1} {one.message}" for path, one in standing[:_MOST_STANDING]]
    return "These stand already; raise one again only if it still holds:\n" + _listed(places) if places else ""


def leads_section(leads: Sequence[str]) -> str:
    """The section of leads, a line about each."""
    return f"{_LEADS}\n{_listed(leads)}" if leads else ""


def left_section(candidates: Sequence[str]) -> str:
    """The section of what earlier reviews left out."""
    left = "\n\n".join(candidates)
    return (
        f"Earlier reviews left these out; write those as points that hold and are worth it:\n\n{left}" if left else ""
    )


def candidates_section(candidates: Sequence[str]) -> str:
    """The section of what the first look found."""
    return "The candidates:\n\n" + "\n\n".join(candidates)


def question_task(
    text: str, what: str | None, attached: Attachment, recent: Sequence[str], *, house: str = "", memory: str = ""
) -> str:
    """The message of a question of the user's own; ``what`` it is about, if about anything; ``house`` as above,
    ``memory`` what is remembered."""
    about = f"It is about {what}." if what else ""
    parts = [part for part in (f"{ASKED}{text}", about, house, memory) if part]
    return "\n\n".join([*parts, *_recent(recent)]) + _attached(attached)


def selection(path: str, span: Range | None) -> str:
    """How a document, or lines of it, are called in a task."""
    if span is None:
        return path
    first, last = span.start.line + 1, span.end.line + 1
    return f"{path}, line {first}" if first == last else f"{path}, lines {first}-{last}"


def target(scope: Scope, path: str | None, span: Range | None, base: str | None) -> str:
    """How the target of a review is called in a task."""
    if path is not None and scope in {Scope.FILE, Scope.SELECTION}:
        where = selection(path, span if scope is Scope.SELECTION else None)
        return f"{where} (the developer selected them; what is around them is context)" if "line" in where else where
    if scope is Scope.CHANGES:
        return f"what changed against {base or 'HEAD'} (+ new lines, - lines that are gone)"
    return "the workspace: read what matters most first"


def _recent(paths: Sequence[str]) -> list[str]:
    return [f"Read lately: {', '.join(paths)}."] if paths else []


def _attached(attached: Attachment) -> str:
    return attached.text + attached.note


def _bounded(lines: Sequence[str]) -> list[str]:
    """As many of the lines as are sent; they may come from a repository, and are as many as it likes."""
    ends = accumulate(len(line) + 3 for line in lines)
    kept = [line for line, end in zip(lines, ends, strict=True) if end <= _MOST_LISTED]
    return kept if len(kept) == len(lines) else [*kept, f"[{len(lines) - len(kept)} more are left out.]"]


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
