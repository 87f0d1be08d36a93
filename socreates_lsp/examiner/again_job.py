"""One document through the rules once more, for findings that some of them made. Runs in the worker."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from socreates_lsp.examiner.examination import Document, FileJob
from socreates_lsp.examiner.pool import JobError
from socreates_lsp.review.finding import STANDING_QUESTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.examiner.pool import WorkerPool
    from socreates_lsp.review.finding import Finding


@dataclass(frozen=True, slots=True)
class Again:
    """What the rules that ran ask now. ``lost``: the line from which on the file does not parse, None if it does."""

    ran: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = field(default=())
    lost: int | None = None


@dataclass(frozen=True, slots=True)
class AgainJob:
    """Ask some rules about a document. ``questions`` are the standing ones, each with its path pattern."""

    document: Document
    rules: frozenset[str]
    questions: Sequence[tuple[str, str]] = ()

    def __call__(self) -> Again:
        """Do it. A rule that asks about changes only does not run, and nothing does in a file that can't be read."""
        from socreates_lsp.review.questions import path_of, standing_questions
        from socreates_lsp.workspace.globs import Globs

        path = path_of(self.document.path)
        put = tuple(one for one in standing_questions(self.questions) if Globs([one.glob]).match(path))
        report = FileJob(self.document, None, suppress=True, questions=put)()
        if report.refused is not None:
            return Again()
        found = tuple(one for one in report.findings if one.rule in self.rules)
        return Again(self._ran(), found, report.broken)

    def _ran(self) -> frozenset[str]:
        from socreates_lsp.examiner.rule import rules_for
        from socreates_lsp.examiner.syntax import SYNTAX
        from socreates_lsp.workspace.languages import language_of

        document = self.document
        language = language_of(document.path, document.text().line(0), document.language_id)
        own = frozenset(rule.id for rule in rules_for(language)) if language in SYNTAX else frozenset[str]()
        return self.rules & (own | {STANDING_QUESTION})


async def again(
    pool: WorkerPool, document: Document, rules: frozenset[str], questions: Sequence[tuple[str, str]]
) -> Again:
    """What rules ask of a document now; none of them ran where the worker failed."""
    try:
        return await pool.run(AgainJob(document, rules, tuple(questions)))
    except JobError:
        return Again()
