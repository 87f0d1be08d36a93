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
from socreates_lsp.workspace.text import Encoding, units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LONGEST = 700
"""UTF-16 units of a command as it is shown: VS Code cuts a notification off after 1,000, our own words among them."""

_SHELL = "/bin/sh"
_OPERATORS = frozenset("|&;<>()$`*?[]{}~#!\n\r")
"""What a shell reads in its own way outside of quotes; a carriage return, unlike shlex, as a letter."""

_IN_DOUBLE_QUOTES = frozenset("$`")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=", re.ASCII)
_AMOUNT = re.compile(r"[\d.]+[smhd]?")
_BUILTINS = frozenset(
    {
        "cd", "export", "unset", "set", "source", ".", ":", "eval", "exec", "alias", "type", "trap", "wait", "ulimit",
        "umask", "read", "local", "return", "shift", "if", "for", "while", "until", "case", "command", "builtin",
    }
)  # fmt: skip
"""Words of the shell's own, which are no programs."""

_WRAPPERS = frozenset(
    {"env", "command", "exec", "builtin", "nohup", "time", "nice", "ionice", "setsid", "timeout", "xargs", "eval"}
)
_WORDS_BEFORE = frozenset({"then", "do", "else", "elif", "if", "while", "until", "!", "{", "time"})
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash"})
_SPLITS = frozenset("();<>|&\n`{}")
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0" + "".join(map(chr, range(0xFE00, 0xFE10)))
) | frozenset(map(chr, range(0xE0100, 0xE01F0)))
"""Letters and marks that show nothing."""

_BLANKS = re.compile(r" {4,}")
_DEEPEST = 5


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
    """The first of these that the command, or one within it, begins with; None if none does."""
    inner = list(_commands(command.text if command.in_shell else None, command.argv, 0))
    for beginning in beginnings:
        words = [_flag(word) for word in _split(beginning)]
        if words and any(_begins(one, words) for one in inner):
            return beginning
    return None


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


def _commands(line: str | None, argv: Sequence[str], depth: int) -> Iterator[list[str]]:
    """The words of each command that a line, or a list of words, starts."""
    if depth > _DEEPEST:
        return
    for words in [list(argv)] if line is None else _simple_commands(line):
        rest = words
        while rest:
            rest = _without_lead(rest)
            if rest:
                yield rest
            name = _program(rest)
            if name in _SHELLS and "-c" in rest:
                yield from _commands(" ".join(rest[rest.index("-c") + 1 :]), (), depth + 1)
            if name == "eval":
                yield from _commands(" ".join(rest[1:]), (), depth + 1)
            if name not in _WRAPPERS:
                break
            rest = rest[1:]
            while rest and (rest[0].startswith("-") or _ASSIGNMENT.match(rest[0]) or _AMOUNT.fullmatch(rest[0])):
                rest = rest[1:]


def _simple_commands(line: str) -> Iterator[list[str]]:
    """The commands of a shell line, roughly: whatever stands between operators, and within double quotes."""
    lexer = shlex.shlex(
        line.replace("\\\n", " ").replace("\n", " ; ").replace("`", " ; "), punctuation_chars="();<>|&{}"
    )
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    try:
        for token in lexer:
            if set(token) <= _SPLITS:
                yield words
                words = []
                continue
            unquoted = _unquoted(token)
            words.append(unquoted)
            if "$(" in unquoted:
                yield from _simple_commands(unquoted.partition("$(")[2].rpartition(")")[0])
    except ValueError:
        yield [*words, *line.split()]
    yield words


def _unquoted(token: str) -> str:
    try:
        return "".join(shlex.split(token))
    except ValueError:
        return token


def _without_lead(words: list[str]) -> list[str]:
    """A command without assignments and words of the shell before it."""
    position = 0
    while position < len(words) and (_ASSIGNMENT.match(words[position]) or words[position] in _WORDS_BEFORE):
        position += 1
    return words[position:]


def _begins(words: Sequence[str], beginning: Sequence[str]) -> bool:
    """Whether words begin with these, by the program's name, with flags in any order, or behind options."""
    if _program(words) != beginning[0]:
        return False
    rest, wanted = [_flag(word) for word in words[1:]], beginning[1:]
    if rest[: len(wanted)] == list(wanted):
        return True
    while rest and rest[0].startswith("-") and not (wanted and wanted[0].startswith("-")):
        rest = rest[1:]
        if rest[: len(wanted)] == list(wanted):
            return True
    return _joined_flags(rest, wanted)


def _joined_flags(rest: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether a single group of short flags, such as ``-rf``, stands there as several, such as ``-r -f``."""
    if len(wanted) != 1 or not re.fullmatch(r"-\w+", wanted[0]):
        return False
    given = {letter for word in rest if re.fullmatch(r"-\w+", word) for letter in word[1:]}
    return set(wanted[0][1:]) <= given


def _program(words: Sequence[str]) -> str:
    return words[0].rpartition("/")[2] if words else ""


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
