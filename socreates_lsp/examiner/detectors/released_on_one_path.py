"""Something is opened, and closed by hand on the usual way out of a function, and on another one is not.

What is opened is told by what is closed: ``f.close()``, ``fclose($f)``, ``fs.closeSync(fd)`` name a variable, and the
one call that set it in the same function is the opening. Nothing is asked where the variable is handed on: returned,
stored, or taken by a closure.

Parts of a match: ``NAME``, ``OPEN`` (the call that opens) and ``EXIT`` (what leaves the function).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.examiner.calls import Call, calls, shown, squeeze
from socreates_lsp.examiner.held import Way, leaks
from socreates_lsp.examiner.match import Match
from socreates_lsp.examiner.owned import watch_calls
from socreates_lsp.examiner.parsed import key
from socreates_lsp.examiner.statements import BLOCKS, body_steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_CLOSES = (
    "close|closeSync|Close|fclose|pclose|closedir|gzclose|curl_close|release|Release|disconnect|putconn|closeQuietly"
)
_NAMED = rf"(?:^|\W)(?:{_CLOSES})$"
_WORTH_A_LOOK = re.compile(rf"\b(?:{_CLOSES})\(")
_NAME = re.compile(r"\$?[^\W\d]\w*")
_NOT_OPENED = re.compile(r"\Amake\(|enter_context|enter_async_context|\bNew(?:Writer|Reader)\w*\(|FeedParser")
"""Channels and writers in memory are closed, too, but nothing runs out of them."""
_HANDS_ON = (
    r"(?:return|yield)\b[^;\n()]*{}\s*(?:[;,}}\])]|\n|$)",
    r"return\b[^;\n]*?(?:new\s+[\w.\\]+|\b[A-Z]\w*|\b(?:make|wrap|open|new)\w*)\([^()\n]*{}[^()\n]*\)\s*(?:[;,}}]|\n|$)",
    r"(?<![=!<>])[=:]\s*(?:await\s+)?&?{}\s*(?:[;,)}}]|\n|$)",
    r"(?:self|this|\$this)(?:\.|->)\w+\s*=\s*[^;\n]*{}",
    r"\b(?:append|push|array_push|add|put|Store|callback|enter_context|closing|finally|register)\w*\([^()\n]*{}",
)
"""How a variable is returned, stored, or given to what will close it."""
_CALLS = frozenset({"await", "await_expression", "new_expression", "object_creation_expression"})


def detect(file: ParsedFile) -> Iterator[Match]:
    """The first way out of each function on which something stays open."""
    groups: dict[tuple[int, str], list[tuple[Call, SgNode, SgNode]]] = {}
    if not _WORTH_A_LOOK.search(file.text.content):
        return
    for call in calls(file, file.root, _NAMED):
        name = _closed(call)
        function = None if name is None else file.function_of(call.node)
        if name is not None and function is not None:
            groups.setdefault((function.range().start.index, name.text()), []).append((call, name, function))
    for group in groups.values():
        match = _judge(file, group[-1][1], group[0][2], [call.node for call, _, _ in group])
        if match is not None:
            yield match


def _closed(call: Call) -> SgNode | None:
    """The variable that a call closes: its receiver (``resp`` of ``resp.Body.Close()``), else its argument."""
    if call.owner is not None and _NAME.fullmatch(call.receiver.removesuffix(".Body")):
        owner = call.owner
        if call.receiver.endswith(".Body"):
            owner = owner.field("operand") or owner
        if call.receiver not in {"fs", "os", "self", "this", "$this", "IOUtils"}:
            return owner
    if call.arguments and (not call.receiver or call.receiver in {"fs", "os", "IOUtils", "pool", "self.pool"}):
        argument = call.arguments[0]
        inner = argument.named_children()
        variable = inner[0] if argument.kind() == "argument" and inner else argument
        return variable if _NAME.fullmatch(squeeze(variable)) else None
    return None


def _judge(file: ParsedFile, name: SgNode, function: SgNode, gives: list[SgNode]) -> Match | None:
    opened = _opening(file, name, function)
    if opened is None or min(give.range().start.index for give in gives) < opened.range().start.index:
        return None
    if not any(_same_block(opened, give) for give in gives) or _handed_on(file, name.text(), function):
        return None
    watch = watch_calls(file, function, name.text(), [opened], gives)
    found = [leak for leak in leaks(body_steps(function), watch) if leak.way is Way.EXIT]
    found = [leak for leak in found if re.search(_word(name.text()), leak.node.text()) is None]
    if not found:
        return None
    parts: dict[str, SgNode | str] = {"NAME": name.text(), "OPEN": opened, "EXIT": shown(found[0].node)}
    others = [(leak.node, "leaves it open, too") for leak in found[1:]]
    return Match(found[0].node, parts, ((opened, "opened here"), (gives[-1], "closed here"), *others))


def _opening(file: ParsedFile, name: SgNode, function: SgNode) -> SgNode | None:
    """The call that the variable was set to, if that happens once and in this function."""
    found = [one for one in file.definitions.of(name) if one.value.text() not in {"None", "null", "nil", "undefined"}]
    if len(found) != 1 or found[0].statement.kind() in {"as_pattern", "resource"}:
        return None
    if _NOT_OPENED.search(found[0].value.text()):
        return None
    value, home = found[0].value, file.function_of(found[0].statement)
    is_call = value.kind() in file.syntax.calls or value.kind() in _CALLS
    return value if is_call and home is not None and key(home) == key(function) else None


def _same_block(opened: SgNode, give: SgNode) -> bool:
    """Whether both stand in one block: else closing is what is done on error, and to keep it open is the purpose."""
    blocks = [next((up for up in node.ancestors() if up.kind() in BLOCKS), None) for node in (opened, give)]
    return blocks[0] is not None and blocks[1] is not None and key(blocks[0]) == key(blocks[1])


def _handed_on(file: ParsedFile, name: str, function: SgNode) -> bool:
    """Whether the variable leaves the function, or is closed by what is defined in it."""
    text, word = function.text(), _word(name)
    if any(re.search(way.format(word), text) for way in _HANDS_ON):
        return True
    own = key(function)
    inner = function.find_all(any=[{"kind": kind} for kind in file.syntax.functions])
    return any(key(one) != own and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", one.text()) for one in inner)


def _word(name: str) -> str:
    """The variable itself, not a member of it."""
    return rf"(?<![\w.$]){re.escape(name)}(?!\w|\s*\.|\s*->)"
