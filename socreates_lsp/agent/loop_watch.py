"""Does a turn run in circles? Calls and their results in, a verdict out. Pure.

The same call (the order of its arguments aside) with the same result is told to the model at the second time and ends
the turn at the fourth; with other results each time, at the sixth. It is counted over the whole turn, so that two
calls by turns are seen as well. Calls of one round are made at once, so that the same one twice in it counts as one.
Rounds in a row in which every call was malformed end the turn likewise.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.model.types import ToolCall
    from socreates_lsp.tools.tool import ToolResult

TOLD, ENDS, ENDS_CHANGING, MALFORMED = 2, 4, 6, 4
"""How often: the same call with the same result is told, and ends the turn; with any result; malformed rounds."""

LONGEST_NOTE = 200
"""Characters of a note behind a result."""

_AGAIN = (
    "\n\n[You have made this very call before, with this very result. Once more tells you nothing new: take another "
    "step, or answer.]"
)
_LAST = "\n\n[The same call with the same result for the third time: once more, and the turn is ended.]"
_CHANGING = "\n\n[You have made this very call five times: once more, and the turn is ended.]"
_MOST_TRIED, _MOST_MISSING = 6, 4
_PLAIN = re.compile(r"[\w./@+ -]{1,100}")
"""What of an argument a reader is shown: the name of a file, and no code."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A call that was made: the tool, the path in it if there is one, how often, and how many results it had."""

    tool: str
    path: str
    times: int
    results: int

    def __str__(self) -> str:
        """For a sentence."""
        what = f"{self.tool} {self.path}".strip()
        if self.times == 1:
            return what
        same = "always the same result" if self.results == 1 else f"{self.results} different results"
        return f"{what} ({self.times} times, {same})"


@dataclass(frozen=True, slots=True)
class Account:
    """Why a turn was ended: ``why``, what was ``tried``, and what is ``missing``, which are sentences of tools."""

    why: str
    tried: tuple[Tried, ...]
    missing: tuple[str, ...]

    def __str__(self) -> str:
        """For the summary."""
        parts = [f"It went in circles and was ended: {self.why}."]
        parts.append(f"Tried: {'; '.join(map(str, self.tried[:_MOST_TRIED]))}.")
        if self.missing:
            parts.append(f"Missing: {' '.join(self.missing[:_MOST_MISSING])}")
        else:
            parts.append("Missing: an answer; what was read brought nothing new.")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Verdict:
    """``notes``: what the model is told behind each result, in the order of the calls. ``account``: the turn ends."""

    notes: tuple[str, ...]
    account: Account | None = None


@dataclass(slots=True)
class _Seen:
    """What is known of one call. ``first``: its number among all calls."""

    tool: str
    path: str
    first: int
    times: int = 0
    results: Counter[str] = field(default_factory=Counter[str])
    failed: str = ""


class LoopWatch:
    """Watches one turn."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._seen: dict[str, _Seen] = {}
        self._malformed = 0

    def saw(self, calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> Verdict:
        """Take the calls of one round with their results."""
        counted: set[str] = set()
        notes: list[str] = []
        why = ""
        for call, result in zip(calls, results, strict=True):
            key = key_of(call)
            seen = self._seen.setdefault(key, _Seen(call.name, path_of(call), len(self._seen)))
            if key not in counted:
                counted.add(key)
                seen.times += 1
                seen.results[result.text] += 1
                seen.failed = sentence_of(result.text) if result.failed else ""
            same = seen.results[result.text]
            notes.append(_note(same, seen.times))
            if not why and same >= ENDS:
                why = f"the same call of {call.name} had the same result {same} times"
            elif not why and seen.times >= ENDS_CHANGING:
                why = f"the same call of {call.name} was made {seen.times} times"
        self._malformed = self._malformed + 1 if all(result.malformed for result in results) else 0
        if self._malformed >= MALFORMED:
            why = f"{self._malformed} rounds in a row held no call that could be carried out"
        return Verdict(tuple(notes), self._account(why) if why else None)

    def _account(self, why: str) -> Account:
        """The calls that were repeated most come first, then in their order."""
        seen = sorted(self._seen.values(), key=lambda one: (-one.times, one.first))
        tried = tuple(Tried(one.tool, one.path, one.times, len(one.results)) for one in seen)
        return Account(why, tried, tuple(dict.fromkeys(one.failed for one in seen if one.failed and one.path)))


def key_of(call: ToolCall) -> str:
    """One text for all calls that are the same."""
    given = call.raw.strip() if call.arguments is None else json.dumps(call.arguments, sort_keys=True, default=str)
    return f"{call.name}\0{given}"


def _note(same: int, times: int) -> str:
    if same >= TOLD:
        return _LAST if same == ENDS - 1 else _AGAIN
    return _CHANGING if times == ENDS_CHANGING - 1 else ""


def path_of(call: ToolCall) -> str:
    """The path of a call, if it is plain."""
    path = (call.arguments or {}).get("path")
    return path if isinstance(path, str) and _PLAIN.fullmatch(path) else ""


def sentence_of(text: str) -> str:
    """The first sentence of a refusal, up to the advice behind a colon."""
    first = text.partition("\n")[0].partition(": ")[0].strip()
    return f"{first.rstrip('.')}." if _PLAIN.fullmatch(first) else ""
