"""``leaks: {of: P, call: CALL, release: REGEX, as: EXIT}``: what CALL gave to P is given back, but not always.

A release is a call like REGEX that P is given to (or that is called on P), or a ``delete``. Handing P on (returning,
storing, giving it to something that keeps it) is as good. EXIT is bound to the first way out without either.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.calls import mentions, read_call, squeeze, targets
from socreates_lsp.examiner.held import Event, Watch, Way, leaks
from socreates_lsp.examiner.parsed import key
from socreates_lsp.examiner.predicates.escapes import handed_on
from socreates_lsp.examiner.statements import body_steps

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_KEEPS = re.compile(
    r"(?i)add|append|push|insert|(^|_)set|attach|register|put|wrap|take|own|store|queue|link|fdopen|adopt|give|assign"
    r"|track|save|move|make_|create|new|init|cleanup|free|destroy|release|unref|close|delete|drop|^exit$|spawn|thread"
    r"|sendfile|exchange|swap"
)
"""Calls that may become the owner of what they are given."""
_LEAVES = frozenset({"return_statement", "throw_statement", "co_return_statement", "return_expression"})
_LOOKS = r"(?:\w*(?:[vV]alid|[nN]ull|NULL|assert|ASSERT|CHECK|likely|[eE]rr|ERR|[fF]ail|FAIL)\w*|sizeof|if|while)\b"
_CALLED = re.compile(rf"\b(?!{_LOOKS})(?:\w+(?:->|\.|::))*\w+\([^()]*\)")
"""A call in a condition, but for those that ask about what they are given."""


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether one way out forgets it."""
    node, call = match.get(argument["of"]), match.get(argument["call"])
    function = file.function_of(match.node)
    if node is None or call is None or function is None:
        return False
    reader = _Reader(file, node, call, argument["release"])
    exits = [
        leak.node
        for leak in leaks(body_steps(function), reader.watch())
        if leak.way is Way.EXIT and leak.node.kind() in _LEAVES and not mentions(leak.node.text(), [reader.name])
    ]
    if not exits or not reader.released:
        return False
    match.parts[argument["as"]] = exits[0]
    return True


class _Reader:
    """Says what each node does with the thing, and remembers whether any of them releases it."""

    def __init__(self, file: ParsedFile, node: SgNode, call: SgNode, release: str) -> None:
        self.file = file
        self.name = squeeze(node)
        self.kind = node.kind()
        self.call = call
        self.taking = key(call)
        self.release = re.compile(release)
        self.released = False

    def watch(self) -> Watch:
        outcome = targets(self.file, self.call)
        return Watch(
            self.event,
            self.file.syntax.functions | self.file.syntax.classes,
            lambda condition: mentions(_plain(condition.text()), [self.name]),
            lambda condition: mentions(_plain(condition.text()), outcome),
            lambda _: False,
            keeps=True,
        )

    def event(self, part: SgNode) -> Event | None:
        if key(part) == self.taking:
            return Event.TAKE
        kind = part.kind()
        if kind in self.file.syntax.calls:
            return self._call(part)
        gone = kind == "delete_expression" and re.sub(r"^(?:::)?delete(?:\[\])?", "", squeeze(part)) == self.name
        self.released = self.released or gone
        named = kind == self.kind and squeeze(part) == self.name
        return Event.GIVE if gone or (named and handed_on(self.file, part, calls=False)) else None

    def _call(self, part: SgNode) -> Event | None:
        call = read_call(self.file, part)
        if call is None:
            return None
        given = {squeeze(argument).lstrip("&*") for argument in call.arguments}
        if call.receiver != self.name and self.name not in given:
            return None
        if self.release.search(call.name):
            self.released = True
            return Event.GIVE
        keeps = call.receiver != self.name and (_KEEPS.search(call.name) is not None or self._builds(part, call.name))
        return Event.GIVE if keeps else None

    def _builds(self, call: SgNode, name: str) -> bool:
        """Whether a call looks like a constructor whose object is kept: ``data = Slice(p, n)``."""
        parent = call.parent()
        return name[:1].isupper() and parent is not None and parent.kind() in self.file.syntax.assignments


def _plain(condition: str) -> str:
    """A condition without the calls in it: what is given to a function is not asked about."""
    before = ""
    while before != condition:
        before, condition = condition, _CALLED.sub("0", condition)
    return condition
