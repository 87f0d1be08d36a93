"""A lock that is released on the usual way out of a function, and on another one is not.

Parts of a match: ``LOCK`` (the call that takes it), ``EXIT`` (what leaves the function) and ``WAY``
("leaves early", "raises", ...).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.examiner.calls import Call, calls, shown
from socreates_lsp.examiner.held import Way, leaks
from socreates_lsp.examiner.locks import NAMED, LockUse, lock_uses, read_use
from socreates_lsp.examiner.match import Match
from socreates_lsp.examiner.owned import watch_calls
from socreates_lsp.examiner.risks import is_test
from socreates_lsp.examiner.statements import body_steps, steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_WORTH_A_LOOK = re.compile(r"(?i)unlock|release|LOCK_UN")
_RAII = r"\b(?:unique_lock|shared_lock|lock_guard|scoped_lock|\w*(?:Locker|Guard|UniqueLock))\b[^;{{\n]*\b{}\b"
_WAYS = {Way.EXIT: "leaves early", Way.OTHERWISE: "goes the other way"}


def detect(file: ParsedFile) -> Iterator[Match]:
    """The first way out of each function on which a lock stays locked."""
    if not _WORTH_A_LOOK.search(file.text.content):
        return
    for function, uses in lock_uses(file):
        match = _judge(file, function, uses[0].resource, uses)
        if match is not None:
            yield match


def _judge(file: ParsedFile, function: SgNode, resource: str, uses: list[LockUse]) -> Match | None:
    takes, gives = [use.call for use in uses if use.takes], [use.call for use in uses if not use.takes]
    if not takes or not gives or gives[0].node.range().start.index < takes[0].node.range().start.index:
        return None
    if _elsewhere(file, function, resource, gives) or _explained(file, takes[0].node):
        return None
    taking = [take.node for take in takes if not _asserted(take.node)]
    watch = watch_calls(file, function, resource, taking, [give.node for give in gives])
    found = leaks(body_steps(function) or steps([function]), watch)
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
        one for one in calls(file, function, NAMED) if (one.name, one.receiver) == (gives[0].name, gives[0].receiver)
    ]
    if sum(use is None or not use.takes for use in map(read_use, same)) > len(gives):
        return True
    return file.language == "cpp" and re.search(_RAII.format(re.escape(resource)), file.text.content) is not None


def _asserted(node: SgNode) -> bool:
    return any(up.kind() == "assert_statement" for up in node.ancestors())
