"""A lock that is released on the usual way out of a function, and on another one is not.

Parts of a match: ``LOCK`` (the call that takes it), ``EXIT`` (what leaves the function) and ``WAY``
("leaves early", "raises", ...).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.examiner.calls import Call, calls, mentions, shown, squeeze, targets
from socreates_lsp.examiner.held import Event, Watch, Way, leaks
from socreates_lsp.examiner.match import Match
from socreates_lsp.examiner.parsed import key
from socreates_lsp.examiner.risks import absorbs, is_test, risk
from socreates_lsp.examiner.statements import body_steps, steps
from socreates_lsp.examiner.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_WORTH_A_LOOK = re.compile(r"(?i)unlock|release|LOCK_UN")
_NAMED = "(?i)lock|acquire|release|free"
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
_HANDS_OVER = frozenset(
    {"lock", "trylock", "acquire", "enter", "aenter", "begin", "open", "start", "hold", "take", "wait"}
)
_RAII = r"\b(?:unique_lock|shared_lock|lock_guard|scoped_lock|\w*(?:Locker|Guard|UniqueLock))\b[^;{{\n]*\b{}\b"
_RELEASER = re.compile(r"(?i)release|unlock|free")
_ASKING = re.compile(r"\b(?:is_?)?(?:locked|held|closed|open|isset|is_resource|held_?by_?\w+)\s*\(", re.IGNORECASE)
_WAYS = {Way.EXIT: "leaves early", Way.OTHERWISE: "goes the other way"}


@dataclass(frozen=True, slots=True)
class _Use:
    """A call that takes or gives back ``resource``; ``pair`` is equal for the two halves."""

    call: Call
    takes: bool
    resource: str
    pair: str


def detect(file: ParsedFile) -> Iterator[Match]:
    """The first way out of each function on which a lock stays locked."""
    if not _WORTH_A_LOOK.search(file.text.content):
        return
    groups: dict[tuple[int, str, str], list[_Use]] = {}
    functions: dict[int, SgNode] = {}
    for use in _uses(file):
        function = file.function_of(use.call.node) or file.root
        start = function.range().start.index
        functions[start] = function
        groups.setdefault((start, use.resource, use.pair), []).append(use)
    for (start, resource, _), uses in groups.items():
        match = _judge(file, functions[start], resource, uses)
        if match is not None:
            yield match


def _uses(file: ParsedFile) -> Iterator[_Use]:
    closures: set[str] = set()
    for call in calls(file, file.root, _NAMED):
        use = _read(call)
        if call.name in closures and not call.receiver:
            yield _Use(call, takes=False, resource=call.name, pair="closure")
        elif use is not None:
            yield use
            if use.takes:
                for name in filter(_RELEASER.search, targets(file, call.node)):
                    closures.add(name)
                    yield _Use(call, takes=True, resource=name, pair="closure")


def _read(call: Call) -> _Use | None:
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
    return _Use(call, takes, resource, pair)


def _judge(file: ParsedFile, function: SgNode, resource: str, uses: list[_Use]) -> Match | None:
    takes, gives = [use.call for use in uses if use.takes], [use.call for use in uses if not use.takes]
    if not takes or not gives or gives[0].node.range().start.index < takes[0].node.range().start.index:
        return None
    if _elsewhere(file, function, resource, gives) or _explained(file, takes[0].node):
        return None
    found = leaks(body_steps(function) or steps([function]), _watch(file, function, resource, takes, gives))
    if not _may_raise(file, resource, takes[0], gives):
        found = [leak for leak in found if leak.way is not Way.RAISE]
    if not found:
        return None
    leak = next((leak for leak in found if leak.way is not Way.RAISE), found[0])
    way = _WAYS.get(leak.way) or ("raises" if file.language == "python" else "throws")
    parts: dict[str, SgNode | str] = {"LOCK": takes[0].node, "EXIT": shown(leak.node), "WAY": way}
    place = takes[0].node if leak.way is Way.RAISE else leak.node
    others = [(one.node, "leaves with it, too") for one in found if one is not leak and one.way is Way.EXIT]
    return Match(place, parts, ((takes[0].node, "taken here"), (gives[-1].node, "released here"), *others))


def _may_raise(file: ParsedFile, resource: str, take: Call, gives: list[Call]) -> bool:
    """Whether an exception between the two is worth a question.

    Not where a ``finally`` shows that it was thought of, not in tests of locks, not behind C's functions, and in
    C++ only for a standard mutex: much of C++ is written to do without exceptions.
    """
    if is_test(file.path) or any(up.kind() == "finally_clause" for give in gives for up in give.node.ancestors()):
        return False
    if file.language == "cpp":
        name = re.split(r"\W+", resource)[-1]
        standard = re.search(rf"\bstd::(?:\w+_)?mutex\s+(?:\w+::)?{name}\b", file.text.content) if name else None
        return take.name == "lock" and standard is not None
    return file.language != "php" or take.name != "flock"


def _explained(file: ParsedFile, take: SgNode) -> bool:
    """Whether a comment on the spot says who releases."""
    line = file.line_of(take)
    spoken = [file.text.line(number) for number in (line - 1, line) if number in file.comment_lines]
    return any(re.search(r"(?i)unlock|releas|held|caller", words_) for words_ in spoken)


def _elsewhere(file: ParsedFile, function: SgNode, resource: str, gives: list[Call]) -> bool:
    """Whether something else may release it: a callback, a guard object."""
    text = function.text()
    name = re.escape(gives[0].name)
    owner = re.escape(gives[0].receiver)
    if owner and re.search(rf"{owner}\s*(?:\.|->|::)\s*{name}\b(?!\s*\()", text):
        return True
    if not owner and len(re.findall(rf"\b{name}\b", text)) > len(re.findall(rf"\b{name}\s*\(", text)) + 1:
        return True
    same = [
        one for one in calls(file, function, _NAMED) if (one.name, one.receiver) == (gives[0].name, gives[0].receiver)
    ]
    if sum(use is None or not use.takes for use in map(_read, same)) > len(gives):
        return True
    return file.language == "cpp" and re.search(_RAII.format(re.escape(resource)), file.text.content) is not None


def _watch(file: ParsedFile, function: SgNode, resource: str, takes: list[Call], gives: list[Call]) -> Watch:
    taking = {key(call.node) for call in takes if not _asserted(call.node)}
    giving = {key(call.node) for call in gives}
    spans = [span[:2] for span in taking]
    flags = [name for call in takes for name in targets(file, call.node)]
    text = function.text()
    lasting = [name for name in flags if len(re.findall(rf"\b{re.escape(name)}\s*(?:,[^=\n]*)?:?=(?!=)", text)) <= 1]

    def event(node: SgNode) -> Event | None:
        place = key(node)
        if place in taking:
            return Event.TAKE
        if place in giving:
            return Event.GIVE
        if any(place[0] <= start and end <= place[1] for start, end in spans):
            return None
        return risk(file, node)

    def tests(condition: SgNode) -> bool:
        asked = condition.text()
        if mentions(asked, lasting):
            return True
        return mentions(asked, [resource]) and re.search(r"\w\s*\(", _ASKING.sub("", asked)) is None

    name = file.function_name(function.field("body") or function) or ""
    return Watch(
        event,
        file.syntax.functions | file.syntax.classes,
        tests,
        lambda condition: mentions(condition.text(), flags),
        lambda handler: absorbs(file, handler),
        keeps=not _HANDS_OVER.isdisjoint(words(name)),
    )


def _asserted(node: SgNode) -> bool:
    return any(up.kind() == "assert_statement" for up in node.ancestors())
