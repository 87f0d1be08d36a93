"""An object says that it is started, open, connected before the call that makes it so, and that call can fail.

Only in functions named for the step (``start``, ``open``, ``__enter__``, ``doRollover``), only for flags named for
its outcome, and only if nothing takes the flag back when the call fails.

Parts of a match: ``SET`` (the statement that sets the flag) and ``CALL`` (what can fail behind it).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.examiner.calls import read_call, shown, squeeze
from socreates_lsp.examiner.held import Event, Leak, Watch, Way, leaks
from socreates_lsp.examiner.match import Match
from socreates_lsp.examiner.risks import absorbs, is_test, risk
from socreates_lsp.examiner.statements import Role, body_steps
from socreates_lsp.examiner.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile

_STEPS = frozenset(
    {
        "enter", "aenter", "open", "reopen", "start", "restart", "connect", "reconnect", "rollover", "launch",
        "listen", "begin", "activate", "subscribe", "login", "attach",
    }
)  # fmt: skip
_REACHED = frozenset(
    {
        "started", "running", "open", "opened", "connected", "active", "entered", "listening", "ready",
        "initialized", "initialised", "launched", "subscribed", "attached", "alive", "online", "activated", "bound",
    }
)  # fmt: skip
_LEFT = frozenset({"closed", "stopped", "disconnected", "detached"})
_EFFECTS = frozenset(
    {
        "open", "connect", "listen", "bind", "create", "login", "authenticate", "spawn", "exec", "run", "load",
        "handshake", "send", "request", "fetch", "read", "write", "init", "initialize", "serve", "dial", "accept",
        "register", "subscribe", "launch", "rename", "mkdir", "popen", "execute", "query", "ping",
        "negotiate", "join", "allocate", "attach", "acquire", "configure", "migrate", "socket", "begin",
    }
)  # fmt: skip
_SOON_STARTED = frozenset({"thread", "timer", "worker", "threads", "executor", "ticker", "monitor"})
"""What is started behind its flag on purpose: the thread reads it."""
_FLAG = re.compile(
    r"(?P<target>(?:(?:self|this|\$this|[a-z]\w{0,9})(?:\.|->))?(?P<name>_*[^\W\d]\w*))\s*=\s*(?P<value>[Tt]rue|[Ff]alse|TRUE|FALSE)\s*;?"
)
_SET = re.compile(r"=\s*(?:[Tt]rue|[Ff]alse|TRUE|FALSE)\b")
_LAST_WORD = re.compile(r"(\w+)\s*\Z")
_FAILURE = re.compile(r"\b(?:\w*[eE]rr\w*|Errorf|[Ff]alse|-1)\b")


def detect(file: ParsedFile) -> Iterator[Match]:
    """One match for each flag that is up too early."""
    if is_test(file.path) or not _sets_a_flag(file.text.content):
        return
    for function in file.root.find_all(any=[{"kind": kind} for kind in file.syntax.functions]):
        if not _STEPS.isdisjoint(words(_name(file, function))):
            yield from _in_function(file, function)


def _sets_a_flag(content: str) -> bool:
    """A cheap look: most files have no such flag, and then no function of theirs is read."""
    for found in _SET.finditer(content):
        name = _LAST_WORD.search(content, max(0, found.start() - 40), found.start())
        if name is not None and (_is_outcome(name[1], up=True) or _is_outcome(name[1], up=False)):
            return True
    return False


def _name(file: ParsedFile, function: SgNode) -> str:
    parent, body = function.parent(), function.field("body")
    if parent is not None and parent.kind() == "field_definition":
        name = parent.field("property")
        return "" if name is None else name.text()
    return "" if body is None else file.function_name(body) or ""


def _in_function(file: ParsedFile, function: SgNode) -> Iterator[Match]:
    rows = body_steps(function)
    for index, step in enumerate(rows):
        flag = _FLAG.fullmatch(step.node.text()) if step.role is Role.PLAIN else None
        if flag is None or not _is_outcome(flag["name"], up=flag["value"].lower() == "true"):
            continue
        found = leaks(rows[index + 1 :], _watch(file, flag["target"]), held=True)
        failing = [leak for leak in found if _fails(leak)]
        if failing:
            parts: dict[str, SgNode | str] = {"SET": shown(step.node), "CALL": shown(failing[0].node)}
            yield Match(step.node, parts, ((failing[0].node, "can fail"),))
            return


def _is_outcome(name: str, *, up: bool) -> bool:
    said = words(name)
    return bool(said) and said[-1] in (_REACHED if up else _LEFT)


def _fails(leak: Leak) -> bool:
    """Whether this way out is a failure of a call: raised, passed on by ``?``, or returned as an error."""
    kind = leak.node.kind()
    if kind.startswith("return"):
        return _FAILURE.search(leak.node.text()) is not None
    return leak.way is Way.RAISE or kind == "try_expression"


def _watch(file: ParsedFile, target: str) -> Watch:
    wanted = "".join(target.split())

    def event(node: SgNode) -> Event | None:
        kind = node.kind()
        if kind in file.syntax.assignments:
            left = squeeze(node.field(file.syntax.assignments[kind][0]))
            return Event.GIVE if left == wanted else None
        found = risk(file, node)
        return found if found is not Event.RISK or _is_effect(file, node) else None

    return Watch(
        event,
        file.syntax.functions | file.syntax.classes,
        lambda _: False,
        lambda _: False,
        lambda handler: absorbs(file, handler),
    )


def _is_effect(file: ParsedFile, node: SgNode) -> bool:
    """Whether what may raise here is what the function is named for: an ``await``, or a call with such a name."""
    call = read_call(file, node)
    if call is None:
        return node.kind() in {"await", "await_expression"}
    said = words(call.name)
    if not said or (said == ["bind"] and any(argument.text() == "this" for argument in call.arguments)):
        return False
    starts = said == ["start"] and call.receiver not in {"self", "this", "$this"}
    return (starts or said[0] in _EFFECTS) and _SOON_STARTED.isdisjoint(words(call.receiver))
