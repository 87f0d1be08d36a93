"""A command as a model writes it: its words, whether it needs a shell, what it starts, and how it is shown. Pure.

What the user's settings allow is matched against the words as they are; what they forbid also against the commands
within a shell line, behind ``env`` and the like, and with flags in another order.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.tools.refusal import ToolRefusalError
from socreates_lsp.tools.shell_line import UNKNOWN
from socreates_lsp.tools.started import program_of, started_by
from socreates_lsp.workspace.text import Encoding, units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from socreates_lsp.tools.started import Started

LONGEST = 700
"""UTF-16 units of a command as it is shown: VS Code cuts a notification off after 1,000, our own words among them."""

_SHELL = "/bin/sh"
_OPERATORS = frozenset("|&;<>()$`*?[]{}~#!\n\r")
"""What a shell reads in its own way outside of quotes; a carriage return, unlike shlex, as a letter."""

_IN_DOUBLE_QUOTES = frozenset("$`")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=", re.ASCII)
_BUILTINS = frozenset(
    {
        "cd", "export", "unset", "set", "source", ".", ":", "eval", "exec", "alias", "type", "trap", "wait", "ulimit",
        "umask", "read", "local", "return", "shift", "if", "for", "while", "until", "case", "command", "builtin",
    }
)  # fmt: skip
"""Words of the shell's own, which are no programs."""

_VERSION = re.compile(r"[\d.]+$")
"""At the end of a program's name, such as ``pip3.11``."""

_VALUED_BY_GIT = frozenset(
    ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"]
)
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0" + "".join(map(chr, range(0xFE00, 0xFE10)))
) | frozenset(map(chr, range(0xE0100, 0xE01F0)))
"""Letters and marks that show nothing."""

_BLANKS = re.compile(r" {4,}")


@dataclass(frozen=True, slots=True)
class Command:
    """``text`` as it was written; ``argv`` what is started; ``in_shell``: by ``/bin/sh``, and ``argv`` says so."""

    text: str
    argv: tuple[str, ...]
    in_shell: bool

    @property
    def same(self) -> str:
        """One text for all that are this command with other blanks or quotes."""
        return " ".join(self.text.split()) if self.in_shell else shlex.join(self.argv)


def parsed(text: str) -> Command:
    """Read a command. Raises ToolRefusalError for one that is empty, unfinished or too long."""
    if not text.strip():
        raise ToolRefusalError("command is empty: give a program and its arguments, such as python3 -m pytest -q.")
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ToolRefusalError("The command holds NUL or half a character, which no program takes: leave it out.")
    if (length := units(visible(text), Encoding.UTF16)) > LONGEST:
        raise ToolRefusalError(
            f"The command takes {length:,} characters, and only {LONGEST:,} can be shown to the user: make it shorter."
        )
    if _needs_shell(text):
        return Command(text, (_SHELL, "-c", text), in_shell=True)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ToolRefusalError(f"The command can't be split into words ({error}): close every quote.") from error
    if not words or not words[0]:
        raise ToolRefusalError("The command names no program: give one, such as python3 -m pytest -q.")
    if words[0] in _BUILTINS or _ASSIGNMENT.match(words[0]):
        return Command(text, (_SHELL, "-c", text), in_shell=True)
    return Command(text, tuple(words), in_shell=False)


def approves(command: Command, beginnings: Iterable[str]) -> bool:
    """Whether the words of a command begin with those of one of these. Never of a shell line."""
    return not command.in_shell and any(
        words and tuple(words) == command.argv[: len(words)] for words in map(_split, beginnings)
    )


def starts(command: Command, beginnings: Iterable[str]) -> str | None:
    """The first of these that the command, or one within it, begins with; None if none surely does."""
    inner = _started(command).commands
    return next((one for one in beginnings if any(_begins(words, one) is True for words in inner)), None)


def is_clear(command: Command, beginnings: Iterable[str]) -> bool:
    """Whether all that a command starts is known, and surely begins with one of these or surely does not."""
    started = _started(command)
    known = list(beginnings)
    return started.clear and not any(_begins(words, one) is None for words in started.commands for one in known)


def _started(command: Command) -> Started:
    return started_by(command.text if command.in_shell else None, command.argv)


def visible(text: str) -> str:
    """A command for a prompt: on one line, with nothing hidden. What can't be seen is named between ‹ and ›."""
    shown = "".join(_visible(character) for character in text)
    return _BLANKS.sub(lambda match: f"‹{len(match[0])} blanks›", shown)


def _needs_shell(text: str) -> bool:
    quote = ""
    position = 0
    while position < len(text):
        character = text[position]
        if character == "\\" and quote != "'":
            following = text[position + 1 : position + 2]
            # Within double quotes shlex keeps a backslash that a shell takes away.
            if following == "\n" or (quote and following in _IN_DOUBLE_QUOTES):
                return True
            position += 1
        elif quote:
            if character == quote:
                quote = ""
            elif quote == '"' and character in _IN_DOUBLE_QUOTES:
                return True
        elif character in "'\"":
            quote = character
        elif character in _OPERATORS:
            return True
        position += 1
    return False


def _begins(words: Sequence[str], beginning: str) -> bool | None:
    """Whether words begin with these, by the program's name, with flags in any order, or behind options.

    None where a word that is not known may decide it.
    """
    program, *wanted = [_flag(word) for word in _split(beginning)] or [""]
    name, program = program_of(words), program_of([program])
    if not program or not (_is(name, program) or _is(_VERSION.sub("", name), program)):
        return False
    rest = [_flag(word) for word in words[1:]]
    verdicts = [_compared(rest[start:], wanted) for start in _starts_of_arguments(name, rest, wanted)]
    verdicts.append(_joined_flags(rest, wanted))
    if not any(verdicts) and None not in verdicts:
        return False
    return True if any(verdicts) and program in {name, _VERSION.sub("", name)} else None


def _compared(given: Sequence[str], wanted: Sequence[str]) -> bool | None:
    """Whether words begin with these; None if that is not known, as one may be any word, or several, or none."""
    surely = True
    for number, word in enumerate(wanted):
        if number >= len(given) or not _is(given[number], word):
            return False
        if given[number] == UNKNOWN:
            return None
        surely = surely and given[number] == word
    return True if surely else None


def _starts_of_arguments(name: str, rest: Sequence[str], wanted: Sequence[str]) -> Iterator[int]:
    """Where the words that were wanted may begin: at once, or behind options, which may take a word each."""
    yield 0
    at = 0
    while at < len(rest) and rest[at].startswith("-") and not (wanted and wanted[0].startswith("-")):
        option = rest[at]
        at += 1
        if name != "git":
            yield at
        if at < len(rest) and not rest[at].startswith("-") and (name != "git" or option in _VALUED_BY_GIT):
            at += 1
        yield at


def _is(word: str, wanted: str) -> bool:
    """Whether a word, parts of which may not be known, can be this one."""
    return word == wanted or (UNKNOWN in word and _pattern(word).fullmatch(wanted) is not None)


def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, word.split(UNKNOWN))), re.DOTALL)


def _joined_flags(rest: Sequence[str], wanted: Sequence[str]) -> bool | None:
    """Whether a single group of short flags, such as ``-rf``, stands there as several, such as ``-r --force``.

    None if a word that is not known may be the flags that are missing.
    """
    if len(wanted) != 1 or not re.fullmatch(r"-\w+", wanted[0]):
        return False
    given: set[str] = set()
    unknown = False
    for word in rest:
        if word == "--":
            break
        unknown = unknown or word.startswith((UNKNOWN, f"-{UNKNOWN}"))
        if re.fullmatch(r"-\w+", word):
            given.update(word[1:], word[1:].lower())
        elif re.fullmatch(r"--\w[\w-]*(?:=.*)?", word):
            given.add(word[2])
    return True if set(wanted[0][1:]) <= given else None if unknown else False


def _flag(word: str) -> str:
    """A group of short flags with its letters in order."""
    return "-" + "".join(sorted(word[1:])) if re.fullmatch(r"-[A-Za-z]+", word) else word


def _split(beginning: str) -> list[str]:
    try:
        return shlex.split(beginning)
    except ValueError:
        return beginning.split()


def _visible(character: str) -> str:
    if character == "\n":
        return "‹new line›"
    if character == "\t":
        return "‹tab›"
    if character in "‹›" or not character.isprintable() or character in _INVISIBLE or _is_blank(character):
        return f"‹U+{ord(character):04X}›"
    return character


def _is_blank(character: str) -> bool:
    return character != " " and unicodedata.category(character) == "Zs"
