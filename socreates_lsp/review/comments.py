"""Where the comments of a text are, in every language that ``workspace/languages.py`` names. Pure.

A linear scanner, not a parser: it knows strings only so that it does not take what stands in one for a comment.
It never raises; a comment or string that is never closed lasts to the end of the text. Each character is looked
at a bounded number of times, also in a text that was made to be slow: what was not found once is not looked for
again (``_Scan.absent``).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from socreates_lsp.review.comment_syntax import FALLBACK, SYNTAX
from socreates_lsp.review.comment_tokens import CommentSyntax, Does, Token

if TYPE_CHECKING:
    from socreates_lsp.workspace.text import Text

_MIRROR = str.maketrans("[({<", "])}>")
_LINE_END = re.compile(r"[\r\n]")
_NEXT_LINE = re.compile(r"\r\n|\r|\n")
_LABEL_LINE = re.compile(r"[ \t]*([A-Za-z_]\w*)[ \t]*[;,)]*[ \t]*(?=[\r\n]|\Z)")
_LABEL_FIRST = re.compile(r"[ \t]*([A-Za-z_]\w*)")  # PHP since 7.3: `A, $more);` ends it too, and code follows
_REGEX_BODY = re.compile(r"/(?:[^/\\\[\r\n]|\\[^\r\n]|\[(?:[^\]\\\r\n]|\\[^\r\n])*+\])++/[a-z]*")
_BEFORE_REGEX = re.compile(
    r"(?<![\w$.])(?:return|typeof|case|in|of|delete|void|do|else|throw|new|yield|await|if|unless|while|until|when|and|or"
    r"|not)\Z"
)  # fmt: skip
_BRACKET = re.compile(r"[][(){};]")
_LOOK_BACK = 64


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment with its delimiters; lines count from 0.

    ``after_code``: on its first line something other than comments stands before it. ``before_code``: on its
    last line something other than comments stands after it. ``start`` is its offset in the text.
    """

    first_line: int
    last_line: int
    text: str
    after_code: bool
    before_code: bool
    start: int = 0

    @property
    def alone(self) -> bool:
        """Whether its lines hold nothing but comments."""
        return not (self.after_code or self.before_code)

    @property
    def at_end(self) -> bool:
        """Whether it ends a line that begins with code."""
        return self.after_code and not self.before_code


def syntax_of(language: str | None) -> CommentSyntax:
    """The syntax of a language; what most languages have in common for one that is not known."""
    return SYNTAX.get(language or "", FALLBACK)


def comments(text: Text, language: str | None) -> list[Comment]:
    """The comments of a text in the order of the text. Never raises."""
    content = text.content
    spans, _ = scanned(content, language)
    return _placed(content, spans, [0, *accumulate(map(len, text.lines))], braced=syntax_of(language).braced)


def scanned(content: str, language: str | None) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where the comments are, and the strings: offsets of their starts and ends. Never raises."""
    # A fragment of PHP without its opening tag is read as the PHP that it is.
    name = "php-inside" if language == "php" and "<?" not in content else language
    scan = _Scan(content, 0, len(content), syntax_of(name))
    return scan.run(), scan.strings


def _placed(content: str, spans: list[tuple[int, int]], starts: list[int], *, braced: bool) -> list[Comment]:
    """Turn spans of offsets into comments that know what else is on their lines."""
    lines = [(bisect_right(starts, first) - 1, bisect_right(starts, max(last - 1, first)) - 1) for first, last in spans]
    before = [""] * len(spans)
    after = [""] * len(spans)
    for index, (first, last) in enumerate(spans):
        first_line, last_line = lines[index]
        follows = index > 0 and lines[index - 1][1] == first_line
        before[index] = content[spans[index - 1][1] if follows else starts[first_line] : first].strip()
        leads = index + 1 < len(spans) and lines[index + 1][0] == last_line
        after[index] = content[last : spans[index + 1][0] if leads else starts[last_line + 1]].strip()
        if braced and before[index] == "{" and after[index] == "}":
            before[index] = after[index] = ""
    return _joined(content, spans, lines, before, after)


def _joined(
    content: str, spans: list[tuple[int, int]], lines: list[tuple[int, int]], before: list[str], after: list[str]
) -> list[Comment]:
    """Comments of one line share what stands before the first and after the last of them."""
    after_code = [bool(part) for part in before]
    before_code = [bool(part) for part in after]
    for index in range(1, len(spans)):
        if lines[index - 1] == (lines[index][0],) * 2:
            after_code[index] = after_code[index] or after_code[index - 1]
    for index in range(len(spans) - 2, -1, -1):
        if lines[index + 1] == (lines[index][1],) * 2:
            before_code[index] = before_code[index] or before_code[index + 1]
    return [
        Comment(*lines[index], content[first:last], after_code[index], before_code[index], first)
        for index, (first, last) in enumerate(spans)
    ]


class _Scan:
    """One pass over ``content[pos:end]``."""

    def __init__(self, content: str, pos: int, end: int, syntax: CommentSyntax) -> None:
        self.content = content
        self.pos = pos
        self.end = end
        self.syntax = syntax
        self.spans: list[tuple[int, int]] = []
        self.strings: list[tuple[int, int]] = []
        self.holes: list[tuple[Token, int]] = []  # strings that we are in a hole of, and its brackets still open
        self.heredocs: list[tuple[str, re.Pattern[str]]] = []  # labels, and the lines that end them; from ``limit`` on
        self._labels_by: dict[re.Pattern[str], dict[str, list[int]]] = {}
        self.limit = end
        self.absent: dict[Token, int] = {}  # up to which offset a token is known not to be closed
        self.mark = pos  # the end of the last token
        self.value = False  # whether the last token was a value, so that a slash after it divides

    def run(self) -> list[tuple[int, int]]:
        """Scan to the end."""
        while self.pos < self.end:
            self._step()
        return self.spans

    def _step(self) -> None:
        if self.heredocs and self.pos >= self.limit:
            self._skip_heredocs()
        bracket = self.holes[-1][0].bracket if self.holes else ""
        match = self.syntax.code[bracket].search(self.content, self.pos, self.limit)
        if match is None:
            self.pos = self.limit
            return
        self.pos = match.end()
        name = match.lastgroup or ""
        if name in {"up", "down"}:
            self._bracket(1 if name == "up" else -1)
        else:
            self._token(self.syntax.tokens[int(name[1:])], match.start())

    def _token(self, token: Token, start: int) -> None:
        match token.does:
            case Does.LINE | Does.BLOCK:
                self._comment(token, start)
            case Does.QUOTE:
                self._quote(token, start)
            case Does.REGEX:
                self._regex(token, start)
            case Does.HEREDOC:
                self._heredoc(token, start)
            case Does.REGION:
                end = self._search(token) or (self.end, self.end)
                region = _Scan(self.content, self.pos, end[0], syntax_of(token.language))
                self.spans += region.run()
                self.strings += region.strings
                self.pos = end[1]
            case Does.SWITCH:
                self.syntax = syntax_of(token.language)
                self.holes.clear()
                self._passed(value=False)
            case Does.SKIP:
                if _BRACKET.search(self.content, start, self.pos):
                    self.strings.append((start, self.pos))
                self._passed(value=True)

    def _passed(self, *, value: bool) -> None:
        self.mark, self.value = self.pos, value

    def _comment(self, token: Token, start: int) -> None:
        if token.own:
            self.pos = self._own_end(token, start)
        elif token.nested:
            self.pos = self._balanced(token.inside)
        else:
            found = self._search(token)
            if found is None and token.required:
                self.pos = start + 1
                return
            found = found or (self.end, self.end)
            self.pos = found[0] if token.does is Does.LINE else found[1]
        self.spans.append((start, self.pos))
        self._passed(value=not self._value_may_stand(start))

    def _search(self, token: Token) -> tuple[int, int] | None:
        """Where the closer of a token is; None when it is nowhere from here on, which is remembered."""
        if self.absent.get(token, -1) >= self.pos:
            return None
        found = token.inside.search(self.content, self.pos, self.end)
        if found is None:
            self.absent[token] = self.end
        return found.span() if found else None

    def _balanced(self, either: re.Pattern[str]) -> int:
        """The end of something nested, of which one is open; group ``up`` of ``either`` opens another."""
        depth = 1
        for found in either.finditer(self.content, self.pos, self.end):
            depth += 1 if found.lastgroup == "up" else -1
            if depth == 0:
                return found.end()
        return self.end

    def _own_end(self, token: Token, start: int) -> int:
        """The end of a token whose closer repeats a part of its opener."""
        opener = token.opener.match(self.content, start, self.end)
        own = opener[1] if opener else ""
        literal = token.closes.replace(r"\1", own[::-1].translate(_MIRROR) if token.mirrored else own)
        if token.nested:
            return self._balanced(re.compile(f"(?P<up>{re.escape(own)})|{re.escape(literal)}"))
        found = self.content.find(literal, self.pos, self.end)
        return self.end if found < 0 else found + len(literal)

    def _quote(self, token: Token, start: int) -> None:
        if token.own:
            self.pos = self._own_end(token, start)
        else:
            self._inside(token, start)
        if self.pos > start + 1:
            self.strings.append((start, self.pos))
        self._passed(value=True)

    def _inside(self, token: Token, start: int | None) -> None:
        """Go on in a string up to its end or its next hole. ``start`` is None when we come back from a hole."""
        for found in token.inside.finditer(self.content, self.pos, self.end):
            self.pos = found.end()
            match found.lastgroup:
                case "close":
                    return
                case "hole":
                    self.holes.append((token, 1))
                    return
                case "eol":
                    self.pos = found.start()
                    break
                case _:
                    continue
        else:
            self.pos = self.end
        if token.required and start is not None:
            self.pos = start + 1

    def _bracket(self, step: int) -> None:
        token, depth = self.holes.pop()
        if depth + step:
            self.holes.append((token, depth + step))
            self._passed(value=step < 0)
        else:
            begin = self.pos - 1
            self._inside(token, None)
            self.strings.append((begin, self.pos))
            self._passed(value=True)

    def _regex(self, token: Token, start: int) -> None:
        if self.absent.get(token, -1) <= start and self._value_may_stand(start):
            found = _REGEX_BODY.match(self.content, start, self.end)
            if found:
                self.pos = found.end()
                self.strings.append((start, self.pos))
                self._passed(value=True)
                return
            self.absent[token] = self._line_end(start)
        self._passed(value=False)

    def _value_may_stand(self, start: int) -> bool:
        gap = self.content[max(self.mark, start - _LOOK_BACK) : start].rstrip()
        if not gap:
            return not self.value
        return not (gap[-1].isalnum() or gap[-1] in "_$)]}<") or _BEFORE_REGEX.search(gap) is not None

    def _line_end(self, pos: int) -> int:
        found = _LINE_END.search(self.content, pos, self.end)
        return found.start() if found else self.end

    def _heredoc(self, token: Token, start: int) -> None:
        if not self.heredocs:
            self.limit = self._line_end(start)
        found = token.opener.match(self.content, start, self.end)
        ends = _LABEL_FIRST if found and found[0].startswith("<<<") else _LABEL_LINE
        self.heredocs.append((found[1] if found else "", ends))
        self._passed(value=True)

    def _labels(self, ends: re.Pattern[str]) -> dict[str, list[int]]:
        """The offsets after each word that a line begins with, or is, by that word."""
        if ends not in self._labels_by:
            labels = self._labels_by[ends] = {}
            for start in self._line_starts:
                found = ends.match(self.content, start, self.end)
                if found:
                    labels.setdefault(found[1], []).append(found.end())
        return self._labels_by[ends]

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in _NEXT_LINE.finditer(self.content, 0, self.end))]

    def _skip_heredocs(self) -> None:
        """Pass over the texts of the heredocs of the line that ends here; one without an end is none."""
        for label, how in self.heredocs:
            ends = self._labels(how).get(label, [])
            index = bisect_right(ends, self.pos)
            if index < len(ends):
                self.strings.append((self.pos, ends[index]))
                self.pos = ends[index]
        self.heredocs.clear()
        self.limit = self.end
        self._passed(value=True)
