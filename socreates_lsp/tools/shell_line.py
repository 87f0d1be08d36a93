"""A shell line as the commands that it starts, with their words as the shell would read them. Pure.

It reads POSIX shell and what bash adds: quotes, substitutions of every kind, here-documents, redirections, comments,
reserved words. Nothing is carried out, so what a variable holds is not known: such a part of a word is ``UNKNOWN``.
What can't be read is said (``clear``), and never guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from socreates_lsp.tools.shell_brackets import closing

UNKNOWN = "\0"
"""Stands in a word for a part that is only known when it runs; no command holds NUL."""

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^]]*\])?\+?=", re.ASCII)
_RESERVED = frozenset({"if", "then", "else", "elif", "while", "until", "do", "!", "{", "}", "fi", "done", "esac"})
_REDIRECTION = re.compile(r"<<<|<<-|<<|<>|<&|<|>>|>&|>\||>")
_NAME = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!_-]", re.ASCII)
_BRACES = re.compile(r"\{[^{}\s]*(?:,|\.\.)[^{}\s]*\}")
_ANY_OF = re.compile(r"\[[^]\s]+\]")
_DEEPEST = 8


@dataclass(slots=True)
class Simple:
    """One command. ``given`` are texts that it is given to read, ``fed``: it reads what is not known."""

    words: list[str] = field(default_factory=list[str])
    given: list[str] = field(default_factory=list[str])
    fed: bool = False


@dataclass(slots=True)
class Line:
    """The commands of a line and of all that stand within it. ``clear``: the line could be read to its end."""

    commands: list[Simple] = field(default_factory=list[Simple])
    clear: bool = True


@dataclass(slots=True)
class _Here:
    """A here-document that begins at the next line."""

    owner: Simple
    end: str
    tabs: bool
    quoted: bool


def read_line(text: str, depth: int = 0) -> Line:
    """Read a line, or several."""
    line = Line()
    if depth > _DEEPEST:
        line.clear = False
        return line
    _Reader(text, line, depth).read()
    return line


class _Reader:
    """Goes over a text once."""

    def __init__(self, text: str, line: Line, depth: int) -> None:
        self._text = text
        self._line = line
        self._depth = depth
        self._at = 0
        self._word: list[str] | None = None
        self._quoted = False
        self._redirection = ""
        self._here: list[_Here] = []
        self._now = Simple()

    def read(self) -> None:
        text = self._text
        while self._at < len(text):
            character = text[self._at]
            if character == "\\":
                self._escape()
            elif character in "'\"`$":
                self._quotation(character)
            elif character in " \t":
                self._end_word()
                self._at += 1
            elif character == "\n":
                self._end_command()
                self._at += 1
                self._read_here()
            elif character == "#" and self._word is None:
                end = text.find("\n", self._at)
                self._at = len(text) if end < 0 else end
            elif character in "<>" or text.startswith(("&>", "&>>"), self._at):
                self._redirect()
            elif character in ";&|()":
                self._operator(character)
            elif character in "*?" or (character == "[" and _ANY_OF.match(text, self._at)):
                self._add(UNKNOWN)
                self._at += 1
            elif character == "{" and (match := _BRACES.match(text, self._at)):
                self._add(UNKNOWN)
                self._at = match.end()
            else:
                self._add(character)
                self._at += 1
        self._end_command()
        self._line.clear = self._line.clear and not self._here

    # Words

    def _add(self, part: str) -> None:
        if self._word is None:
            self._word = []
        self._word.append(part)

    def _end_word(self) -> None:
        if self._word is None:
            return
        word, self._word = "".join(self._word), None
        quoted, self._quoted = self._quoted, False
        redirection, self._redirection = self._redirection, ""
        if not redirection:
            self._now.words.append(word)
        elif redirection == "<<<":
            self._now.given.append(word)
        elif redirection.startswith("<<"):
            self._here.append(_Here(self._now, word, redirection == "<<-", quoted))
        elif redirection.startswith("<"):
            self._now.fed = True

    def _end_command(self) -> None:
        self._end_word()
        if self._redirection:
            self._line.clear, self._redirection = False, ""
        words = self._now.words
        while words and (words[0] in _RESERVED or _ASSIGNMENT.match(words[0])):
            del words[0]
        if words[:1] == ["function"]:
            del words[:3]
        self._line.commands.append(self._now)
        self._now = Simple()

    def _operator(self, character: str) -> None:
        self._end_command()
        two = self._text[self._at : self._at + 2]
        self._at += 2 if two in {"&&", "||", ";;", "|&"} else 1
        self._now.fed = character == "|" and two != "||"

    def _redirect(self) -> None:
        if self._word is not None and re.fullmatch(r"\d+|\{\w+\}", "".join(self._word)):
            self._word = None
        self._end_word()
        if self._text[self._at] == "&":
            self._at += 1
        match = _REDIRECTION.match(self._text, self._at)
        assert match is not None, "it was looked at before"
        self._at = match.end()
        if match[0] in "<>" and self._text[self._at : self._at + 1] == "(":
            self._within(self._until_closed(self._at))
            self._add(UNKNOWN)
            return
        self._redirection = match[0]

    def _read_here(self) -> None:
        """Take the here-documents that begin on this line."""
        here, self._here = self._here, []
        for one in here:
            body: list[str] = []
            while self._at < len(self._text):
                end = self._text.find("\n", self._at)
                end = len(self._text) if end < 0 else end
                line, self._at = self._text[self._at : end], end + 1
                line = line.lstrip("\t") if one.tabs else line
                if line == one.end:
                    break
                body.append(line)
            text = "\n".join(body)
            one.owner.given.append(text if one.quoted else self._expanded(text))

    # Quotations and substitutions

    def _escape(self) -> None:
        following = self._text[self._at + 1 : self._at + 2]
        self._at += 2
        if following == "\n":
            return
        self._quoted = True
        self._add(following)
        self._line.clear = self._line.clear and bool(following)

    def _quotation(self, character: str) -> None:
        self._quoted = self._quoted or character in "'\""
        if character == "'":
            self._add(self._single(self._at + 1))
        elif character == '"':
            self._at += 1
            self._add("")
            self._double(ends='"')
        elif character == "`":
            self._backticks()
        else:
            self._dollar()

    def _single(self, start: int) -> str:
        end = self._text.find("'", start)
        if end < 0:
            self._line.clear = False
            end = len(self._text)
        self._at = end + 1
        return self._text[start:end]

    def _double(self, ends: str) -> None:
        """What stands in double quotes, or in a here-document (``ends`` empty)."""
        text = self._text
        while self._at < len(text):
            character = text[self._at]
            if ends and character == ends:
                self._at += 1
                return
            if character == "\\" and text[self._at + 1 : self._at + 2] in {"$", "`", '"', "\\", "\n"}:
                self._add(text[self._at + 1].removesuffix("\n"))
                self._at += 2
            elif character == "`":
                self._backticks()
            elif character == "$" and text[self._at + 1 : self._at + 2] not in {"'", '"'}:
                self._dollar()
            else:
                self._add(character)
                self._at += 1
        self._line.clear = self._line.clear and not ends

    def _dollar(self) -> None:
        """A variable, a substitution, or a quotation of bash."""
        text, start = self._text, self._at
        following = text[start + 1 : start + 2]
        if following == "(":
            inner = self._until_closed(start + 1)
            if inner.startswith("(") and inner.endswith(")"):
                self._expanded(inner[1:-1])
            else:
                self._within(inner)
            self._add(UNKNOWN)
        elif following == "{":
            self._expanded(self._until_closed(start + 1))
            self._add(UNKNOWN)
        elif following == "'":
            self._ansi(start + 2)
        elif following == '"':
            self._at += 1
        elif match := _NAME.match(text, start + 1):
            self._at = match.end()
            self._add(UNKNOWN)
        else:
            self._add("$")
            self._at += 1

    def _ansi(self, start: int) -> None:
        """``$'…'``, in which a backslash can hide any letter."""
        match = re.compile(r"(?:[^'\\]|\\.)*'", re.DOTALL).match(self._text, start)
        if match is None:
            self._line.clear, self._at = False, len(self._text)
            return
        self._add(UNKNOWN if "\\" in match[0] else match[0][:-1])
        self._at = match.end()

    def _backticks(self) -> None:
        match = re.compile(r"`((?:[^`\\]|\\.)*)`", re.DOTALL).match(self._text, self._at)
        if match is None:
            self._line.clear = False
            self._at += 1
            return
        self._at = match.end()
        self._within(re.sub(r"\\([`\\$])", r"\1", match[1]))
        self._add(UNKNOWN)

    def _until_closed(self, start: int) -> str:
        """What stands between the bracket at a place and the one that closes it, which is passed over."""
        end = closing(self._text, start)
        if end is None:
            self._line.clear, self._at = False, len(self._text)
            return self._text[start + 1 :]
        self._at = end + 1
        return self._text[start + 1 : end]

    def _within(self, text: str) -> None:
        """The commands of a substitution are started as well."""
        line = read_line(text, self._depth + 1)
        self._line.commands += line.commands
        self._line.clear = self._line.clear and line.clear

    def _expanded(self, text: str) -> str:
        """A text in which substitutions happen, as far as it is known; their commands are started."""
        if self._depth >= _DEEPEST:
            self._line.clear = False
            return UNKNOWN
        reader = _Reader(text, self._line, self._depth + 1)
        reader._double(ends="")
        return "".join(reader._word or ())
