"""The calls in an answer of a model that was asked to write them as text, told apart from its words. Pure.

A call begins where a line does; words before it are the answer's, what comes after it is not (a small model goes on
with a result that it makes up). How far an answer has come is looked at once, however it is cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.model.written_call import MOST_HELD, Look, Scan, Written, call_in, look

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_BETWEEN = " \t\r\n,;"


class CallsInText:
    """Feed it an answer in any pieces; it gives words as they are certain to be some, and calls as they are whole."""

    def __init__(self, offered: Collection[str]) -> None:
        """``offered``: the names of the tools; without any, no text is a call."""
        self._offered = offered
        self._held = ""
        self._scan = Scan()
        self._fresh = True
        self._called = False

    def feed(self, piece: str) -> Iterator[str | Written]:
        """What the next piece makes certain."""
        if not self._offered:
            yield piece
            return
        self._held += piece
        while self._held:
            if self._fresh:
                yield from self._let_go(len(self._held) - len(self._held.lstrip(self._blank)))
            seen = self._look()
            if seen is None:
                yield from self._line()
            elif seen.end is not None:
                yield from self._whole(seen.start or 0, seen.end)
            elif len(self._held) > MOST_HELD:
                self._fresh = False
                yield from self._let_go(MOST_HELD)
            else:
                return

    def end(self) -> Iterator[str | Written]:
        """What was held back, when no more comes."""
        seen = self._look() if self._held else None
        call = None if seen is None or seen.start is None else call_in(self._held[seen.start :], self._offered)
        if call is not None:
            self._held = ""
            yield call
        yield from self._let_go(len(self._held))

    @property
    def _blank(self) -> str:
        return _BETWEEN if self._called else " \t\r\n"

    def _look(self) -> Look | None:
        return look(self._held[:MOST_HELD], self._scan) if self._fresh else None

    def _line(self) -> Iterator[str]:
        """Let go of what is no call, to the end of its line."""
        end = self._held.find("\n") + 1
        self._fresh = end > 0
        yield from self._let_go(end or len(self._held))

    def _whole(self, start: int, end: int) -> Iterator[str | Written]:
        call = call_in(self._held[start:end], self._offered)
        if call is None:
            self._fresh = False
            yield from self._let_go(end)
            return
        self._called = True
        self._held, self._scan = self._held[end:], Scan()
        yield call

    def _let_go(self, size: int) -> Iterator[str]:
        words, self._held = self._held[:size], self._held[size:]
        if size:
            self._scan = Scan()
        if words and not self._called:
            yield words
