"""What a comment syntax is made of: the ways in which something begins that is no plain code. Pure.

Openers and closers are regular expressions. A line starts after ``\\n`` or ``\\r``, so ``^`` and ``$`` are not used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

NEWLINE = r"[\r\n]"
_PAIRS = {"{": r"(?P<up>\{)|(?P<down>\})", "(": r"(?P<up>\()|(?P<down>\))"}


class Does(Enum):
    """What a token does to the scan."""

    LINE = auto()  # a comment up to what closes it, the closer not included
    BLOCK = auto()  # a comment, the closer included
    QUOTE = auto()  # a string
    SKIP = auto()  # code that looks like something else
    HEREDOC = auto()  # a string that begins on the next line; group 1 of the opener is its label
    REGEX = auto()  # a slash: a regular expression where a value may stand
    REGION = auto()  # another language up to the closer
    SWITCH = auto()  # another language from here on


@dataclass(frozen=True, eq=False)
class Token:
    """One way to begin something that is no plain code.

    ``closes`` is a regular expression, or, when ``own`` is set, a template of a literal in which ``\\1`` stands
    for group 1 of the opener (``mirrored``: as in a mirror; ``nested``: with pairs of the two inside). ``hole``
    opens code inside a string, such as ``${``. ``one_line`` ends at the end of the line, closed or not;
    ``required`` is nothing at all where it is not closed.
    """

    does: Does
    opens: str
    closes: str = ""
    escape: str = ""
    hole: str = ""
    language: str = ""
    nested: bool = False
    own: bool = False
    mirrored: bool = False
    one_line: bool = False
    required: bool = False

    @cached_property
    def opener(self) -> re.Pattern[str]:
        """The opener by itself, for its groups."""
        return re.compile(self.opens)

    @cached_property
    def bracket(self) -> str:
        """The bracket whose partner ends the hole."""
        return "(" if "(" in self.hole else "{"

    @cached_property
    def inside(self) -> re.Pattern[str]:
        """The next thing that matters inside: ``escape``, ``hole``, ``up`` (a nested opener), ``close``, ``eol``."""
        parts = [
            ("escape", self.escape and f"(?:{self.escape})+"),
            ("hole", re.escape(self.hole)),
            ("up", self.opens if self.nested else ""),
            ("close", self.closes),
            ("eol", NEWLINE if self.one_line else ""),
        ]
        return re.compile("|".join(f"(?P<{name}>{part})" for name, part in parts if part))


@dataclass(frozen=True, eq=False)
class CommentSyntax:
    """The tokens of a language, tried in this order at each place. ``attribute`` is a line that stands between a
    comment and what it speaks of; ``braced`` comments may stand alone in ``{}`` (JSX)."""

    tokens: tuple[Token, ...]
    attribute: str = ""
    braced: bool = False

    @cached_property
    def code(self) -> dict[str, re.Pattern[str]]:
        """What finds the next token, by the bracket that ends the hole it stands in (empty outside of all)."""
        tokens = "|".join(f"(?P<t{number}>{token.opens})" for number, token in enumerate(self.tokens))
        return {"": re.compile(tokens), **{key: re.compile(f"{tokens}|{pair}") for key, pair in _PAIRS.items()}}
