"""A lock that is held while something slow runs: a sleep, the network, another process, an ``await``.

Parts of a match: ``LOCK`` (where it is taken) and ``CALL`` (what takes its time).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.examiner.calls import calls, squeeze
from socreates_lsp.examiner.match import Match
from socreates_lsp.examiner.parsed import key
from socreates_lsp.examiner.risks import is_test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_WORTH_A_LOOK = re.compile(r"(?i)lock|mutex|synchronized|semaphore|condition|\.(?:read|write)\(\)\s*\.")
_PYTHON_LOCK = re.compile(r"(threading|multiprocessing)\.(Lock|RLock|Condition|Semaphore|BoundedSemaphore)\(\)")
_CALLED_LOCK = re.compile(r"(?i)(?:^|[._])\w*(?:lock|mutex)\Z|(?:^|[._])(?:lock|mutex)\w*\Z")
_STD_GUARD = re.compile(
    r"\.(?:lock|read|write)\(\)\s*\.(?:unwrap\(\)|expect\([^()]*\)|unwrap_or_else\((?:[^()]|\([^()]*\))*\))\Z"
)
_CPP_GUARD = re.compile(r"\b(?:std::)?(?:lock_guard|unique_lock|scoped_lock|shared_lock)\b")

_SLOW = {
    "python": r"(?:time\.sleep|requests\.(?:\w+\.)?(?:get|post|put|patch|delete|head|options|request)"
    r"|requests\.(?:sessions\.)?[Ss]ession\(\)\.\w+|httpx\.(?:get|post|put|patch|delete|head|request|stream)"
    r"|httpx\.Client\(\)\.(?:get|post|put|patch|delete|head|request|send)|urllib\.request\.urlopen"
    r"|subprocess\.(?:run|call|check_call|check_output)|os\.system|socket\.create_connection"
    r"|socket\.socket\(\)\.(?:connect|recv|accept|sendall)|smtplib\.SMTP(?:_SSL)?(?:\(\)\.\w+)?|builtins\.input|input)",
    "go": r"(?:time\.Sleep|net/http\.(?:Get|Post|PostForm|Head)|net\.(?:Dial|DialTimeout|DialTCP)"
    r"|os/exec\.Command(?:Context)?\(\)\.(?:Run|Output|CombinedOutput)|(?:.*\.)?(?:[hH]ttp)?[cC]lient(?:\(\))?\.Do"
    r"|net/http\.DefaultClient\.(?:Do|Get|Post)|net/http\.Client\(\)\.\w+)",
    "java": r"(?:java\.lang\.)?Thread\.sleep\(\)|(?:.*\.)?TimeUnit\.\w+\.sleep\(\)"
    r"|(?:.*\.)?(?:openConnection|openStream|waitFor)\(\)|(?:.*\.)?(?:httpC|restC|c)lient\.(?:send|execute)\(\)"
    r"|(?:.*\.)?(?:restTemplate|RestTemplate\(\))\.\w+\(\)|(?:java\.net\.)?Socket\(\)",
    "rust": r"(?:std::)?(?:thread::)?sleep|(?:std::)?fs::(?:read|write|read_to_string|copy|read_dir|rename)"
    r"|(?:std::fs::)?(?:File|OpenOptions)(?:::|\.)(?:open|create|new)|(?:std::net::)?TcpStream::connect"
    r"|reqwest::blocking::\w+|(?:.*\.)?(?:write_all|sync_all|read_to_end)",
    "c": r"(?:nano|u)?sleep|recv|send|connect|accept|system|popen|getaddrinfo|gethostbyname|curl_easy_perform",
    "cpp": r"(?:::|std::this_thread::|this_thread::)?(?:sleep_for|sleep_until|(?:nano|u)?sleep)"
    r"|(?:::)?(?:recv|send|connect|accept|system|popen|getaddrinfo|curl_easy_perform)",
}
"""What takes its time, as whole dotted names (of Java with the call's parentheses)."""


_AWAIT = {"python": "await", "rust": "await_expression"}


@dataclass(frozen=True, slots=True)
class _Held:
    """``taken`` is the expression that takes the lock; it is held in ``inside`` from one offset to another.

    ``suspends``: an ``await`` in between stops others, since the lock knows nothing of tasks.
    """

    taken: SgNode
    inside: SgNode
    start: int
    end: int
    suspends: bool = False


def detect(file: ParsedFile) -> Iterator[Match]:
    """The first slow thing under each lock, where nobody explained it."""
    regions = _REGIONS.get(file.language)
    if regions is None or not _WORTH_A_LOOK.search(file.text.content) or is_test(file.path):
        return
    asked: set[tuple[int, int, str]] = set()
    for held in regions(file):
        slow = _first_slow(file, held)
        if slow is None or key(slow) in asked or _explained(file, held, slow):
            continue
        asked.add(key(slow))
        yield Match(slow, {"LOCK": held.taken, "CALL": slow}, ((held.taken, "held from here"),))


def _explained(file: ParsedFile, held: _Held, slow: SgNode) -> bool:
    lines = {file.line_of(node) + step for node in (held.taken, slow) for step in (-1, 0)}
    return not file.comment_lines.isdisjoint(lines)


def _first_slow(file: ParsedFile, held: _Held) -> SgNode | None:
    home = _home(file, held.inside)
    found = [node for node in _slow(file, held) if held.start <= node.range().start.index < held.end]
    own = (node for node in found if _home(file, node) == home)
    return min(own, key=lambda node: node.range().start.index, default=None)


def _home(file: ParsedFile, node: SgNode) -> tuple[int, int, str] | None:
    function = node if node.kind() in file.syntax.functions else file.function_of(node)
    return None if function is None else key(function)


def _slow(file: ParsedFile, held: _Held) -> Iterator[SgNode]:
    if held.suspends:
        yield from held.inside.find_all(kind=_AWAIT[file.language])
    wanted = re.compile(_SLOW[file.language])
    for kind, field in file.syntax.calls.items():
        for node in held.inside.find_all(kind=kind):
            callee = node if kind in file.syntax.members else node.field(field)
            if callee is not None and any(map(wanted.fullmatch, _names(file, callee))):
                yield node


def _names(file: ParsedFile, callee: SgNode) -> set[str]:
    """What is called; C and C++ import no names."""
    return {squeeze(callee)} if file.language in {"c", "cpp"} else file.definitions.resolve(callee)


# Where locks are held, by language


def _python(file: ParsedFile) -> Iterator[_Held]:
    for node in file.root.find_all(kind="with_statement"):
        body = node.field("body")
        if body is None or node.text().startswith("async"):
            continue
        for item in node.find_all(kind="with_item"):
            if item.range().end.index <= body.range().start.index and _is_python_lock(file, item):
                yield _Held(item, body, body.range().start.index, body.range().end.index, suspends=True)
    yield from _by_calls(file, "acquire", "release", _is_python_owner)


def _is_python_lock(file: ParsedFile, item: SgNode) -> bool:
    node = item.named_children()[0] if item.named_children() else item
    names = file.definitions.resolve(node)
    if any(name.startswith("asyncio.") for name in names):
        return False
    return any(_PYTHON_LOCK.fullmatch(name) or _CALLED_LOCK.search(name) for name in names)


def _is_python_owner(file: ParsedFile, call: SgNode) -> bool:
    owner = call.field("function")
    owner = None if owner is None else owner.field("object")
    awaited = (parent := call.parent()) is not None and parent.kind() == "await"
    return owner is not None and not awaited and _is_python_lock(file, owner)


def _go(file: ParsedFile) -> Iterator[_Held]:
    for take, give in (("Lock", "Unlock"), ("RLock", "RUnlock")):
        yield from _by_calls(file, take, give, lambda _file, _call: True)


def _java(file: ParsedFile) -> Iterator[_Held]:
    for node in file.root.find_all(kind="synchronized_statement"):
        body, taken = node.field("body"), next(iter(node.named_children()), None)
        if body is not None and taken is not None:
            yield _Held(taken, body, body.range().start.index, body.range().end.index)
    for node in file.root.find_all(kind="method_declaration", has={"kind": "modifiers", "regex": r"\bsynchronized\b"}):
        body, name = node.field("body"), node.field("name")
        if body is not None and name is not None:
            yield _Held(name, body, body.range().start.index, body.range().end.index)
    yield from _by_calls(file, "lock", "unlock", lambda _file, _call: True)


def _c(file: ParsedFile) -> Iterator[_Held]:
    yield from _by_calls(file, "pthread_mutex_lock", "pthread_mutex_unlock", lambda _file, _call: True)


def _cpp(file: ParsedFile) -> Iterator[_Held]:
    yield from _c(file)
    for node in file.root.find_all(kind="declaration"):
        kind, block = node.field("type"), node.parent()
        if kind is None or block is None or block.kind() != "compound_statement" or not _CPP_GUARD.search(kind.text()):
            continue
        name = re.search(r"(\w+)\s*[({]", node.text()[len(kind.text()) :])
        released = rf"\b{name[1]}\s*\.\s*unlock\s*\(" if name is not None else None
        yield _to_end_of_block(node, block, released)
    yield from _by_calls(file, "lock", "unlock", lambda _file, _call: True)


def _rust(file: ParsedFile) -> Iterator[_Held]:
    for node in file.root.find_all(kind="let_declaration"):
        value, pattern, block = node.field("value"), node.field("pattern"), node.parent()
        if value is None or pattern is None or block is None or not _STD_GUARD.search(squeeze(value)):
            continue
        name = pattern.text().removeprefix("mut ").strip()
        if name != "_":
            yield _to_end_of_block(node, block, rf"\bdrop\s*\(\s*{re.escape(name)}\s*\)", suspends=True)


def _to_end_of_block(node: SgNode, block: SgNode, released: str | None, *, suspends: bool = False) -> _Held:
    """Held from a declaration to the end of its block, or to where it is given back before."""
    start, end = node.range().end.index, block.range().end.index
    if released is not None:
        offset = start - block.range().start.index
        found = re.compile(released).search(block.text(), offset)
        end = block.range().start.index + found.start() if found is not None else end
    return _Held(node, block, start, end, suspends)


def _by_calls(file: ParsedFile, take: str, give: str, counts: Callable[[ParsedFile, SgNode], bool]) -> Iterator[_Held]:
    """Held from ``lock()`` to the next ``unlock()`` of the same thing; if that is deferred, to the function's end."""
    waiting: dict[tuple[object, str], SgNode] = {}
    for call in calls(
        file, file.root, rf"^(.*\W)?({take}|{give})$" if file.language != "java" else f"^({take}|{give})$"
    ):
        if call.name not in {take, give}:
            continue
        function = file.function_of(call.node)
        owner = call.receiver or (squeeze(call.arguments[0]) if call.arguments else "")
        place = (None if function is None else key(function), owner)
        if call.name == take and counts(file, call.node):
            waiting.setdefault(place, call.node)
        elif call.name == give and function is not None and (taken := waiting.pop(place, None)) is not None:
            deferred = (parent := call.node.parent()) is not None and parent.kind() == "defer_statement"
            end = function.range().end.index if deferred else call.node.range().start.index
            yield _Held(taken, function, taken.range().end.index, end, suspends=file.language == "python")


_REGIONS: dict[str, Callable[[ParsedFile], Iterator[_Held]]] = {
    "python": _python,
    "go": _go,
    "java": _java,
    "rust": _rust,
    "c": _c,
    "cpp": _cpp,
}
