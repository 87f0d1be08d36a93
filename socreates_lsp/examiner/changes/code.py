"""Light reading of source text in any language: code without comments and strings, indentation, calls. Pure.

Not a parser: it knows comments, strings, brackets and indentation, which well-kept code of every language shares.
Lines count from 0, columns are code points, and every line of code is as long as its line of text.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from socreates_lsp.workspace.text import Text, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_HASH = frozenset({"python", "ruby", "bash", "perl", "elixir", "r", "julia", "powershell", "nix", "make"})
_SLASH = frozenset(
    {
        "javascript", "typescript", "tsx", "go", "rust", "java", "php", "c", "cpp", "kotlin", "swift", "scala",
        "csharp", "dart", "zig", "solidity", "objective-c", "fsharp", "html",
    }
)  # fmt: skip
_DASH = frozenset({"lua", "sql", "haskell"})

LANGUAGES = _HASH | _SLASH | _DASH | {"erlang", "clojure", "ocaml", "vb"}
"""The languages of programs, by the names of workspace/languages.py; what is none of them is data or prose."""

INDENTED = frozenset({"python", "nix", "haskell", "fsharp"})
"""Languages whose blocks are made by indentation, with no closing word or bracket."""

FILLER = "·"
"""Stands for each character inside a string."""

_STRING = r'"(?:\\.|[^"\\\r\n])*"' + r"|'(?:\\.|[^'\\\r\n])*'"
_TRIPLE = r'"""(?:\\.|[^\\])*?(?:"""|\Z)' + r"|'''(?:\\.|[^\\])*?(?:'''|\Z)"
_BLOCK = r"/\*.*?(?:\*/|\Z)"

_KEYWORDS = frozenset(
    {
        "if", "elif", "else", "for", "foreach", "while", "until", "unless", "switch", "case", "when", "match",
        "catch", "except", "finally", "return", "yield", "throw", "raise", "and", "or", "not", "in", "is",
        "of", "new", "delete", "typeof", "instanceof", "function", "func", "fun", "fn", "def", "lambda",
        "class", "struct", "interface", "enum", "await", "async", "go", "defer", "try", "do", "with", "using",
        "assert", "sizeof", "super", "select", "print", "echo", "isset", "empty", "array", "let", "var",
        "const", "val", "where", "impl", "pub", "loop", "guard", "then", "begin", "end", "rescue", "ensure",
        "synchronized", "import", "from", "export", "void", "double", "long", "byte", "string", "char",
    }
)  # fmt: skip
"""Words before a bracket that call nothing."""

_CALL = re.compile(r"(?P<name>[A-Za-z_$][\w$]*[!?]?)\s*(?:<[\w ,.:<>\[\]&'*?]*>|::<[^()]*>)?\s*\(")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")


def _expression(language: str | None) -> re.Pattern[str]:
    """What finds the comments (group ``c``) and the strings (group ``s``) of a language."""
    comment, string = r"#[^\r\n]*", _STRING
    if language == "python":
        string = f"{_TRIPLE}|{_STRING}"
    elif language in {"bash", "make", "powershell", "perl"}:
        comment = r"(?<![^\s;])#[^\r\n]*"
    elif language == "ruby":
        comment = r"(?<![\w{])#[^\r\n{][^\r\n]*|^=begin\b.*?^=end\b"
        string = r"<<[~-](?P<q>['\"]?)(?P<h>[A-Z]\w*)(?P=q)[^\n]*\n.*?^[ \t]*(?P=h)\b|" + _STRING
    elif language == "php":
        comment = rf"//[^\r\n]*|#(?!\[)[^\r\n]*|{_BLOCK}"
        string = r"<<<[ \t]*(?P<q>['\"]?)(?P<h>\w+)(?P=q)\r?\n.*?^[ \t]*(?P=h)\b|" + _STRING
    elif language == "rust":
        comment = rf"//[^\r\n]*|{_BLOCK}"
        string = r'r(?P<h>#*)".*?"(?P=h)|"(?:\\.|[^"\\])*"' + r"|'(?:\\[^'\r\n]{1,9}|[^'\\\r\n])'"
    elif language in _SLASH:
        comment = rf"//[^\r\n]*|{_BLOCK}" + (r"|<!--.*?(?:-->|\Z)" if language == "html" else "")
        string = rf"{_TRIPLE}|{_STRING}" if language in {"java", "kotlin", "swift", "scala"} else _STRING
        if language in {"javascript", "typescript", "tsx", "go", "html"}:
            string += r"|`(?:\\.|[^`\\])*`"
    elif language in _DASH:
        comment = r"--\[\[.*?(?:\]\]|\Z)|--[^\r\n]*" if language == "lua" else rf"--[^\r\n]*|{_BLOCK}"
    elif language not in _HASH:
        comment = r"(?:(?<=\n)|\A)[ \t]*(?:#|//|--|;|%)[^\r\n]*"
    return re.compile(rf"(?P<c>{comment})|(?P<s>{string})", re.DOTALL | re.MULTILINE)


_EXPRESSIONS: dict[str | None, re.Pattern[str]] = {}


class Code:
    """A text, and the code in it. ``lines`` have blanks for comments and fillers for what is inside strings."""

    def __init__(self, text: Text, language: str | None) -> None:
        """Read the text of a language (a name of workspace/languages.py, or None)."""
        self.text = text
        self.language = language

    @cached_property
    def _split(self) -> tuple[str, dict[int, str]]:
        if self.language not in _EXPRESSIONS:
            _EXPRESSIONS[self.language] = _expression(self.language)
        comments: dict[int, str] = {}
        content, line, starts = self.text.content, 0, self.starts

        def blank(found: re.Match[str]) -> str:
            nonlocal line
            whole = found[0]
            if found["c"] is None:
                return whole[0] + _filled(whole[1:-1], FILLER) + whole[-1:] if len(whole) > 1 else whole
            while line + 1 < len(starts) and starts[line + 1] <= found.start():
                line += 1
            for offset, part in enumerate(split_lines(whole)):
                if part.strip():
                    comments[line + offset] = comments.get(line + offset, "") + part.strip()
            return _filled(whole, " ")

        return _EXPRESSIONS[self.language].sub(blank, content), comments

    @cached_property
    def content(self) -> str:
        """The whole text as code; offsets are those of the text."""
        return self._split[0]

    @cached_property
    def lines(self) -> list[str]:
        """The lines of code without their endings; as many as the text has."""
        return [line.rstrip("\r\n") for line in split_lines(self.content)]

    @property
    def comments(self) -> dict[int, str]:
        """The comments by line; a block comment has an entry for each of its lines."""
        return self._split[1]

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line starts."""
        return _starts(self.text)

    def raw(self, line: int) -> str:
        """A line as it stands, without its ending."""
        return self.text.line(line)

    def joined(self, first: int, last: int) -> str:
        """The code of some lines."""
        return "\n".join(self.lines[first : last + 1])

    def block_end(self, first: int, limit: int | None = None) -> int:
        """The last line of the block that a line opens, by indentation; closing words and brackets are part of it."""
        depth = indent(self.lines[first])
        last, open_brackets = first, 0
        end = len(self.lines) if limit is None else min(limit + 1, len(self.lines))
        for number in range(first, end):
            line = self.lines[number]
            if line.startswith("#"):  # a preprocessor's line stands at the margin whatever it is in
                continue
            if number > first and line.strip() and open_brackets <= 0:
                if indent(line) < depth:
                    break
                if indent(line) == depth:
                    if is_closer(line):
                        last = number
                        if closes_block(line):
                            break
                        continue
                    break
            if line.strip():
                last = number
            open_brackets += sum(map(line.count, "([")) - sum(map(line.count, ")]"))
        return last


def _starts(text: Text) -> list[int]:
    starts: list[int] = []
    at = 0
    for line in text.lines:
        starts.append(at)
        at += len(line)
    return starts


def _filled(text: str, filler: str) -> str:
    return re.sub(r"[^\r\n]", filler, text)


def indent(line: str) -> int:
    """The width of the white space at the start of a line, a tab to the next multiple of 4."""
    head = line[: len(line) - len(line.lstrip())]
    return len(head.expandtabs(4))


_END = r"(?:end|fi|done|esac)\s*(?:$|[;|&)>#.,]|if\b|unless\b|while\b)"
_CLOSER = re.compile(rf"\s*(?:[{{;:,\s]+$|{_END}|(?:else|elif|elsif|except|finally|catch|rescue)\b|ensure\s*$|[)}}\]])")
_ENDS = re.compile(rf"\s*(?:\}}[;,)\]\s]*$|{_END})")


def is_closer(line: str) -> bool:
    """Whether a line only closes (or goes on with) what a line of the same indentation opened."""
    return bool(_CLOSER.match(line))


def closes_block(line: str) -> bool:
    """Whether a line ends the block for good: ``}``, ``end``, ``fi``."""
    return bool(_ENDS.match(line))


def calls(code: str) -> Iterator[str]:
    """The names that are called, in order: ``load`` for ``json.load(x)``."""
    for found in _CALL.finditer(code):
        name = found["name"].rstrip("!?")
        if name not in _KEYWORDS:
            yield name


def words(code: str) -> set[str]:
    """The identifiers and keywords in the code."""
    return set(_WORD.findall(code))


_COMMON = frozenset(
    {
        "self", "this", "cls", "super", "None", "null", "nil", "undefined", "true", "false", "True", "False",
        "NULL", "nullptr", "len", "size", "length", "count", "is", "not", "and", "or", "in", "if", "else",
        "unless", "return", "raise", "throw", "new", "isinstance", "typeof", "instanceof", "type", "int",
        "str", "list", "dict", "bool", "empty", "isset", "isEmpty", "defined", "equals", "of", "as", "let",
        "var", "const", "Err", "Ok", "Some", "err", "float",
    }
)  # fmt: skip


def names(code: str) -> set[str]:
    """The identifiers that say what the code is about: no keywords, no builtin constants."""
    return words(code) - _COMMON - _KEYWORDS


def squeezed(line: str) -> str:
    """A line for comparing: without white space, trailing commas and the kind of its quotes."""
    bare = re.sub(r"\s+", "", line).replace("'", '"')
    return re.sub(r",(?=[)\]}]|$)", "", bare)


def matching_bracket(code: str, start: int) -> int | None:
    """The offset of the bracket that closes the one at ``start``; None if it is never closed."""
    depth = 0
    for index in range(start, min(len(code), start + 20_000)):
        character = code[index]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return index
    return None


def split_at_commas(code: str, *, angles: bool = False) -> list[tuple[int, int]]:
    """The stretches (start, end) between commas outside of all brackets; ``<`` and ``>`` count where told."""
    parts: list[tuple[int, int]] = []
    depth = start = 0
    for index, character in enumerate(code):
        if character in "([{" or (angles and character == "<"):
            depth += 1
        elif character in ")]}" or (angles and character == ">" and code[index - 1] not in "-="):
            depth -= 1
        elif character == "," and depth <= 0:
            parts.append((start, index))
            start = index + 1
    parts.append((start, len(code)))
    return [(a, b) for a, b in parts if code[a:b].strip()]
