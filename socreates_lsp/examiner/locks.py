"""Calls that take and release locks, read from their names: ``lock`` and ``unlock``, ``acquire`` and ``release``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.examiner.calls import Call, calls, squeeze, targets
from socreates_lsp.examiner.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

NAMED = "(?i)lock|acquire|release|free"
"""For ast-grep: what the name of such a call holds."""
_VERBS = {
    "lock": (True, "lock"), "trylock": (True, "lock"), "rdlock": (True, "lock"), "wrlock": (True, "lock"),
    "unlock": (False, "lock"), "runlock": (False, "lock"), "acquire": (True, "acquire"),
    "release": (False, "acquire"), "flock": (True, "flock"),
}  # fmt: skip
"""What a word in a call's name does (take or give), and what the other half of the pair is called."""
_MANNERS = frozenset(
    {"try", "timed", "interruptibly", "uninterruptibly", "irqsave", "irqrestore", "irq", "bh", "async", "nested"}
)
_SIDES = frozenset({"read", "write", "r", "w"})
_OF_LOCKS = _SIDES | {"lock", "acquire", "mutex", "sem", "semaphore", "permit", "slot"}
"""Other words that may stand beside acquire and release; what else is acquired comes from a pool."""
_RELEASER = re.compile(r"(?i)release|unlock|free")


@dataclass(frozen=True, slots=True)
class LockUse:
    """A call that takes or gives back ``resource``; ``pair`` is equal for the two halves."""

    call: Call
    takes: bool
    resource: str
    pair: str


def lock_uses(file: ParsedFile) -> Iterator[tuple[SgNode, list[LockUse]]]:
    """The calls by function, resource and pair, each group in the order of the text, with the function."""
    groups: dict[tuple[int, str, str], list[LockUse]] = {}
    functions: dict[int, SgNode] = {}
    for use in _uses(file):
        function = file.function_of(use.call.node) or file.root
        start = function.range().start.index
        functions[start] = function
        groups.setdefault((start, use.resource, use.pair), []).append(use)
    for (start, _, _), uses in groups.items():
        yield functions[start], uses


def _uses(file: ParsedFile) -> Iterator[LockUse]:
    closures: set[str] = set()
    for call in calls(file, file.root, NAMED):
        use = read_use(call)
        if call.name in closures and not call.receiver:
            yield LockUse(call, takes=False, resource=call.name, pair="closure")
        elif use is not None:
            yield use
            if use.takes:
                for name in filter(_RELEASER.search, targets(file, call.node)):
                    closures.add(name)
                    yield LockUse(call, takes=True, resource=name, pair="closure")


def read_use(call: Call) -> LockUse | None:
    """Read a call by its name: ``pthread_mutex_lock(&m)``, ``m.lockInterruptibly()``, ``flock($f, LOCK_UN)``."""
    named = [word for word in words(call.name) if word not in _MANNERS]
    verb = next((word for word in reversed(named) if word in _VERBS), None)
    if verb is None or (call.receiver and verb != next(word for word in named if word not in _SIDES)):
        return None
    takes, of = _VERBS[verb]
    if of == "acquire" and not _OF_LOCKS.issuperset(word for word in named if word != verb):
        return None
    if verb == "flock":
        takes = not any("LOCK_UN" in argument.text() for argument in call.arguments)
    resource = call.receiver or (squeeze(call.arguments[0]).lstrip("&*") if call.arguments else "")
    if call.receiver in {"fcntl", "std"} and call.arguments:
        resource = squeeze(call.arguments[0])
    pair = " ".join(sorted(of if word == verb else word for word in named))
    return LockUse(call, takes, resource, pair)
