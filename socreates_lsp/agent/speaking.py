"""An answer on its way to the reader: no code that the model wrote gets there, also not in the middle of a stream."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from socreates_lsp.agent.source_labels import checked
from socreates_lsp.review.reviewer import Said
from socreates_lsp.review.voice import VoicedStream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from socreates_lsp.agent.points import Points
    from socreates_lsp.agent.source_labels import Label


class Voice:
    """Says an answer piece by piece. ``said`` is all of it so far."""

    def __init__(self, points: Points, known: Callable[[Label], bool] | None = None) -> None:
        """``points`` know which code stands in what the model has read, ``known`` which sources were read; the labels
        of others are marked."""
        self._points = points
        self._known = known
        self._stream = VoicedStream(points.quotes)
        self.said = ""

    @property
    def withheld(self) -> int:
        """Pieces of code that were not said."""
        return self._stream.withheld

    async def say(self, piece: str, read: Iterable[str]) -> Said | None:
        """The next piece, as far as it is clear that it is no code."""
        await self._points.has_read(read)
        return self._take(await asyncio.to_thread(self._stream.feed, piece))

    async def end(self, sentence: str) -> Said | None:
        """What is left, and a sentence of our own behind it."""
        rest = await asyncio.to_thread(self._stream.end)
        gap = "\n\n" if sentence and (self.said + rest).strip() else ""
        return self._take(f"{rest}{gap}{sentence}")

    def _take(self, text: str) -> Said | None:
        text = self._points.labels.spoken(text)
        text = text if self._known is None else checked(text, self._known)
        self.said += text
        return Said(text) if text else None
