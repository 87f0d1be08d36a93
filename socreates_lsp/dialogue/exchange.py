"""One reply and its answer: the user's words are kept as they come, the answer once it is whole."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from socreates_lsp.dialogue.held import Ground, Held
from socreates_lsp.errors import ReviewError, TargetError
from socreates_lsp.memory.encoding import now
from socreates_lsp.review.finding import Reply, Status
from socreates_lsp.review.ledger import Dismissal
from socreates_lsp.review.outcome import Replied
from socreates_lsp.review.reviewer import Closed, Discussion, Judged, Stop
from socreates_lsp.review.talks import EXAMINER, MODEL, OURSELVES, SETTLED, USER, Talk, bounded, status_after
from socreates_lsp.review.verdict import Verdict
from socreates_lsp.review.wishes import Wish, asks, wish_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from socreates_lsp.dialogue.service import Dialogue
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.outcome import Outcome
    from socreates_lsp.review.reviewer import Event, Reviewer
    from socreates_lsp.workspace.text import Text

_LONGEST = 8000
"""Characters of a reply that are taken."""

_INTENDED = "Noted as intended: it is not asked again unless these lines change."
_ALL_CODE = "The answer held nothing but code, which is not shown."
_NO_WORDS = {
    Verdict.STANDS: "The question stands; no reason was given.",
    Verdict.WITHDRAWN: "The question is withdrawn; no reason was given.",
    Verdict.RESOLVED: "The question is resolved; no reason was given.",
}
"""What is kept of an answer that is nothing but its verdict."""


class Exchange:
    """See above; used as a context, in which no other reply about the finding is taken."""

    def __init__(self, dialogue: Dialogue, finding: Finding, text: str, root: str | None) -> None:
        """``root`` is that of the finding's document."""
        self._dialogue = dialogue
        self._id = finding.id
        self._finding = finding
        self._said = text.strip()[:_LONGEST]
        self._root = root
        self._home, self._path = dialogue.documents.home(finding.uri, root)
        self._grounds: list[Ground] = []
        self._verdict = Verdict.STANDS
        self._before: tuple[Reply, ...] = ()
        self._held: Held | None = None

    @property
    def is_settled_by_itself(self) -> bool:
        """Whether nobody has to answer."""
        return wish_of(self._said) is Wish.INTENDED

    async def __aenter__(self) -> Self:
        """Take the reply. Raises ReviewError or TargetError, in one sentence, where none can be taken."""
        if self._id in self._dialogue.busy:
            raise ReviewError("An answer about this question is on its way: reply again when it is there.")
        if self._finding.status is Status.DISMISSED:
            raise ReviewError("This question was dismissed: restore it first, then reply.")
        self._dialogue.busy.add(self._id)
        try:
            await self._begin()
        except BaseException:
            self._dialogue.busy.discard(self._id)
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        """The next reply may come."""
        self._dialogue.busy.discard(self._id)

    async def _begin(self) -> None:
        dialogue, store = self._dialogue, self._dialogue.store
        text = await dialogue.documents.text(self._finding.uri)
        if text is None:
            raise TargetError(f"{self._path} is gone or cannot be read, so there is nothing to talk about.")
        placed = store.anchored(self._finding.uri, text, dialogue.version(self._finding.uri))
        self._finding = next((one for one in placed if one.id == self._id), self._finding)
        self._held = dialogue.watch.held(self._id)
        if self._held is None:
            known = await dialogue.known(self._finding, self._home, self._path, text)
            about = self._about(self._finding, text)
            thread = self._finding.thread if known is None else known.thread
            self._held = Held(self._home, Talk(about, Status.OPEN, thread))
            dialogue.watch.hold(self._id, self._held)
        self._before = self._held.thread
        await self._say(USER, self._said)
        if not asks(self._said):
            found = await dialogue.grounds(self._said, self._root, self._finding.uri)
            self._grounds = [Ground(uri, anchor, anchor.line) for uri, anchor in found]

    def _about(self, finding: Finding, text: Text) -> Dismissal:
        """A finding, which stands in this text of its document, as it is kept with its talk."""
        finding, whole = self._dialogue.documents.in_file(finding, text)
        return Dismissal.of(finding, self._path, whole, "", now())

    async def _say(self, author: str, words: str) -> None:
        """Put something into the thread, here and on disk."""
        assert self._held is not None, "the exchange has begun"
        talk = self._held.talk
        self._held.talk = replace(talk, thread=bounded((*talk.thread, Reply(author, words, now()))))
        self._dialogue.watch.show(self._id)
        await self._dialogue.keep(self._home, self._held.talk)

    async def events(self, reviewer: Reviewer) -> AsyncGenerator[Event, None]:
        """The events of the answer."""
        if self.is_settled_by_itself:
            yield Closed(Stop.ANSWERED, _INTENDED)
            return
        named = self._dialogue.documents.line_name
        cited = tuple(named(one.uri, one.anchor.path, one.line) for one in self._grounds)
        finding = replace(self._finding, thread=self._before)
        async with aclosing(reviewer.reply(Discussion(finding, self._said, self._root, cited))) as events:
            async for event in events:
                if isinstance(event, Judged):
                    self._verdict = event.verdict
                else:
                    yield event

    async def ended(self, outcome: Outcome) -> Replied:
        """The whole answer is there, or the user has cancelled it: keep what it came to."""
        closed = outcome.closed
        verdict = Verdict.STANDS
        if closed.stop is not Stop.CANCELLED:
            verdict = self._verdict
            if not closed.summary.strip():
                closed = replace(closed, summary=_ALL_CODE if closed.withheld else _NO_WORDS[verdict])
            await self._settle(verdict, closed.summary, outcome.provider)
        return Replied.of(outcome, closed, self._dialogue.store.get(self._id) or self._finding, verdict)

    async def _settle(self, verdict: Verdict, words: str, provider: str) -> None:
        held, dialogue = self._held, self._dialogue
        assert held is not None, "the exchange has begun"
        finding = dialogue.store.get(self._id)
        before = Status.OPEN if finding is None or finding.status not in SETTLED else finding.status
        status = status_after(verdict, self._said, before, anchored=bool(self._grounds))
        if finding is not None and status in SETTLED and (status is not before or self._grounds):
            text = await dialogue.documents.text(finding.uri)
            # What no longer stands was answered anew.
            grounds = [*(one for one in held.grounds if one.stands), *self._grounds]
            talk = replace(
                held.talk,
                about=held.talk.about if text is None else self._about(finding, text),
                status=status,
                anchors=tuple(replace(one.anchor, line=one.line) for one in grounds),
                stood=finding.status is not Status.STALE,
            )
            dialogue.store.amend(
                replace(finding, status=finding.status if finding.status is Status.DISMISSED else status)
            )
            held = self._held = Held(self._home, talk, grounds)
            dialogue.watch.hold(self._id, held)
        author = OURSELVES if self.is_settled_by_itself else EXAMINER if provider == EXAMINER else MODEL
        if author == OURSELVES:
            dialogue.watch.show(self._id)
            await dialogue.keep(self._home, held.talk)
        else:
            await self._say(author, words)
        for uri in {ground.uri for ground in held.grounds}:
            await dialogue.watch.seen(uri)
