"""What sets a piece of state, read from a line of text, and which other line undoes it.

A change is an assignment (``self.busy = True``), a counter's step, a removal (``del os.environ["X"]``) or a call
(``os.chdir(path)``, ``gc.disable()``, ``setLoading(true)``). What is the outcome of work is no change for a time:
``ready = False; load(); ready = True`` and ``dirty = True; save(); dirty = False`` are right when the call fails.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property

from socreates_lsp.examiner.words import words

_TARGET = r"(?:[\w$@\\#!.:?>-]|\[[^\]\n]*\]|\([^()\n]*\))*(?:\w|\[[^\]\n]*\])"
_DECLARED = r"(?:(?:const|let|var|final|static)\s+)?(?:[A-Za-z][\w.<>\[\]]*\s+)?"
_LEAD = r"(?:^|[;{}])[ \t]*"
_ASSIGNS = re.compile(
    rf"{_LEAD}(?P<at>(?P<declared>{_DECLARED})(?P<save>\w+,[ ]*)?(?P<target>{_TARGET})(?::[ ]?[\w.<>\[\] |]+?)?"
    r"[ \t]*(?P<op>[+-]?=)(?![=>])\s*(?P<value>[^;\n]*))",
    re.MULTILINE,
)
_STEPS = re.compile(
    rf"{_LEAD}(?P<at>(?P<before>\+\+|--)?(?P<target>[\w$][\w$.>:-]*?)(?P<after>\+\+|--)?)[ \t]*;", re.MULTILINE
)
_REMOVES = re.compile(
    rf"{_LEAD}(?P<at>(?:del |delete |unset\()(?P<target>{_TARGET})|(?P<owner>os\.environ)\.pop\((?P<key>[^),\n]*))",
    re.MULTILINE,
)
_CALLS = re.compile(
    rf"{_LEAD}(?P<at>(?P<bound>{_DECLARED}[\w$.]+\s*=\s*)?(?:await[ ])?"
    r"(?P<callee>(?:[\w$@\\#!.:?>-]|\[[^\]\n]*\]|\([^()\n]*\)(?=[.?-]))*[\w$])"
    r"\((?P<given>(?:[^()\n]|\([^()\n]*\))*)\)[ \t]*(?:;|#|//|\}|$))",
    re.MULTILINE,
)
_OPPOSITES = {
    "disable": "enable", "pause": "resume", "suspend": "resume", "freeze": "unfreeze", "block": "unblock",
    "mute": "unmute", "show": "hide", "start": "stop",
}  # fmt: skip
_GIVES = {last: first for first, last in _OPPOSITES.items()} | {"resume": "pause"}
_SIGNS_OF_WAITING = frozenset({"spinner", "loader", "loading", "progress", "busy", "overlay", "wait"})
"""What ``show``/``hide`` and ``start``/``stop`` are asked about; other things are shown for good reasons."""
_WITH_SIGN = _SIGNS_OF_WAITING | {"disabled", "saving", "submitting", "processing"}
_FOR_A_TIME = frozenset(
    {
        "busy", "loading", "saving", "running", "processing", "updating", "locked", "closing", "refreshing",
        "syncing", "submitting", "sending", "fetching", "suppress", "suppressed", "quiet", "silent", "mute", "muted",
        "readonly", "disabled", "paused", "suspended", "blocked", "ignore", "skip", "freeze", "frozen", "working",
        "inside", "in", "recursing", "executing", "importing", "exporting", "uploading", "downloading", "connecting",
        "searching", "deleting", "creating", "editing", "reloading", "rebuilding", "replaying", "restoring",
        "applying", "dispatching", "notifying", "rendering", "flushing", "draining", "committing", "migrating",
        "maintenance", "recalculating", "validating", "batching", "transitioning", "polling", "checking", "pending",
        "dry", "bypass", "unsafe", "sealed", "offline", "indexing", "publishing", "archiving",
    }
)  # fmt: skip
"""Words of a flag that is set to true for the time of a call."""
_AS_A_RULE = frozenset(
    {
        "enabled", "enable", "allow", "allowed", "autocommit", "writable", "writeable", "editable", "interactive",
        "accept", "accepting", "autoflush", "strict", "propagate", "responsive", "listening", "notify", "commit",
        "auto", "clickable", "selectable", "observe", "observing", "track", "tracking",
    }
)  # fmt: skip
"""Words of a flag that is set to false for the time of a call."""
_WHILE_IT_RUNS = frozenset({"current", "active", "running", "override", "context", "tenant", "impersonated", "acting"})
"""Words of what is empty but for the time of a call."""
_COUNTED = frozenset(
    {
        "pending", "active", "busy", "running", "inflight", "flight", "outstanding", "concurrent", "workers", "loading",
        "suspended", "paused", "blocked", "disabled", "updating", "requests", "jobs", "connections", "users", "holds",
        "inside", "suppress", "muted", "processing", "ongoing",
    }
)  # fmt: skip
_TRUE, _FALSE = frozenset({"True", "true", "TRUE", "!0"}), frozenset({"False", "false", "FALSE", "!1"})
_NOTHING = frozenset({"None", "null", "undefined", "NULL"})
_EMPTY = _NOTHING | _FALSE | {"", "[]", "{}", "''", '""', "0", "()"}
_WAITS = re.compile(r"""(?i)['"](?:\w*[ -])?(?:busy|wait|loading|progress|running|saving|hidden|none|working)""")
_CALM = re.compile(r"""(?i)['"](?:|auto|default|idle|normal|visible|ready|pointer|block|initial)['"]""")
_OLD = re.compile(
    r"(?i)(?:^|\W|_)(?:old|orig|original|prev|previous|saved?|backup|before)(?:_|$|[A-Z\d])|(?:old|prev|orig|saved|previous|original)[A-Z_]"
)
_PROCESS = frozenset(
    {
        "chdir", "umask", "setlocale", "signal", "settrace", "setprofile", "alarm", "error_reporting", "ini_set",
        "set_error_handler", "setdefaulttimeout", "setrecursionlimit", "libxml_use_internal_errors", "fchdir",
        "libxml_disable_entity_loader", "date_default_timezone_set", "mb_internal_encoding", "setswitchinterval",
        "prop", "attr", "setcontext", "set_threshold", "setpriority", "setContextClassLoader",
    }
)  # fmt: skip
_OF_SETTINGS = frozenset(
    {"context", "loader", "level", "locale", "default", "handler", "mode", "timeout", "user", "token", "tenant", "zone"}
)
"""Words of a setter whose object keeps a setting for others."""
_NEUTRAL = {"settrace": "None", "setprofile": "None", "alarm": "0", "chdir": ".."}
_NAME = re.compile(r"[\w$@.>-]*[A-Za-z_]\w*\Z")


@dataclass(frozen=True)
class Change:
    """``target`` is what is changed, without white space; ``value`` what it is set to (the last argument of a call).

    ``bound`` is the name that a call's outcome is kept in, ``saved`` what was last assigned to the name ``value``.
    """

    key: str
    target: str
    verb: str
    value: str
    given: tuple[str, ...] = ()
    bound: str = ""
    saved: str = ""

    @cached_property
    def mention(self) -> re.Pattern[str]:
        """Finds another change of the same thing in a text without white space."""
        name = re.escape(self.target)
        if self.key.startswith("="):
            return re.compile(rf"(?<![\w.>]){name}(?:[+-]?=(?![=>])|\+\+|--|\.pop|,\w*=)|(?:del|delete|unset\(){name}")
        return re.compile(rf"(?<!\w){name}\W*" if self.verb in self.target else rf"{re.escape(self.verb)}\(")

    def same(self, statement: str) -> bool:
        """Whether a statement does what this one does."""
        flat = "".join(statement.split()).rstrip(";")
        if self.key.startswith("=") and self.verb == "=":
            return flat == f"{self.target}={self.value}"
        return self.mention.search(flat) is not None and self.value in flat


def changes(content: str, language: str) -> dict[int, Change]:
    """The changes of a text that may be one half of a pair, by the offset at which their statement starts."""
    found, saves = _assignments(content, language)
    found += _steps(content, language) + _removals(content) + _calls(content)
    counts = Counter(change.key for _, change in found)
    halves = {at: change for at, change in found if counts[change.key] > 1}
    undone = {change.key for change in halves.values() if _may_undo(change)}
    return {at: _with_save(at, one, saves) for at, one in sorted(halves.items()) if one.key in undone}


def _may_undo(change: Change) -> bool:
    if change.key.startswith("()") or change.verb in {"-=", "del", "+="}:
        return True
    value = change.value
    return value in _TRUE | _FALSE | _NOTHING or _NAME.match(value) is not None or _CALM.match(value) is not None


def _with_save(at: int, change: Change, saves: dict[str, list[tuple[int, str]]]) -> Change:
    known = saves.get(change.value)
    if not known:
        return change
    place = bisect_left(known, (at, "")) - 1
    return change if place < 0 else replace(change, saved=known[place][1])


def _assignments(content: str, language: str) -> tuple[list[tuple[int, Change]], dict[str, list[tuple[int, str]]]]:
    """The assignments to what is no new local name, and what was assigned to every plain name."""
    found: list[tuple[int, Change]] = []
    saves: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for one in _ASSIGNS.finditer(content):
        at, target, value = one.start("at"), _flat(one["target"]), one["value"]
        if one["save"]:
            if language != "python":
                continue
            left, _, value = value.partition(",")
            saves[one["save"].strip(" ,")].append((at, _flat(left)))
        value = _flat(_bare(value, language))
        if re.fullmatch(r"[\w$.>-]+", target):
            saves[target].append((at, value))
        if not one["declared"].strip():
            found.append((at, Change(f"={target}", target, one["op"], value)))
    return found, saves


def _steps(content: str, language: str) -> list[tuple[int, Change]]:
    if language == "python":
        return []
    return [
        (one.start("at"), Change(f"={one['target']}", one["target"], f"{step[0]}=", "1"))
        for one in _STEPS.finditer(content)
        if (step := one["before"] or one["after"])
    ]


def _removals(content: str) -> list[tuple[int, Change]]:
    found: list[tuple[int, Change]] = []
    for one in _REMOVES.finditer(content):
        target = _flat(one["target"] or f"{one['owner']}[{one['key']}]")
        found.append((one.start("at"), Change(f"={target}", target, "del", "")))
    return found


def _calls(content: str) -> list[tuple[int, Change]]:
    found: list[tuple[int, Change]] = []
    for one in _CALLS.finditer(content):
        callee = _flat(one["callee"])
        parts = re.split(r"\?\.|\.|->|::|\\\\", callee)
        name = parts[-1]
        key = _key_of_call(callee[: len(callee) - len(name)], name)
        if key is None:
            continue
        given = tuple(_flat(part) for part in re.split(r",(?![^(]*\))", one["given"])) if one["given"].strip() else ()
        bound = re.split(r"[\s.]", (one["bound"] or "").rstrip(" =\t\n"))[-1]
        found.append((one.start("at"), Change(key, callee, name, given[-1] if given else "", given[:-1], bound)))
    return found


def _key_of_call(owner: str, name: str) -> str | None:
    parts = words(name)
    if name in _PROCESS or (parts and parts[0] in {"set", "toggle", "change"}):
        return f"(){owner}{name}"
    for index, word in enumerate(parts):
        if word in _OPPOSITES or word in _GIVES:
            rest = " ".join((*parts[:index], _GIVES.get(word, word), *parts[index + 1 :]))
            return f"(){owner}{rest}"
    if owner.endswith("classList.") and name in {"add", "remove"}:
        return f"(){owner}add"
    return "()" + owner + "addclass" if name in {"addClass", "removeClass"} else None


def _bare(value: str, language: str) -> str:
    """Without a comment at the end of the line."""
    mark = "#" if language == "python" else "//"
    return value if mark not in value else re.sub(rf"\s{mark}[^'\"]*$", "", value)


def _flat(text: str) -> str:
    return "".join(text.split())


def undoes(first: Change, last: Change) -> bool:
    """Whether the second puts back what the first changed (the same key is taken for granted)."""
    if first.key.startswith("()"):
        return _undoes_call(first, last)
    named = set(words(re.split(r"\.|->|::|\[", first.target.rstrip("]"))[-1]))
    if {first.verb, last.verb} == {"+=", "-="}:
        return first.verb == "+=" and first.value == last.value and not _COUNTED.isdisjoint(named)
    if last.verb == "del":
        return (
            first.verb == "="
            and re.match(r"os\.environ\[|process\.env\b|\$_(?:ENV|SERVER)|\$GLOBALS", first.target) is not None
        )
    if (first.verb, last.verb) != ("=", "=") or first.value == last.value:
        return False
    return _is_saved(first, last) or _opposite(first, last, named)


def _is_saved(first: Change, last: Change) -> bool:
    if _NAME.match(last.value) is None or last.value in _TRUE | _FALSE | _NOTHING:
        return False
    return _has(last.saved, first.target) or (not last.saved and _OLD.search(last.value) is not None)


def _has(text: str, target: str) -> bool:
    return re.search(rf"(?<![\w.>]){re.escape(target)}(?![\w(])", text) is not None


def _opposite(first: Change, last: Change, named: set[str]) -> bool:
    if first.value in _TRUE and last.value in _FALSE:
        waits = not _SIGNS_OF_WAITING.isdisjoint(words(first.target))
        return waits or not _FOR_A_TIME.isdisjoint(named) or {"read", "only"} <= named
    if first.value in _FALSE and last.value in _TRUE:
        return not _AS_A_RULE.isdisjoint(named)
    if last.value in _NOTHING:
        return first.value not in _EMPTY and not _WHILE_IT_RUNS.isdisjoint(named)
    return _WAITS.match(first.value) is not None and _CALM.match(last.value) is not None


def _undoes_call(first: Change, last: Change) -> bool:
    named = words(first.verb)
    if first.verb != last.verb:
        return first.given == last.given and _opposite_verb(first, named, words(last.verb))
    if first.given != last.given or first.value == last.value:
        return False
    if first.verb in _NEUTRAL and last.value.strip("'\"") == _NEUTRAL[first.verb]:
        return True
    if last.value in _TRUE | _FALSE:
        return _opposite(first, last, {*named, *(word for part in first.given for word in words(part))})
    if _NAME.match(last.value) is None or not (first.verb in _PROCESS or _OF_SETTINGS.intersection(named)):
        return False
    return last.value == first.bound or _OLD.search(last.value) is not None or _gets(last.saved, first.verb)


def _opposite_verb(first: Change, named: list[str], others: list[str]) -> bool:
    verb = next((word for word in named if word in _OPPOSITES), None)
    if first.target.endswith("classList.add") or first.verb == "addClass":
        return not _WITH_SIGN.isdisjoint(words(first.value))
    if verb is None or _OPPOSITES[verb] not in others:
        return False
    return verb not in {"show", "start"} or not _SIGNS_OF_WAITING.isdisjoint(words(first.target))


def _gets(saved: str, setter: str) -> bool:
    """Whether what was saved came from the getter beside a setter: ``getcwd`` for ``chdir``, ``getX`` for ``setX``."""
    asked = re.match(r"(?:await)?[\w$.>:\\()-]*?([\w]+)\(", saved)
    if asked is None:
        return False
    parts = [word for word in words(asked[1]) if word not in {"get", "is"}]
    mine = [word for word in words(setter) if word not in {"set", "ini"}]
    return (
        "".join(parts) in {"cwd", "getcwd"}
        if setter == "chdir"
        else "".join(parts).removeprefix("get") == "".join(mine).removeprefix("set")
    )
