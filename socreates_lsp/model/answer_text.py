"""The text of an answer on its way to events: thoughts apart, and a call that was written as text made a call. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.model.calls import call_of
from socreates_lsp.model.failures import ModelError
from socreates_lsp.model.thinking import ThinkTags
from socreates_lsp.model.types import Called, ReasoningDelta, TextDelta
from socreates_lsp.model.untyped import whole_text
from socreates_lsp.model.written_call import Scan, may_become_call, written_call

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from socreates_lsp.model.calls import Ids
    from socreates_lsp.model.types import ModelEvent

MOST_SAID = 1_000_000
"""Characters of one answer: words, thoughts and arguments. The longest that models are made for are about half of
this; what goes on is a model in a loop, or a server at play, and all of it is kept, parsed and sent along."""


_JOINED = 64
"""Pieces that come at once are joined to so many characters: whoever adds them up has fewer to add."""


def joined(events: Iterator[ModelEvent]) -> Iterator[ModelEvent]:
    """The events with short pieces of text, or of thought, made longer ones. What comes before a failure is given."""
    pieces: list[str] = []
    kind: type[TextDelta | ReasoningDelta] = TextDelta
    failure: ModelError | None = None
    while failure is None:
        try:
            event = next(events, None)
        except ModelError as error:
            event, failure = None, error
        if pieces and (type(event) is not kind or sum(map(len, pieces)) >= _JOINED):
            yield kind("".join(pieces))
            pieces = []
        if event is None:
            break
        if isinstance(event, TextDelta | ReasoningDelta):
            kind = type(event)
            pieces.append(event.text)
        else:
            yield event
    if failure is not None:
        raise failure


class AnswerText:
    """Text goes out as it comes, but for what may yet turn out to be a tag, half a character, or a call."""

    def __init__(self, offered: Collection[str], ids: Ids) -> None:
        """``offered``: the names of the tools; without any, no text is a call."""
        self._offered, self._ids = offered, ids
        self._tags = ThinkTags()
        self._half = ""
        self._held = ""
        self._holding = bool(offered)
        self._scan = Scan()
        self.said = 0
        """How many characters came, of words, thoughts and arguments; never more than ``MOST_SAID``."""

    @property
    def full(self) -> bool:
        """Whether the answer is as long as any may be; what comes after is not taken."""
        return self.said >= MOST_SAID

    def room(self, piece: str, besides: int = 0) -> str:
        """As much of a piece as there is room for; it is counted, with so many characters besides."""
        piece = piece[: MOST_SAID - self.said]
        self.said = min(self.said + len(piece) + besides, MOST_SAID)
        return piece

    def feed(self, piece: str) -> Iterator[ModelEvent]:
        """The events that the next piece of text brings."""
        piece = self._half + self.room(piece)
        self._half = ""
        if "\ud800" <= piece[-1:] <= "\udbff":
            piece, self._half = piece[:-1], piece[-1]
        yield from self._pass(*self._tags.feed(whole_text(piece)))

    def reasoning(self, piece: str) -> Iterator[ModelEvent]:
        """The events for a piece of thought that the wire itself tells apart."""
        if piece := self.room(piece):
            yield ReasoningDelta(whole_text(piece))

    def end(self, *, calls: bool) -> Iterator[ModelEvent]:
        """What was held back. ``calls``: the answer has real calls, so that its text is text."""
        half, self._half = whole_text(self._half), ""
        yield from self._pass(*self._tags.feed(half))
        yield from self._pass(*self._tags.end())
        held, self._held, self._holding = self._held, "", False
        call = None if calls else written_call(held, self._offered)
        if call is not None:
            yield Called(call_of(call.name, call.raw, self._ids.take()))
        elif held:
            yield TextDelta(held)

    def _pass(self, thought: str, text: str) -> Iterator[ModelEvent]:
        if thought:
            yield ReasoningDelta(thought)
        if not text:
            return
        text = self._held + text
        if self._holding and may_become_call(text, self._scan):
            self._held = text
            return
        self._held, self._holding = "", False
        yield TextDelta(text)
