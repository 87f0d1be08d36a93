"""A review that begins with the examiner's questions, so that the first ones stand at once, whoever goes on.

It goes on with the reviewer that the settings choose: a model gets them as leads. If that reviewer is the examiner
itself, the rest of what it found follows. Standing questions are no leads: a model is asked them itself; only if it
fails do they stand for themselves.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.errors import SocreatesError
from socreates_lsp.review.finding import STANDING_QUESTION
from socreates_lsp.review.reviewer import Closed, Doing, Found, Reading

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import Event, Reviewer, ReviewRequest

_SECONDS = 15.0
"""How long the examiner may take before the model begins without leads."""


class Led:
    """The examiner before another reviewer. ``provider`` and ``model`` are those of whoever was chosen."""

    def __init__(
        self,
        examiner: Reviewer,
        choose: Callable[[], Awaitable[Reviewer]],
        found: Callable[[], Iterable[Finding]],
        *,
        provider: str,
    ) -> None:
        """``found`` gives the findings of this review as they are kept; ``provider`` is a name for the time being."""
        self._examiner = examiner
        self._choose = choose
        self._found = found
        self._provider = provider
        self._chosen: Reviewer | None = None
        self._rules: dict[str, int] = {}
        self._read: list[Event] = []
        self._rest: list[Event] = []

    @property
    def provider(self) -> str:
        """See ``Reviewer``."""
        return self._provider if self._chosen is None else self._chosen.provider

    @property
    def model(self) -> str | None:
        """See ``Reviewer``."""
        return None if self._chosen is None else self._chosen.model

    async def review(self, request: ReviewRequest) -> AsyncGenerator[Event, None]:
        """See ``Reviewer``."""
        async with aclosing(self._leads(request)) as leads:
            async for event in leads:
                yield event
        try:
            self._chosen = await self._choose()
        except SocreatesError:
            for event in (*self._read, *self._standing):
                yield event
            raise
        if self._chosen.provider == self._examiner.provider:
            if not self._rest:
                async with aclosing(self._examiner.review(request)) as events:
                    async for event in events:
                        yield event
            for event in (*self._read, *self._rest):
                yield event
            return
        given = replace(request, leads=tuple(self._found()))
        try:
            async with aclosing(self._chosen.review(given)) as events:
                async for event in events:
                    yield self._with_rules(event)
        except SocreatesError:
            for event in self._standing:
                yield event
            raise

    @property
    def _standing(self) -> list[Event]:
        """The standing questions, which nobody has put to the code if the model failed."""
        return [one for one in self._rest if isinstance(one, Found) and one.finding.rule == STANDING_QUESTION]

    async def _leads(self, request: ReviewRequest) -> AsyncGenerator[Event, None]:
        """What the examiner finds first; nothing where it can do nothing, or not in time."""
        most = request.max_findings // 2 or min(request.max_findings, 1)
        shown = 0
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _SECONDS
        async with aclosing(self._examiner.review(request)) as events:
            try:
                while True:
                    async with asyncio.timeout_at(deadline):
                        event = await anext(events, None)
                    match event:
                        case None:
                            return
                        case Found(finding) if finding.rule != STANDING_QUESTION and (not most or shown < most):
                            shown += 1
                            yield event
                        case Found() | Closed():
                            self._rest.append(event)
                        case Reading(uri, _, rules, done, total):
                            self._rules[uri] = max(self._rules.get(uri, 0), rules)
                            self._read.append(event)
                            if total > 1:
                                yield Doing(f"looking for leads in file {done} of {total}")
                        case _:
                            self._read.append(event)
            except (TimeoutError, SocreatesError):
                self._read.clear()
                self._rest.clear()

    def _with_rules(self, event: Event) -> Event:
        """An event of the model's review, with what the examiner did beside it."""
        match event:
            case Reading(uri) if uri in self._rules:
                return replace(event, rules=self._rules[uri])
            case Closed():
                hidden = sum(one.suppressed for one in self._rest if isinstance(one, Closed))
                return replace(event, suppressed=event.suppressed + hidden)
            case _:
                return event
