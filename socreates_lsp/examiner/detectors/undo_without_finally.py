"""State that is set for the time of a call, and stays set when that call fails.

Pairs are read from the text in one pass (a target and what it is set to, a call and its opposite); only those that
look like "do, undo" are looked up in the tree, where the path walk (``held``) says whether an exception gets past.

Parts of a match: ``SET`` (what sets), ``CALL`` (the first call that may fail) and ``WAY`` ("raises" or "throws").
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.examiner.calls import shown
from socreates_lsp.examiner.held import Event, Watch, Way, events, leaks
from socreates_lsp.examiner.match import Match
from socreates_lsp.examiner.parsed import key
from socreates_lsp.examiner.risks import absorbs, is_test, risk
from socreates_lsp.examiner.statements import steps
from socreates_lsp.examiner.undoing import Change, changes, undoes
from socreates_lsp.examiner.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import Rule, SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_TRIES = frozenset({"try_statement", "try_with_resources_statement"})
_HANDLERS = frozenset({"except_clause", "except_group_clause", "catch_clause", "finally_clause"})
_THROWS = frozenset({"raise_statement", "throw_statement", "throw_expression"})
_CONSTRUCTORS = frozenset({"__init__", "__new__", "constructor", "__construct"})
_OF_SYNTAX = frozenset(
    {
        "visit", "visitor", "parse", "parser", "walk", "walker", "emit", "emitter", "gen", "generate", "generator",
        "compile", "compiler", "codegen", "traverse", "transform", "transformer", "unparse", "lex", "lexer", "scan",
        "scanner", "tokenize", "tokenizer", "printer", "serialize", "serializer", "stringify", "unparser", "print",
        "checker", "infer", "analyze", "analyzer", "formatter", "lower", "translate",
    }
)  # fmt: skip
"""Work on a tree or text by an object that nobody uses again once it has failed."""
_SETTER = re.compile(r"(?:get|set|is|has|on|log|dispatch|emit|use)[A-Z]|set$|get$|emit$|dispatch$|set_|get_")
"""Called in the stretch these fail too seldom to ask."""
_CALLS_BACK = re.compile(r"call_user_func|\$\w+\s*\(")
"""PHP's calls of somebody else's function."""
_FRESH = re.compile(
    r"(?:await\s+)?(?:new\b|[\[{]|(?:[\w.]+\.)?[A-Z]\w*\(|[\w.$>:-]*(?:[cC]reate|[cC]lone|[cC]opy|[mM]ake|[bB]uild)\w*\()"
)
_CLEANS_UP = re.compile(r"(?i)\b\w*(?:restore|reset|clean|undo|rollback|revert|teardown|unset)\w*\s*\(")
_SHARED = re.compile(
    r"(?:sys|os|process|document|window|globalThis|global|console|locale|signal|gc|socket|warnings|logging|faulthandler"
    r"|threading|System|Locale|Thread|TimeZone|Math|Date|JSON)\b|\$_|\$GLOBALS"
)
"""What belongs to the whole process."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a change stands: which block, which statement of it."""

    block: int
    index: int
    change: Change


def detect(file: ParsedFile) -> Iterator[Match]:
    """Every change that is undone further down in the same block, unless a call between the two fails."""
    if is_test(file.path):
        return
    found = changes(file.text.content, file.language)
    if not found:
        return
    blocks = file.blocks
    for first, last in _pairs(blocks, found):
        match = _judge(file, blocks[first.block], first, last)
        if match is not None:
            yield match


def _pairs(blocks: list[list[tuple[SgNode, str]]], found: dict[int, Change]) -> Iterator[tuple[_Place, _Place]]:
    groups: defaultdict[tuple[int, str], list[_Place]] = defaultdict(list)
    for number, block in enumerate(blocks):
        for index, (node, _) in enumerate(block):
            change = found.get(node.range().start.index)
            if change is not None:
                groups[number, change.key].append(_Place(number, index, change))
    for places in groups.values():
        for first, last in itertools.pairwise(places):
            if last.index > first.index + 1 and undoes(first.change, last.change):
                yield first, last


def _judge(file: ParsedFile, block: list[tuple[SgNode, str]], first: _Place, last: _Place) -> Match | None:
    nodes = [node for node, _ in block[first.index : last.index + 1]]
    function = file.function_of(nodes[0])
    if function is None or not _outlives(file, function, first.change, nodes[0]):
        return None
    if _taken_care_of(file, function, nodes, first.change, last.change):
        return None
    culprit = _culprit(nodes, _watch(file, function, nodes, first.change, last.change))
    if culprit is None:
        return None
    way = "raises" if file.language == "python" else "throws"
    parts: dict[str, SgNode | str] = {"SET": shown(nodes[0]), "CALL": shown(culprit), "WAY": way}
    return Match(nodes[0], parts, ((culprit, "may fail"), (nodes[-1], "put back here")))


def _culprit(nodes: list[SgNode], watch: Watch) -> SgNode | None:
    """The first call whose exception leaves the stretch with the change in force.

    Where a handler in between throws on, that is the call, too, not the ``throw``.
    """
    found = leaks(steps(nodes), watch)
    calls = [leak.node for leak in found if leak.way is Way.RAISE]
    if calls:
        return calls[0]
    thrown = next((leak.node for leak in found if leak.node.kind() in _THROWS), None)
    if thrown is None:
        return None
    return next((at for node in nodes for event, at in events(node, watch) if event is Event.RISK), thrown)


def _outlives(file: ParsedFile, function: SgNode, change: Change, node: SgNode) -> bool:
    """Whether anybody sees the state after the function has failed."""
    if _SHARED.match(change.target) or re.fullmatch(r"\(\)\w[\w ]*", change.key):
        return True
    class_ = file.class_of(node)
    name = _name(file, function)
    owner = class_.field("name") if class_ is not None else None
    named = [*words(name), *(words(owner.text()) if owner is not None else [])]
    if not _OF_SYNTAX.isdisjoint(named):
        return False
    if name in _CONSTRUCTORS or function.kind() == "constructor_declaration":
        return False
    base = re.match(r"[\w$]+", change.target)
    if base is None:
        return False
    if base[0] in {"self", "this", "cls", "$this", "static"} or base[0][0].isupper():
        return True
    return _is_shared(file, function, change, base[0])


def _name(file: ParsedFile, function: SgNode) -> str:
    return file.function_name(function.field("body") or function) or ""


def _is_shared(file: ParsedFile, function: SgNode, change: Change, base: str) -> bool:
    """Whether a plain name is a field or global, or (before a dot) an object that others know, too."""
    text = function.text()
    name = re.escape(base)
    values = re.findall(rf"(?<![\w.>$]){name}(?:\s*:\s*[\w.<>\[\]| ]+)?\s*=(?!=|>)\s*([^\n]*)", text)
    if base != change.target:
        return not any(_FRESH.match(value) for value in values)
    match file.language:
        case "python":
            return re.search(rf"\b(?:global|nonlocal)\b[^\n]*\b{name}\b", text) is not None
        case "php":
            return re.search(rf"\bglobal\b[^;]*{name}\b", text) is not None
        case _:
            head = text.partition("{")[0]
            declared = rf"\b(?:let|const|var|final|[A-Za-z][\w<>\[\]]*[\w>\]])\s+{name}\s*(?:[=;:,)]|of\b|in\b)"
            kept = r"\b(?:return|await|else|new|throw|case|typeof|void|delete|yield)\s+$"
            local = (one for one in re.finditer(declared, text) if not re.match(kept, one[0][: -len(base)]))
            return re.search(rf"\b{name}\b", head) is None and next(local, None) is None


def _taken_care_of(file: ParsedFile, function: SgNode, nodes: list[SgNode], first: Change, last: Change) -> bool:
    """Whether a handler, a ``finally`` or a callback undoes it, too."""
    handlers: list[SgNode] = []
    for up in nodes[0].ancestors():
        if key(up) == key(function):
            break
        if up.kind() in _TRIES:
            handlers += [part for part in up.named_children() if part.kind() in _HANDLERS]
    texts = [handler.text() for handler in handlers]
    if any(_CLEANS_UP.search(text) for text in texts):
        return True
    mentioned = first.mention
    if any(mentioned.search("".join(text.split())) for text in texts):
        return True
    inner: list[Rule] = [{"kind": kind} for kind in file.syntax.functions]
    callbacks = (callback for node in nodes[1:-1] for callback in node.find_all(any=inner))
    if any(mentioned.search("".join(callback.text().split())) for callback in callbacks):
        return True
    return bool(handlers) and len(last.mention.findall("".join(function.text().split()))) > 2 + _saves(nodes, first)


def _saves(nodes: list[SgNode], change: Change) -> int:
    return sum(len(change.mention.findall("".join(node.text().split()))) for node in nodes[1:-1]) + 1


def _watch(file: ParsedFile, function: SgNode, nodes: list[SgNode], first: Change, last: Change) -> Watch:
    managed = file.language == "python" and _is_context_manager(function)
    taken, given = key(nodes[0]), key(nodes[-1])
    begin, finish = nodes[0].range().end.index, nodes[-1].range().start.index
    inner = file.syntax.functions | file.syntax.classes

    def event(node: SgNode) -> Event | None:
        place = key(node)
        if place == taken:
            return Event.TAKE
        if place == given:
            return Event.GIVE
        if place[0] < begin or place[0] >= finish:
            return None
        kind = place[2]
        if kind in {"expression_statement", "delete_statement"} and last.same(node.text()):
            return Event.GIVE
        if kind in {"yield", "yield_expression"}:
            return Event.RISK if managed and kind == "yield" else None
        if kind == "function_call_expression" and _CALLS_BACK.match(node.text()):
            return Event.RISK
        return None if _is_safe(file, node, kind, first) else risk(file, node)

    return Watch(event, inner, lambda _: False, lambda _: False, lambda handler: absorbs(file, handler))


def _is_safe(file: ParsedFile, node: SgNode, kind: str, change: Change) -> bool:
    """Whether a call is of the kind whose failure nobody expects."""
    if kind not in file.syntax.calls:
        return False
    callee = node.field(file.syntax.calls[kind])
    name = re.split(r"\W+", callee.text())[-1] if callee is not None else ""
    if _SETTER.match(name) is not None or re.match(r"[A-Z]+[a-z]", name) is not None:
        return True
    return (
        not _SHARED.match(change.target) and not change.key.startswith("()") and not _OF_SYNTAX.isdisjoint(words(name))
    )


def _is_context_manager(function: SgNode) -> bool:
    parent = function.parent()
    return (
        parent is not None
        and parent.kind() == "decorated_definition"
        and re.search(r"@[\w.]*contextmanager\b", parent.text().partition("def ")[0]) is not None
    )
