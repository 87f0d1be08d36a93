"""The text of an answer on its way to events: thoughts apart, and a call that was written as text made a call. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.model.calls import call_of
from socreates_lsp.model.thinking import ThinkTags
from socreates_lsp.model.types import Called, ReasoningDelta, TextDelta
from socreates_lsp.model.untyped import whole_text
from socreates_lsp.model.written_call import may_become_call, written_call

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from socreates_lsp.model.calls import Ids
    from socreates_lsp.model.types import ModelEvent


class AnswerText:
    """Text goes out as it comes, but for what may yet turn out to be a tag, half a character, or a call."""

    def __init__(self, offered: Collection[str], ids: Ids) -> None:
        """``offered``: the names of the tools; without any, no text is a call."""
        self._offered, self._ids = offered, ids
        self._tags = ThinkTags()
        self._half = ""
        self._held = ""
        self._holding = bool(offered)

    def feed(self, piece: str) -> Iterator[ModelEvent]:
        """The events that the next piece of text brings."""
        piece = self._half + piece
        self._half = ""
        if "\ud800" <= piece[-1:] <= "\udbff":
            piece, self._half = piece[:-1], piece[-1]
        yield from self._pass(*self._tags.feed(whole_text(piece)))

    def reasoning(self, piece: str) -> Iterator[ModelEvent]:
        """The events for a piece of thought that the wire itself tells apart."""
        if piece:
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
        if self._holding and may_become_call(text):
            self._held = text
            return
        self._held, self._holding = "", False
        yield TextDelta(text)
