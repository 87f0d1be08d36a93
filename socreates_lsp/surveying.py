"""A survey on its way: what can be read off the files, the examiner's look at the sources, and the model's report.

What was read off the files is never lost: it is the report where there is no model, and
where one fails or is cancelled.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.errors import SocreatesError
from socreates_lsp.review.outcome import Surveyed
from socreates_lsp.review.reviewer import Closed, Doing, Found, Reading, ReviewRequest, Scope, Skipped, Stop
from socreates_lsp.survey.facts import Examination, Hits, Place
from socreates_lsp.survey.gathering import gather
from socreates_lsp.survey.markdown import words
from socreates_lsp.survey.report import report_of
from socreates_lsp.tools.view import View
from socreates_lsp.workspace.leash import off_loop

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from socreates_lsp.app import App
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.outcome import Ground, Outcome
    from socreates_lsp.review.reviewer import Event, Reviewer
    from socreates_lsp.survey.facts import Facts
    from socreates_lsp.survey.report import Report

_SECONDS = 20.0
"""How long the examiner may look."""
_MOST_FILES = 10
"""Files that are told with what is asked of them."""
_STANDING = "standing-question"


class Survey:
    """One survey of a root."""

    def __init__(self, app: App, root: str, focus: str | None) -> None:
        """``focus`` is what the user wants to know most."""
        self._app = app
        self._root = root
        self._focus = focus
        self._report: Report | None = None
        self._sources: tuple[Ground, ...] = ()
        self._by: tuple[str, str | None] = (app.examiner.provider, app.examiner.model)

    async def events(self, _: Reviewer) -> AsyncGenerator[Event, None]:
        """Everything that happens, up to the report. Raises SocreatesError if the root can't be read."""
        yield Doing("reading the tree and the manifests")
        deny = self._app.settings.policy.read_deny
        view = View(self._root, self._app.workspace, deny)
        facts = await off_loop(gather, view, self._focus)
        self._report = report_of(facts)
        async with aclosing(self._examined(facts)) as events:
            async for event in events:
                if isinstance(event, Examination):
                    facts = replace(facts, examination=event)
                else:
                    yield event
        report = self._report = report_of(facts)
        self._sources = tuple(report.sources())
        try:
            agent = await self._app.agent()
            if agent is None:
                yield Closed(Stop.ANSWERED, report.markdown())
                return
            writing = agent.survey(self._root)
            async with aclosing(writing.events(facts, report, self._focus)) as events:
                async for event in events:
                    self._by = (agent.provider, agent.model)
                    yield event
            self._sources = writing.sources
        except SocreatesError as error:
            yield Skipped(str(error))
            note = f"No model wrote this, as it failed: {words(str(error), 300)}"
            yield Closed(Stop.FAILED, report.markdown(note))

    async def _examined(self, facts: Facts) -> AsyncGenerator[Event | Examination, None]:
        """What the examiner asks of the largest sources, in the time there is; the last is what came of it."""
        if not facts.sources:
            return
        paths = tuple(os.path.join(self._root, *path.split("/")) for path in facts.sources)  # noqa: PTH118
        request = ReviewRequest(Scope.WORKSPACE, self._root, paths=paths, max_findings=0)
        found: list[Finding] = []
        done, unfinished = 0, False
        deadline = asyncio.get_running_loop().time() + _SECONDS
        try:
            async with aclosing(self._app.examiner.review(request)) as events:
                while True:
                    async with asyncio.timeout_at(deadline):
                        event = await anext(events, None)
                    if event is None:
                        break
                    if isinstance(event, Found) and event.finding.rule != _STANDING:
                        found.append(event.finding)
                    elif isinstance(event, Reading):
                        done = max(done, event.done)
                        yield Doing(f"the examiner reads file {event.done} of {event.total}")
        except TimeoutError:
            unfinished = True
        except SocreatesError:
            return
        hits = _hits(found, self._app.display_path)
        yield Examination(done, facts.source_count, len(found), tuple(hits[:_MOST_FILES]), unfinished)

    def ended(self, outcome: Outcome) -> Surveyed:
        """The outcome with the report: of a survey that broke off, with what was read off the files by then."""
        closed = outcome.closed
        if closed.stop is Stop.CANCELLED and self._report is not None:
            note = "The survey was cancelled; this is what could be read off the files by then."
            closed = replace(closed, summary=self._report.markdown(note))
            self._sources = tuple(self._report.sources())
        return Surveyed.of(outcome, closed, self._sources, self._by)


def _hits(found: list[Finding], path: Callable[[str], str]) -> list[Hits]:
    """What is asked of each file, those with the most questions first."""
    by_file: dict[str, list[Finding]] = {}
    for one in found:
        by_file.setdefault(path(one.uri), []).append(one)
    hits: list[Hits] = []
    for name, findings in by_file.items():
        rules = Counter(one.rule or one.category.value for one in findings).most_common()
        first = min(
            (one for one in findings if (one.rule or one.category.value) == rules[0][0]),
            key=lambda one: one.range.start,
        )
        line = first.quote.split("\n")[0].strip()
        hits.append(Hits(name, tuple(rules), Place(name, first.range.start.line + 1, quote=line)))
    return sorted(hits, key=lambda one: (-sum(count for _, count in one.rules), one.path))
