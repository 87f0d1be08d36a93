"""What a running turn tells: progress, pieces of the answer, what tools read, and the end. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.model.types import TokenUsage
    from socreates_lsp.review.reviewer import Stop
    from socreates_lsp.tools.tool import ReadLines


@dataclass(frozen=True, slots=True)
class Round:
    """The next request goes out; what was said in the round before was no answer. Counts from 1."""

    number: int
    of: int


@dataclass(frozen=True, slots=True)
class Progressed:
    """A message for the progress, such as ``loading qwen3:8b (cold)``."""

    message: str


@dataclass(frozen=True, slots=True)
class Calling:
    """A tool is called: its name, and of what."""

    tool: str
    about: str


@dataclass(frozen=True, slots=True)
class Piece:
    """The next piece of what the model writes; a round that ends in calls of tools is no answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Read:
    """Lines that the model has been given."""

    lines: ReadLines


@dataclass(frozen=True, slots=True)
class Spent:
    """What one request took. ``delegated``: of a turn that this one delegated to, which keeps account of it itself."""

    usage: TokenUsage
    delegated: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """A call that brought nothing: the tool, the path in it if it is plain, a sentence if that is."""

    tool: str
    path: str
    told: str


@dataclass(frozen=True, slots=True)
class Warned:
    """A sentence for the reader that ends nothing."""

    message: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a turn. ``text`` is the whole answer, ``reason`` a sentence where it is not whole.

    ``waited``: seconds in which others asked the model, which do not count as the turn's own.
    """

    stop: Stop
    text: str
    rounds: int
    model: str
    reason: str = ""
    waited: float = 0.0


TurnEvent = Round | Progressed | Calling | Piece | Read | Failed | Spent | Warned | Finished
