"""What a reviewer makes of the events of a turn: what was read and spent, and the answer as it is spoken."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from socreates_lsp.agent.events import Calling, Failed, Finished, Piece, Progressed, Read, Round, Spent, Warned
from socreates_lsp.review.reviewer import Doing, Reading, Said, Skipped, Usage, Using

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from socreates_lsp.agent.events import TurnEvent
    from socreates_lsp.review.reviewer import Event
    from socreates_lsp.tools.tool import ReadLines

_OFTEN, _RARELY = 4000, 20
"""Characters up to which an answer that is being written is looked at after each line; then, when it is longer by one
part in so many."""

_HELD = 200
"""Characters of an answer that are held back before it is spoken: what comes before calls of tools is shorter."""


@dataclass(slots=True)
class Heard:
    """What a turn has told so far. ``speaks``: the answer is spoken as it comes.

    ``spoken``: whether anything was.
    """

    speaks: bool
    read: list[ReadLines] = field(default_factory=list["ReadLines"])
    usage: Usage = Usage()  # noqa: RUF009  (frozen)
    delegated: Usage = Usage()  # noqa: RUF009  (frozen)
    """What of it turns took that this one delegated to."""
    finished: Finished | None = None
    spoken: bool = False
    warned: bool = False
    rounds: int = 0
    """How many requests have gone out."""
    version_of: Callable[[str], int | None] | None = None
    """The version of an open document at this moment."""
    _pieces: list[str] = field(default_factory=list[str])
    _size: int = 0
    _looked_at: int = 0
    _line_ended: bool = False

    @property
    def ending(self) -> Finished:
        """The last event of the turn."""
        assert self.finished is not None, "the turn has ended"
        return self.finished

    @property
    def own_tokens(self) -> int:
        """Tokens of the turn's own requests and answers."""
        return _tokens(self.usage) - _tokens(self.delegated)

    @property
    def answer(self) -> str:
        """What the model has written in this round."""
        self._pieces[:] = ["".join(self._pieces)]
        return self._pieces[0]

    def has_more(self) -> bool:
        """Whether so much has come since the last look, a line's end among it, that another one is worth it."""
        rarely = self._looked_at // _RARELY if self._looked_at > _OFTEN else 0
        if not self._line_ended or self._size - self._looked_at <= rarely:
            return False
        self._looked_at, self._line_ended = self._size, False
        return True

    def take(self, lines: ReadLines) -> Reading:
        """Lines were read just now."""
        lines = replace(lines, version=None if self.version_of is None else self.version_of(lines.uri))
        self.read.append(lines)
        return Reading(lines.uri, lines.range, version=lines.version)

    def hear(self, event: TurnEvent) -> Sequence[Event]:
        """Take an event; what the reader is told of it."""
        match event:
            case Round(number, of):
                self.rounds = number
                self._pieces.clear()
                self._size = self._looked_at = 0
                self._line_ended = False
                return [Doing(f"round {number} of {of}")]
            case Progressed(message):
                return [Doing(message)]
            case Calling(tool, about):
                return [Using(tool, about)]
            case Piece(text):
                return self._piece(text)
            case Read(lines):
                return [self.take(lines)]
            case Spent(usage, delegated):
                spent = Usage(usage.prompt, usage.cached, usage.completion)
                self.usage += spent
                self.delegated += spent if delegated else Usage()
                return [spent]
            case Failed():
                return []
            case Warned(message):
                told, self.warned = self.warned, True
                return [] if told else [Skipped(message)]
            case Finished():
                self.finished = event
                return self._speak(self.answer) if self.speaks and self._size < _HELD else []

    def _piece(self, text: str) -> Sequence[Event]:
        """Take a piece; it is spoken once enough of the answer is there to know that it is one."""
        began = self._size >= _HELD
        self._pieces.append(text)
        self._size += len(text)
        self._line_ended = self._line_ended or "\n" in text
        if not self.speaks or self._size < _HELD:
            return []
        return self._speak(text if began else self.answer, goes_on=began)

    def _speak(self, text: str, *, goes_on: bool = False) -> Sequence[Event]:
        said = text if goes_on else ("\n\n" if self.spoken else "") + text.lstrip()
        self.spoken = self.spoken or bool(said)
        return [Said(said)] if said else []


def _tokens(usage: Usage) -> int:
    return usage.input_tokens + usage.output_tokens
