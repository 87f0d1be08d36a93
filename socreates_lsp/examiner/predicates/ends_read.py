"""``ends-read: {buffer: BUF, as: CALL}``: the match writes a terminator at the length that a read of all of BUF gave.

That is ``n = read(fd, buf, sizeof buf); buf[n] = 0`` where nothing says that n is less than the size. CALL is bound
to the read. C and C++.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.examiner.conditions import conditions, looks_at
from socreates_lsp.examiner.declarations import declarations

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_READS = re.compile(r"^(?:::|std::)?(?:read|recv|recvfrom|readlink|fread)$")
_BOUND = re.compile(r"<=?|>=?|==")


def holds(file: ParsedFile, match: Match, argument: dict[str, str]) -> bool:
    """Whether the terminator may land outside."""
    buffer = match.get(argument["buffer"])
    target = match.node.field("left")
    index = None if target is None else target.field("index") or target.field("indices")
    if buffer is None or index is None:
        return False
    length = index.named_children()[0] if index.kind() == "subscript_argument_list" else index
    values = [one.value for one in file.definitions.of(length)]
    call = next((one for one in values if one.kind() == "call_expression" and _fills(file, one, buffer)), None)
    if call is None or _bounded(file, match, length):
        return False
    match.parts[argument["as"]] = call
    return True


def _fills(file: ParsedFile, call: SgNode, buffer: SgNode) -> bool:
    """Whether it is a read that may fill the buffer to its last byte."""
    function, arguments = call.field("function"), call.field("arguments")
    if function is None or arguments is None or not _READS.match(function.text()):
        return False
    given = [one.text() for one in arguments.named_children()]
    name = buffer.text()
    if name not in given:
        return False
    sizes = {f"sizeof({name})", f"sizeof {name}", f"sizeof ({name})", f"sizeof( {name} )"}
    for one in declarations(file, buffer):
        size = one.declarator.field("size") if one.declarator.kind() == "array_declarator" else None
        if size is not None:
            sizes.add(size.text())
    return any(text in sizes for text in given)


def _bounded(file: ParsedFile, match: Match, length: SgNode) -> bool:
    """Whether a condition before compares the length with something else than zero."""
    start = match.node.range().start.index
    for condition in conditions(file, match.node):
        text = condition.text()
        if condition.range().start.index < start and looks_at(file, condition, length.text()):
            against = re.sub(rf"\b{re.escape(length.text())}\b\s*(?:<=?|>=?|==|!=)\s*-?[01]\b", "", text)
            if _BOUND.search(against) and re.search(rf"\b{re.escape(length.text())}\b", against):
                return True
    return False
