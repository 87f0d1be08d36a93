"""Which commands a command starts: behind ``env`` and the like, in shells that it starts, for each file. Pure.

Only what is written in the command itself is looked at: what a script, a program text (``python -c``) or an alias of
the user's does is not.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from socreates_lsp.tools.shell_line import UNKNOWN, Simple, read_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=", re.ASCII)
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash"})
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class _Wrapper:
    """A program that starts another one: its options that take the next word, and how many words stand before it."""

    valued: frozenset[str] = frozenset()
    before: int = 0


def _takes(valued: str = "", before: int = 0) -> _Wrapper:
    return _Wrapper(frozenset(valued.split()), before)


_WRAPPERS = {
    "env": _takes("-u --unset -C --chdir"), "nice": _takes("-n --adjustment"), "nohup": _takes(), "setsid": _takes(),
    "ionice": _takes("-c -n -p -P -u --class --classdata"), "timeout": _takes("-s --signal -k --kill-after", 1),
    "time": _takes("-f -o --format --output"), "stdbuf": _takes("-i -o -e --input --output --error"),
    "exec": _takes("-a"), "builtin": _takes(), "command": _takes(), "coproc": _takes(), "noglob": _takes(),
    "busybox": _takes(), "toybox": _takes(), "unbuffer": _takes(), "fakeroot": _takes(), "catchsegv": _takes(),
    "sudo": _takes("-u -g -C -D -p -r -t -T -U -h -R --user --group --prompt --chdir --host"), "doas": _takes("-u -C"),
    "chroot": _takes("--userspec --groups", 1), "taskset": _takes("", 1), "chrt": _takes("-T -P -D", 1),
    "strace": _takes("-o -e -p -s -u -a -E -P -I -O -S -b"), "ltrace": _takes("-o -e -p -s -u -a -n -l -x"),
    "unshare": _takes("--setuid --setgid --root --wd"), "setarch": _takes("", 1), "flock": _takes("-w -E --timeout", 1),
    "cgexec": _takes("-g"), "systemd-run": _takes("-p -u --unit --property"), "dbus-run-session": _takes(),
    "gdb": _takes("-x -ex -p"), "valgrind": _takes(), "xvfb-run": _takes("-n -s -f -e -w"), "winpty": _takes(),
    "npx": _takes("-p --package"), "bunx": _takes(), "uvx": _takes("--from --with -p"), "setpriv": _takes(),
}  # fmt: skip
_RUNNERS = {
    "uv": "run", "poetry": "run", "pipenv": "run", "hatch": "run", "pdm": "run", "rye": "run", "bundle": "exec",
    "npm": "exec", "pnpm": "exec", "yarn": "exec", "conda": "run", "direnv": "exec",
}  # fmt: skip
"""Programs that start another one by this word."""

_FOR_EACH = {
    "find": frozenset({"-exec", "-execdir", "-ok", "-okdir"}),
    "fd": frozenset({"-x", "-X", "--exec", "--exec-batch"}),
}
_XARGS = frozenset(
    [
        "-I",
        "-i",
        "-n",
        "-P",
        "-L",
        "-d",
        "-E",
        "-s",
        "-a",
        "--replace",
        "--max-args",
        "--max-procs",
        "--delimiter",
        "--arg-file",
    ]
)
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*")
_LOADER = re.compile(r"ld(?:-linux|-musl|\.so).*")


@dataclass(slots=True)
class Started:
    """The words of each command that is started, the outermost first. ``clear``: these are all of them."""

    commands: list[list[str]] = field(default_factory=list[list[str]])
    clear: bool = True


def started_by(line: str | None, argv: Sequence[str]) -> Started:
    """What a shell line starts, or a list of words (``line`` None)."""
    found = Started()
    if line is None:
        _command(found, Simple(list(argv)), 0)
    else:
        _line(found, line, 0)
    return found


def program_of(words: Sequence[str]) -> str:
    """The program's name in small letters, without its folder and what Windows puts behind it."""
    name = re.split(r"[/\\]", words[0])[-1].casefold() if words else ""
    return re.sub(r"\.(?:exe|cmd|bat|com)$", "", name)


def _line(found: Started, text: str, depth: int) -> None:
    """Add the commands of a shell line."""
    if UNKNOWN in text or depth > _DEEPEST:
        found.clear = False
        text = text.replace(UNKNOWN, "$_")
        if depth > _DEEPEST:
            return
    line = read_line(text)
    found.clear = found.clear and line.clear
    for simple in line.commands:
        _command(found, simple, depth)


def _command(found: Started, simple: Simple, depth: int) -> None:
    """Add a command and those that it starts."""
    words = simple.words
    if not words:
        return
    if depth > _DEEPEST:
        found.clear = False
        return
    found.commands.append(words)
    name = program_of(words)
    if UNKNOWN in name:
        found.clear = False
    elif name in _SHELLS:
        _shell(found, simple, depth)
    elif name in {"eval", "watch"}:
        _line(
            found,
            " ".join(_behind_options(words[1:], _takes("-n --interval") if name == "watch" else _takes())),
            depth + 1,
        )
    elif name == "trap" and len(words) > 1:
        _line(found, words[1], depth + 1)
    elif name == "alias":
        for word in words[1:]:
            _line(found, word.partition("=")[2], depth + 1)
    elif name in {".", "source"}:
        found.clear = found.clear and not any(UNKNOWN in word or "/dev/" in word for word in words[1:])
    elif name == "command" and any(re.fullmatch(r"-p?[vV]", word) for word in words[1:2]):
        return
    else:
        for inner in _within(found, name, words, depth):
            _command(found, Simple(inner, simple.given, simple.fed), depth + 1)


def _within(found: Started, name: str, words: list[str], depth: int) -> Iterator[list[str]]:
    """The words of the commands that a program is told to start."""
    rest = words[1:]
    if name in _WRAPPERS:
        if name == "env":
            rest = _env_split(found, rest, depth)
        yield _behind_options(rest, _WRAPPERS[name])
    elif name in {"xargs", "parallel"}:
        yield _for_each_given(rest)
    elif name in _FOR_EACH:
        yield from _for_each_found(rest, _FOR_EACH[name])
    elif name in _RUNNERS and _RUNNERS[name] in rest:
        yield _behind_options(rest[rest.index(_RUNNERS[name]) + 1 :], _takes("--with --from -p --python -n"))
    elif _PYTHON.fullmatch(name) and "-m" in rest[:6]:
        yield rest[rest.index("-m") + 1 :]
    elif _LOADER.fullmatch(name):
        yield _behind_options(rest, _takes("--library-path --preload --argv0"))
    elif name == "git":
        yield from _git_aliases(found, rest, depth)
    if name in {"su", "runuser", "script", "flock", "nix-shell"}:
        for option, text in pairwise(rest):
            if option in {"-c", "--command", "--run"}:
                _line(found, text, depth + 1)


def _behind_options(rest: Iterable[str], wrapper: _Wrapper) -> list[str]:
    """What stands behind the options, the assignments and the first words of a wrapper."""
    left, before = list(rest), wrapper.before
    while left:
        word = left[0]
        if word == "--":
            left = left[1:]
            return left[before:]
        if word.startswith("-"):  # a lone one is an option of env
            left = left[2:] if word in wrapper.valued else left[1:]
        elif _ASSIGNMENT.match(word):
            left = left[1:]
        elif before:
            before -= 1
            left = left[1:]
        else:
            return left
    return []


def _env_split(found: Started, rest: list[str], depth: int) -> list[str]:
    """``env -S``: a text that env splits into words. What is left of the words."""
    for at, word in enumerate(rest):
        match = re.fullmatch(r"(?:-[ivS0]*S|--split-string)(?:=?(.+))?", word, re.DOTALL)
        if match:
            behind = rest[at + 1 :]
            text = match[1] if match[1] is not None else behind.pop(0) if behind else ""
            _line(found, f"env {text} {shlex.join(behind)}", depth + 1)
            return []
    return rest


def _shell(found: Started, simple: Simple, depth: int) -> None:
    """A shell: the line behind ``-c``, or what it is given to read."""
    has_line = reads = False
    rest = simple.words[1:]
    while rest and rest[0][:1] in {"-", "+"} and rest[0] != "--":
        option = rest.pop(0)
        if not option.startswith("--"):
            has_line, reads = has_line or "c" in option[1:], reads or "s" in option[1:]
            if option[-1:] in {"o", "O"} and rest:
                rest.pop(0)
        elif option in {"--rcfile", "--init-file"} and rest:
            rest.pop(0)
    rest = rest[1:] if rest[:1] == ["--"] else rest
    if has_line:
        _line(found, rest[0] if rest else "", depth + 1)
    elif reads or not rest or rest[0].startswith("/dev/") or UNKNOWN in rest[0]:
        for text in simple.given:
            _line(found, text, depth + 1)
        found.clear = found.clear and bool(simple.given)


def _for_each_given(rest: list[str]) -> list[str]:
    """The command of xargs, with what it is given as words that are not known."""
    mark = ""
    while rest and rest[0].startswith("-"):
        option = rest[0]
        if option in {"-I", "--replace"} and len(rest) > 1:
            mark = rest[1]
        elif option.startswith(("-I", "--replace=")):
            mark = option.removeprefix("--replace=").removeprefix("-I")
        elif option == "-i":
            mark = "{}"
        rest = rest[2:] if option in _XARGS and option != "-i" else rest[1:]
    if not rest:
        return []
    return [word.replace(mark, UNKNOWN) for word in rest] if mark else [*rest, UNKNOWN]


def _for_each_found(rest: list[str], options: frozenset[str]) -> Iterator[list[str]]:
    for at, word in enumerate(rest):
        if word in options:
            command = rest[at + 1 :]
            ends = [end for end, one in enumerate(command) if one in {";", "+"}]
            yield [UNKNOWN if one == "{}" else one for one in command[: ends[0] if ends else None]]


def _git_aliases(found: Started, rest: list[str], depth: int) -> Iterator[list[str]]:
    """``git -c alias.x=push x``: an alias that the command brings along."""
    for option, value in pairwise(rest):
        if option == "-c" and value.casefold().startswith("alias."):
            text = value.partition("=")[2]
            if text.startswith("!"):
                _line(found, text[1:], depth + 1)
            else:
                yield ["git", *text.split()]
