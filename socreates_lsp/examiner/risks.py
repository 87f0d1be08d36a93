"""What may raise, and what catches it: the exceptions of each language as the path walk (``held``) needs them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.examiner.calls import read_call
from socreates_lsp.examiner.held import Event

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

RAISING = frozenset({"python", "javascript", "typescript", "tsx", "java", "php", "cpp"})
"""Languages in which any call may leave the function by an exception. (Rust's ``?`` is an exit on the page.)"""
_SUSPENDING = frozenset({"await", "await_expression", "yield", "yield_expression"})
_HARMLESS = frozenset(
    {
        # Python
        "len", "isinstance", "issubclass", "hasattr", "callable", "id", "type", "repr", "bool", "super", "range",
        "enumerate", "zip", "list", "dict", "set", "tuple", "frozenset", "deque", "min", "max", "sorted", "print",
        "append", "appendleft", "extend", "add", "discard", "clear", "copy", "get", "items", "keys", "values",
        "setdefault", "startswith", "endswith", "strip", "lower", "upper", "format", "join", "monotonic",
        "perf_counter", "time", "now", "notify", "notify_all", "is_set", "current_thread", "get_ident",
        "debug", "info", "warning", "warn", "error", "exception", "critical", "log", "trace", "locked",
        # JavaScript
        "push", "unshift", "has", "delete", "indexOf", "includes", "String", "Number", "Boolean", "floor",
        "preventDefault", "stopPropagation", "clearTimeout", "setTimeout", "clearInterval", "toString", "slice",
        # Java and C++
        "put", "size", "isEmpty", "empty", "contains", "containsKey", "remove", "peek", "poll", "signal", "signalAll",
        "notifyAll", "notify_one", "equals", "hashCode", "getClass", "nanoTime", "currentTimeMillis", "push_back",
        "pop_front", "pop_back", "front", "back", "begin", "end", "find", "erase", "c_str", "move", "length", "swap",
        "incrementAndGet", "getAndIncrement", "decrementAndGet", "currentThread", "println", "pop", "first", "last",
        # PHP
        "count", "strlen", "isset", "is_null", "is_array", "in_array", "array_key_exists", "microtime",
    }
)  # fmt: skip
"""Calls that raise only where something is badly broken anyway."""
_ASKS = re.compile(r"(?:is|has)(?:_|[A-Z])")
_OWN_OF_PHP = re.compile(r"[a-z][A-Z]|\\$")
"""PHP's own functions are written small and warn where others throw."""
_TEST = re.compile(
    r"(?:^|/)(?:tests?|testing|__tests__|specs?)/|(?:^|/)(?:test_|conftest)|[._-](?:test|spec)s?\.|Tests?\."
)
_BROAD = re.compile(r"\b(Base)?Exception\b|\bThrowable\b|\bRuntimeException\b|\bstd::exception\b|\.\.\.")


def risk(file: ParsedFile, node: SgNode) -> Event | None:
    """RISK where this node may raise (its parts not counted), LEAVE for Rust's ``?``."""
    kind = node.kind()
    if kind == "try_expression" and file.language == "rust":
        return Event.LEAVE
    if file.language not in RAISING:
        return None
    if kind in _SUSPENDING:
        return Event.RISK
    if kind not in file.syntax.calls or kind in {"new_expression", "object_creation_expression"}:
        return None
    call = read_call(file, node)
    if call is None:
        return Event.RISK
    if kind == "function_call_expression" and not _OWN_OF_PHP.search(call.name):
        return None
    return None if call.name in _HARMLESS or _ASKS.match(call.name) else Event.RISK


def absorbs(file: ParsedFile, handler: SgNode) -> bool:
    """Whether a handler catches all that code usually raises."""
    if file.language in {"javascript", "typescript", "tsx"}:
        return True
    head = "".join(
        part.text() + " " for part in handler.named_children() if part.kind() not in {"block", "compound_statement"}
    )
    if file.language == "python" and not head.strip():
        return True
    return _BROAD.search(head if file.language != "cpp" else handler.text().partition("{")[0]) is not None


def is_test(path: str) -> bool:
    """Whether a file holds tests, by its path. There an exception is a failed test, and nobody waits behind it."""
    return _TEST.search(path) is not None
